// LiveChess: a page that follows the dialogue of lichess.org/dgt step by step, while hands make the moves on a virtual board.

import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { describe, test } from "node:test";

import { WebSocket } from "ws";

import { Inbox } from "../harness/inbox.js";
import { PanelClient } from "../harness/panel-client.js";
import { Relay } from "../harness/relay.js";

const TEST_TIMEOUT_MS = 60_000;
const LICHESS = "https://lichess.org";
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/** lichess drops moves that come together on the player's turn, unless nothing newer follows within this time. */
const QUARANTINE_MS = 2_500;

/** A page that talks to LiveChess as lichess does, while its player has White. */
class LichessPage {
  /** @type {Inbox<Record<string, any>>} */ inbox = new Inbox();
  serial = "";
  board = "";
  /** @type {string[]} The moves that the page has accepted: own ones are sent to lichess, others are adjustments of the board. */ moves = [];
  /** The number of new moves in the largest message on the player's own turn. */ mostAtOnce = 0;
  /** @type {string[]} */ #san = [];
  /** @type {"white" | "black"} */ #turn = "white";
  /** @type {string | null} The opponent's move at lichess, which is not on the board yet. */ #toAdjust = null;

  /** @param {string} url */
  constructor(url) {
    this.url = url;
  }

  /**
   * The opponent moves at lichess.
   *
   * @param {string} san
   */
  opponentPlays(san) {
    assert.equal(this.#turn, "black", "it is the player's own turn");
    this.#toAdjust = san;
  }

  /** Connects, finds the board and subscribes, as the page does when it is opened or reconnects. */
  async open() {
    this.inbox = new Inbox();
    const socket = new WebSocket(`${this.url}/api/v1.0`, { origin: LICHESS });
    this.socket = socket;
    socket.on("message", (data) => {
      const message = JSON.parse(String(data));
      assert.equal(typeof message.time, "number");
      if (message.response === "feed") this.#feed(message);
      this.inbox.push(message);
    });
    await once(socket, "open");
    // Without an answer the page asks again.
    for (;;) {
      this.send({ id: 1, call: "eboards" });
      const answered = this.inbox.next(({ id, response }) => id === 1 && response === "call", "boards");
      const later = new Promise((resolve) => setTimeout(resolve, 500));
      const boards = await Promise.race([answered, later]);
      if (!boards) continue;
      this.serial = boards.param[0].serialnr;
      break;
    }
    this.send({ id: 2, call: "subscribe", param: { feed: "eboardevent", id: 1, param: { serialnr: this.serial } } });
    assert.equal((await this.inbox.next(({ id }) => id === 2, "subscription")).param, null);
  }

  /**
   * The opponent has moved at lichess while this page was disconnected from the board.
   *
   * @param {string} san
   */
  expectWhileAway(san) {
    this.#toAdjust = san;
  }

  /** @param {Record<string, any>} message */
  #feed(message) {
    assert.equal(message["id"], 1);
    if (message["param"].board !== undefined) this.board = message["param"].board;
    const { san } = message["param"];
    if (!san?.length || JSON.stringify(san) === JSON.stringify(this.#san)) return;
    assert.deepEqual(san.slice(0, this.#san.length), this.#san, "the list of moves only grows");
    const added = san.slice(this.#san.length);
    this.#san = san;
    if (this.#turn === "white") this.mostAtOnce = Math.max(this.mostAtOnce, added.length);
    if (this.#turn === "black" || added.length === 1) {
      this.#accept(added);
      return;
    }
    // Several moves on the player's own turn are probably a sliding piece: they count only if nothing newer follows.
    setTimeout(() => {
      if (this.#san !== san) return;
      this.#accept(added);
      this.inbox.push({ response: "feed" });
    }, QUARANTINE_MS);
  }

  /** @param {string[]} moves */
  #accept(moves) {
    for (const move of moves) {
      if (this.#turn === "black") {
        assert.equal(move, this.#toAdjust, "the move on the board is not the opponent's");
        this.#toAdjust = null;
      }
      this.moves.push(move);
      this.#turn = this.#turn === "white" ? "black" : "white";
    }
  }

  /**
   * Waits until the list of boards shows this placement.
   *
   * @param {string} placement
   */
  async lists(placement) {
    for (;;) {
      const [board] = await (await fetch(`${this.url.replace("ws", "http")}/api/v1.0/eboards`)).json();
      if (board.board === placement) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** @param {string} fen */
  async setUp(fen) {
    this.#san = [];
    this.moves = [];
    this.#turn = fen.split(" ")[1] === "b" ? "black" : "white";
    this.send({ id: 3, call: "call", param: { id: 1, method: "setup", param: { fen } } });
    return this.inbox.next(({ id }) => id === 3, "answer to the set-up");
  }

  /** @param {unknown} message */
  send(message) {
    this.socket?.send(JSON.stringify(message));
  }

  /** @param {() => boolean} isIt */
  async until(isIt) {
    while (!isIt()) await this.inbox.next(({ response }) => response === "feed", "feed");
  }

  close() {
    this.socket?.close();
  }

  /** Loses the connection. */
  async disconnect() {
    if (!this.socket) return;
    const closed = once(this.socket, "close");
    this.socket.terminate();
    await closed;
  }
}

/**
 * Waits for the address that a program prints.
 *
 * @param {import("node:child_process").ChildProcessWithoutNullStreams} program
 */
async function printedAddress(program) {
  for await (const line of program.stdout) {
    const address = /(127\.0\.0\.1|localhost):\d+/.exec(String(line))?.[0];
    if (address) return address;
  }
  assert.fail("the program ended without printing its address");
}

/**
 * @param {string} title
 * @param {(parts: { relay: Relay, panel: PanelClient, url: string, page: LichessPage }) => Promise<void>} run
 */
function live(title, run) {
  test(title, { timeout: TEST_TIMEOUT_MS }, async () => {
    const relay = await Relay.start("--virtual-board=all", "--livechess=127.0.0.1:0");
    const url = `ws://${relay.livechess}`;
    const page = new LichessPage(url);
    let panel;
    try {
      panel = await PanelClient.connect(relay.url);
      await run({ relay, panel, url, page });
      assert.deepEqual(relay.failures(), []);
    } finally {
      page.close();
      panel?.close();
      await relay.discard();
    }
  });
}

describe("LiveChess", { concurrency: true }, () => {
  live("a page plays a game that hands make on the board", async ({ panel, page }) => {
    await page.open();
    await page.until(() => page.board === START);
    assert.equal((await page.setUp(`${START} w KQkq - 0 1`)).param, null);
    await panel.move("e2e4");
    await page.until(() => page.moves.length === 1);
    assert.equal(page.board, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    page.opponentPlays("d5");
    await panel.move("d7d5");
    await panel.move("e4xd5");
    await page.until(() => page.moves.length === 3);
    assert.deepEqual(page.moves, ["e4", "d5", "exd5"]);
    await page.until(() => page.board === "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR");
  });

  live("no placement is sent while a piece is in a hand", async ({ panel, page }) => {
    await page.open();
    await page.until(() => page.board === START);
    await page.setUp(`${START} w KQkq - 0 1`);
    await panel.lift("g1");
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(page.board, START);
    assert.deepEqual(page.moves, []);
    await panel.put("f3");
    await page.until(() => page.moves.length === 1);
    assert.deepEqual(page.moves, ["Nf3"]);
  });

  live("quick moves come one after the other, so that none stays in quarantine", async ({ panel, page }) => {
    await page.open();
    await page.until(() => page.board === START);
    await page.setUp(`${START} w KQkq - 0 1`);
    let plies = 0;
    for (const [own, other, san] of /** @type {const} */ ([["e2e4", "e7e5", "e5"], ["g1f3", "b8c6", "Nc6"], ["f1b5", "a7a6", "a6"]])) {
      await panel.move(own);
      const made = ++plies;
      await page.until(() => page.moves.length === made);
      page.opponentPlays(san);
      // The opponent's move is adjusted, and the next own move follows at once.
      await panel.move(other);
      plies += 1;
    }
    await page.until(() => page.moves.length === 6);
    assert.deepEqual(page.moves, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]);
    assert.equal(page.mostAtOnce, 1);
  });

  live("a page that was disconnected gets several moves at once, and accepts them after its quarantine", async ({ panel, page }) => {
    await page.open();
    await page.until(() => page.board === START);
    await page.setUp(`${START} w KQkq - 0 1`);
    await page.disconnect();
    await panel.move("e2e4");
    await panel.move("e7e5");
    await page.lists("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR");
    await page.open();
    // lichess has told the opponent's move meanwhile.
    await page.until(() => page.mostAtOnce === 2);
    page.expectWhileAway("e5");
    await page.until(() => page.moves.length === 2);
    assert.deepEqual(page.moves, ["e4", "e5"]);
    await panel.move("g1f3");
    await page.until(() => page.moves.length === 3);
    assert.deepEqual(page.moves, ["e4", "e5", "Nf3"]);
  });

  live("a takeback stops the list until the next set-up", async ({ panel, page }) => {
    await page.open();
    await page.until(() => page.board === START);
    await page.setUp(`${START} w KQkq - 0 1`);
    await panel.move("e2e4");
    await page.until(() => page.moves.length === 1);
    await panel.lift("e4");
    await panel.put("e2");
    await panel.until(({ plies }) => plies === 0);
    await panel.move("d2d4");
    await page.until(() => page.board === "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR");
    assert.deepEqual(page.moves, ["e4"]);
    assert.equal((await page.setUp("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1")).response, "call");
    page.opponentPlays("d5");
    await panel.move("d7d5");
    await page.until(() => page.moves.length === 1);
    assert.deepEqual(page.moves, ["d5"]);
  });

  live("a page that reconnects, and a relay that restarts, continue the game", async ({ relay, panel, page }) => {
    await page.open();
    await page.until(() => page.board === START);
    await page.setUp(`${START} w KQkq - 0 1`);
    await panel.move("e2e4");
    await page.until(() => page.moves.length === 1);
    const fen = `${page.board} b KQkq - 0 1`;
    assert.equal((await page.setUp(fen)).response, "call");
    page.close();
    await relay.restart();
    const again = await PanelClient.connect(relay.url);
    const back = new LichessPage(`ws://${relay.livechess}`);
    try {
      await back.open();
      await back.until(() => back.board !== "");
      await again.move("c7c5");
      // The set-up of the first page is still the start of the list.
      await back.until(() => back.moves.length === 1);
      assert.deepEqual(back.moves, ["c5"]);
    } finally {
      back.close();
      again.close();
    }
  });

  live("bad calls are answered with errors, and other origins are rejected", async ({ page, url }) => {
    await page.open();
    for (const [message, id] of /** @type {const} */ ([
      ["nonsense", null],
      ['{"id":7,"call":"nothing"}', 7],
      ['{"id":8,"call":"subscribe","param":{"feed":"eboardevent","id":9,"param":{"serialnr":"1"}}}', 8],
      ['{"id":9,"call":"call","param":{"id":77,"method":"setup","param":{"fen":"x"}}}', 9],
      ['{"id":10,"call":"call","param":{"id":1,"method":"setup","param":{"fen":"x"}}}', 10],
      ['{"id":11,"call":"unsubscribe","param":77}', 11],
    ])) {
      page.socket?.send(message);
      const error = await page.inbox.next(({ response }) => response === "error", "error");
      assert.deepEqual([error["id"], typeof error["param"].message], [id, "string"], message);
    }
    page.send({ id: 12, call: "call", param: { id: 1, method: "flip", param: { flip: true } } });
    await page.inbox.next(({ id }) => id === 12, "answer");
    page.send({ id: 13, call: "unsubscribe", param: 1 });
    await page.inbox.next(({ id }) => id === 13, "answer");

    const boards = await (await fetch(`${url.replace("ws", "http")}/api/v1.0/eboards`)).json();
    assert.deepEqual([boards.length, boards[0].serialnr, boards[0].state, boards[0].flipped], [1, page.serial, "ACTIVE", true]);
    for (const headers of [{ origin: "https://evil.example" }, { host: "evil.example" }]) {
      const socket = new WebSocket(`${url}/api/v1.0`, { headers });
      const [error] = await once(socket, "error");
      assert.match(String(error), /403/);
    }
  });

  live("tabiya livechess serves a board of a relay elsewhere", async ({ relay, panel, page }) => {
    const key = join(relay.folder, "key");
    const program = process.env["TABIYA_PROGRAM"] ?? "";
    const added = spawn(program, ["boards", "add", "travel", "--data", join(relay.folder, "data")], { cwd: relay.folder });
    const lines = (await added.stdout.toArray()).join("");
    const hex = /[0-9a-f]{64}/.exec(lines)?.[0] ?? assert.fail(lines);
    await writeFile(key, hex);
    const wsUrl = relay.url.replace("http", "ws");
    const board = spawn(program, ["board", "--relay", wsUrl, "--name", "travel", "--key-file", key, "--listen", "127.0.0.1:0"], { cwd: relay.folder });
    const start = () => spawn(program, ["livechess", "--relay", wsUrl, "--board", "travel", "--key-file", key, "--listen", "127.0.0.1:0"], { cwd: relay.folder });
    let proxy = start();
    panel.close();
    let [there, travel] = [page, panel];
    try {
      there = new LichessPage(`ws://${await printedAddress(proxy)}`);
      travel = await PanelClient.connect(`http://${await printedAddress(board)}`);
      // Pages at the relay itself find both boards, and lichess takes the first one.
      for (;;) {
        const listed = await (await fetch(`http://${relay.livechess}/api/v1.0/eboards`)).json();
        if (listed.length < 2 || listed.some((/** @type {{ state: string }} */ { state }) => state !== "ACTIVE")) continue;
        assert.deepEqual(listed.map((/** @type {{ source: string }} */ { source }) => source), ["travel", "virtual"]);
        break;
      }
      await there.open();
      await there.until(() => there.board === START);
      await travel.move("e2e4");
      await there.until(() => there.moves.length === 1);
      assert.deepEqual(there.moves, ["e4"]);
      assert.equal((await there.setUp(`${there.board} b KQkq - 0 1`)).response, "call");
      // The set-up survives a restart of the program that serves the page.
      there.close();
      proxy.kill();
      await once(proxy, "exit");
      proxy = start();
      there = new LichessPage(`ws://${await printedAddress(proxy)}`);
      await there.open();
      await there.until(() => there.board !== "");
      await travel.move("c7c5");
      await there.until(() => there.moves.length === 1);
      assert.deepEqual(there.moves, ["c5"]);
    } finally {
      there.close();
      page.close();
      travel.close();
      proxy.kill();
      board.kill();
    }
  });
});
