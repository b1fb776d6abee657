// LiveChess: a page that follows the dialogue of lichess.org/dgt step by step, while hands make the moves on a virtual board.

import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { describe, test } from "node:test";

import { WebSocket } from "ws";

import { Inbox } from "../harness/inbox.js";
import { LichessGame, LichessPage, START } from "../harness/lichess-page.js";
import { PanelClient } from "../harness/panel-client.js";
import { Relay } from "../harness/relay.js";

const TEST_TIMEOUT_MS = 120_000;
const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
const AFTER_E4_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
const AFTER_E4_E5_NF3 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";

/** Longer than a ply is held back, and than lichess keeps moves in quarantine. */
const QUIET_MS = 3_500;

const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

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

/** A client that reads a board, and never sets it up. */
class Reader {
  /** @type {Inbox<Record<string, any>>} */ answers = new Inbox();
  /** @type {Record<string, any>[]} The events of its feed. */ events = [];
  #calls = 0;

  /** @param {string} url */
  static async connect(url) {
    const reader = new Reader(new WebSocket(`${url}/api/v1.0`, { origin: "https://www.chess.com" }));
    await once(reader.socket, "open");
    return reader;
  }

  /** @param {WebSocket} socket */
  constructor(socket) {
    this.socket = socket;
    socket.on("message", (data) => {
      const message = JSON.parse(String(data));
      if (message.response === "feed") this.events.push(message);
      else this.answers.push(message);
    });
  }

  /**
   * @param {string} name
   * @param {unknown} param
   */
  async call(name, param) {
    this.#calls += 1;
    const id = this.#calls;
    this.socket.send(JSON.stringify({ call: name, id, param }));
    const answer = await this.answers.next((message) => message["id"] === id, "answer");
    assert.equal(answer["response"], "call");
    return answer["param"];
  }

  /**
   * Polls the list until the board shows this.
   *
   * @param {string} placement
   * @returns {Promise<string>} its serial number
   */
  async lists(placement) {
    for (;;) {
      const [board] = await this.call("eboards", null);
      if (board.board === placement) return board.serialnr;
      await sleep(20);
    }
  }

  /** @param {string} serialnr */
  async subscribe(serialnr) {
    await this.call("subscribe", { feed: "eboardevent", id: 7, param: { serialnr } });
    while (this.events.length === 0) await sleep(5);
    return this.events[0];
  }
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

/**
 * The page has sent these moves of the hands to lichess and no others, has found nothing wrong, and has received them one by one.
 *
 * @param {LichessPage} page
 * @param {LichessGame} game
 * @param {string[]} moves in UCI
 */
function isSent(page, game, moves) {
  assert.deepEqual([game.posted, game.rejected, page.complaints], [moves, [], []]);
  assert.equal(page.mostAtOnce, 1);
}

describe("LiveChess", { concurrency: 6 }, () => {
  live("a page plays a game that hands make on the board", async ({ panel, page }) => {
    const game = new LichessGame("white");
    await page.open();
    await page.play(game);
    await panel.move("e2e4");
    await page.posts(1);
    assert.equal(page.board, AFTER_E4);
    game.plays("d7d5");
    await panel.move("d7d5");
    await panel.move("e4xd5");
    await page.posts(2);
    await page.until(() => page.board === game.position.placement, "the last placement");
    isSent(page, game, ["e2e4", "e4d5"]);
  });

  live("a page whose player has Black adjusts the board first", async ({ panel, page }) => {
    const game = new LichessGame("black");
    await page.open();
    await page.play(game);
    game.plays("e2e4");
    await panel.move("e2e4");
    await panel.move("e7e5");
    await page.posts(1);
    isSent(page, game, ["e7e5"]);
  });

  live("no placement is sent while a piece is in a hand", async ({ panel, page }) => {
    const game = new LichessGame("white");
    await page.open();
    await page.play(game);
    await panel.lift("g1");
    await sleep(300);
    assert.deepEqual([page.board, game.posted], [START, []]);
    await panel.put("f3");
    await page.posts(1);
    isSent(page, game, ["g1f3"]);
  });

  live("quick moves come one after the other, so that none stays in quarantine", async ({ panel, page }) => {
    const game = new LichessGame("white");
    await page.open();
    await page.play(game);
    for (const [at, [own, other]] of /** @type {const} */ ([["e2e4", "e7e5"], ["g1f3", "b8c6"], ["f1b5", "a7a6"]]).entries()) {
      await panel.move(own);
      await page.posts(at + 1);
      game.plays(other);
      // The opponent's move is adjusted, and the next own move follows at once.
      await panel.move(other);
    }
    await page.follows(game.position.placement);
    isSent(page, game, ["e2e4", "g1f3", "f1b5"]);
  });

  // The old list would be new moves for the page, which has set up the position after them.
  live("a page that reconnects while the board stands still gets only the moves after that", async ({ panel, page }) => {
    const game = new LichessGame("white");
    await page.open();
    await page.play(game);
    await panel.move("e2e4");
    await page.posts(1);
    await page.disconnect();
    await page.open();
    game.plays("e7e5");
    await panel.move("e7e5");
    await page.follows(AFTER_E4_E5);
    await page.disconnect();
    await page.open();
    await sleep(QUIET_MS);
    await panel.move("g1f3");
    await page.posts(2);
    isSent(page, game, ["e2e4", "g1f3"]);
  });

  live("a page that is opened again in mid-game gets only the moves after that", async ({ panel, page, url }) => {
    const game = new LichessGame("white");
    await page.open();
    await page.play(game);
    await panel.move("e2e4");
    await page.posts(1);
    game.plays("e7e5");
    await panel.move("e7e5");
    await page.follows(AFTER_E4_E5);
    page.close();
    const again = new LichessPage(url);
    try {
      await again.open();
      await again.play(game);
      await sleep(QUIET_MS);
      await panel.move("g1f3");
      await again.posts(2);
      isSent(again, game, ["e2e4", "g1f3"]);
    } finally {
      again.close();
    }
  });

  live("the opponent moves while the page is away: the list waits until the board shows that move", async ({ panel, page }) => {
    const game = new LichessGame("white");
    await page.open();
    await page.play(game);
    await panel.move("e2e4");
    await page.posts(1);
    await page.disconnect();
    game.plays("e7e5");
    await page.open();
    await sleep(QUIET_MS);
    await panel.move("e7e5");
    await page.until(() => page.board === AFTER_E4_E5, "the adjusted board");
    await panel.move("g1f3");
    await page.posts(2);
    isSent(page, game, ["e2e4", "g1f3"]);
  });

  live("the player moves while the page is away: the move is sent when it is back", async ({ panel, page }) => {
    const game = new LichessGame("white");
    await page.open();
    await page.play(game);
    await panel.move("e2e4");
    await page.posts(1);
    game.plays("e7e5");
    await panel.move("e7e5");
    await page.follows(AFTER_E4_E5);
    await page.disconnect();
    await panel.move("g1f3");
    await sleep(QUIET_MS);
    await page.open();
    await page.posts(2);
    await page.until(() => page.board === AFTER_E4_E5_NF3, "the placement after it");
    game.plays("b8c6");
    await panel.move("b8c6");
    await panel.move("f1b5");
    await page.posts(3);
    isSent(page, game, ["e2e4", "g1f3", "f1b5"]);
  });

  // The player has made a move with the mouse, and the opponent has answered. On the board both are made while its network is away.
  live("two moves and a newer one within the quarantine are all processed", async ({ panel, page }) => {
    const game = new LichessGame("white");
    await page.open();
    await page.play(game);
    game.plays("e2e4");
    game.plays("e7e5");
    panel.send({ type: "network", plugged: false });
    await panel.until(({ network }) => network === false);
    for (const move of ["e2e4", "e7e5", "g1f3"]) await panel.move(move);
    panel.send({ type: "network", plugged: true });
    await page.posts(2);
    assert.equal(page.mostAtOnce, 1);
    // The page does not know that the first one is at lichess already.
    assert.deepEqual([game.posted, game.rejected, page.complaints], [["e2e4", "g1f3"], ["e2e4"], []]);
    game.plays("b8c6");
    await panel.move("b8c6");
    await panel.move("f1b5");
    await page.posts(3);
    assert.deepEqual([game.posted.slice(2), page.complaints], [["f1b5"], []]);
  });

  live("a takeback stops the list until the page is opened again", async ({ panel, page, url }) => {
    const game = new LichessGame("white");
    await page.open();
    await page.play(game);
    await panel.move("e2e4");
    await page.posts(1);
    await panel.lift("e4");
    await panel.put("e2");
    await panel.until(({ plies }) => plies === 0);
    await panel.move("d2d4");
    await page.until(() => page.board === "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR", "the other placement");
    await panel.lift("d4");
    await panel.put("d2");
    await panel.until(({ plies }) => plies === 0);
    await panel.move("e2e4");
    await page.until(() => page.board === AFTER_E4, "the placement of the game");
    isSent(page, game, ["e2e4"]);
    page.close();
    const again = new LichessPage(url);
    try {
      await again.open();
      await again.play(game);
      game.plays("e7e5");
      await panel.move("e7e5");
      await panel.move("g1f3");
      await again.posts(2);
      isSent(again, game, ["e2e4", "g1f3"]);
    } finally {
      again.close();
    }
  });

  live("a page plays a second game after the first", async ({ panel, page }) => {
    const first = new LichessGame("white");
    await page.open();
    await page.play(first);
    await panel.move("e2e4");
    await page.posts(1);
    first.plays("e7e5");
    await panel.move("e7e5");
    await page.follows(AFTER_E4_E5);
    first.isOver = true;
    panel.send({ type: "set_up" });
    const second = new LichessGame("black");
    await page.play(second);
    second.plays("d2d4");
    await panel.move("d2d4");
    await panel.move("d7d5");
    await page.posts(1);
    isSent(page, first, ["e2e4"]);
    isSent(page, second, ["d7d5"]);
    // It reconnects also in the second game.
    await page.disconnect();
    await page.open();
    await sleep(QUIET_MS);
    second.plays("c2c4");
    await panel.move("c2c4");
    await panel.move("e7e6");
    await page.posts(2);
    isSent(page, second, ["d7d5", "e7e6"]);
  });

  live("a relay that restarts in mid-game continues it", async ({ relay, panel, page }) => {
    const game = new LichessGame("white");
    await page.open();
    await page.play(game);
    await panel.move("e2e4");
    await page.posts(1);
    game.plays("e7e5");
    await panel.move("e7e5");
    await page.follows(AFTER_E4_E5);
    const closed = once(page.socket ?? assert.fail(), "close");
    await relay.restart();
    await closed;
    page.url = `ws://${relay.livechess}`;
    const again = await PanelClient.connect(relay.url);
    try {
      await page.open();
      await sleep(QUIET_MS);
      await again.move("g1f3");
      await page.posts(2);
      isSent(page, game, ["e2e4", "g1f3"]);
    } finally {
      again.close();
    }
  });

  live("a client that never sets the board up reads its game, and may poll the list beside the feed", async ({ panel, url }) => {
    const reader = await Reader.connect(url);
    try {
      const serialnr = await reader.lists(START);
      const first = await reader.subscribe(serialnr);
      assert.deepEqual([first?.["id"], first?.["param"]], [7, { serialnr, flipped: false, board: START, clock: null }]);
      for (const move of ["e2e4", "e7e5"]) await panel.move(move);
      await reader.lists(AFTER_E4_E5);
      assert.deepEqual(reader.events.slice(1).map(({ param }) => param.san), [["e4"], ["e4", "e5"]]);
      assert.equal(reader.events.at(-1)?.["param"].match, true);
    } finally {
      reader.socket.close();
    }
  });

  live("the list of a set-up continues after a restart of the relay", async ({ relay, panel, page }) => {
    const game = new LichessGame("white");
    await page.open();
    game.plays("e2e4");
    await panel.move("e2e4");
    await page.play(game);
    game.plays("e7e5");
    await panel.move("e7e5");
    await page.follows(AFTER_E4_E5);
    page.close();
    await relay.restart();
    const again = await PanelClient.connect(relay.url);
    const reader = await Reader.connect(`ws://${relay.livechess}`);
    try {
      const first = await reader.subscribe(await reader.lists(AFTER_E4_E5));
      assert.equal(first?.["param"].san, undefined);
      await again.move("g1f3");
      await reader.lists(AFTER_E4_E5_NF3);
      const { start, san, match } = reader.events.at(-1)?.["param"];
      assert.deepEqual([start, san, match], [`${AFTER_E4} b KQkq - 0 1`, ["e5", "Nf3"], true]);
    } finally {
      reader.socket.close();
      again.close();
    }
  });

  live("bad calls are answered with errors, and other origins are rejected", async ({ page, url }) => {
    await page.open();
    assert.deepEqual(page.complaints, []);
    for (const [message, id] of /** @type {const} */ ([
      ["nonsense", null],
      ['{"id":7,"call":"nothing"}', 7],
      ['{"id":8,"call":"subscribe","param":{"feed":"eboardevent","id":9,"param":{"serialnr":"1"}}}', 8],
      ['{"id":9,"call":"call","param":{"id":77,"method":"setup","param":{"fen":"x"}}}', 9],
      ['{"id":10,"call":"call","param":{"id":1,"method":"setup","param":{"fen":"x"}}}', 10],
      ['{"id":11,"call":"unsubscribe","param":77}', 11],
      ['{"id":12,"call":"call","param":{"id":77,"method":"unsubscribe"}}', 12],
    ])) {
      page.socket?.send(message);
      const error = await page.answers.next(({ response }) => response === "error", "error");
      assert.deepEqual([error["id"], typeof error["param"].message], [id, "string"], message);
    }
    const { serial } = page;
    for (const [id, message] of /** @type {const} */ ([
      [13, { call: "call", param: { id: 1, method: "flip", param: { flip: true } } }],
      [14, { call: "unsubscribe", param: 1 }],
      [15, { call: "subscribe", param: { feed: "eboardevent", id: 1, param: { serialnr: serial } } }],
      [16, { call: "call", param: { id: 1, method: "unsubscribe" } }],
    ])) {
      page.send({ id, ...message });
      assert.equal((await page.answers.next((answer) => answer["id"] === id, "answer"))["response"], "call");
    }
    page.send({ id: 17, call: "unsubscribe", param: 1 });
    assert.equal((await page.answers.next(({ id }) => id === 17, "answer"))["response"], "error");

    const boards = await (await fetch(`${url.replace("ws", "http")}/api/v1.0/eboards`)).json();
    assert.deepEqual([boards.length, boards[0].serialnr, boards[0].state, boards[0].flipped], [1, serial, "ACTIVE", true]);
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
      const game = new LichessGame("white");
      await there.open();
      await there.play(game);
      await travel.move("e2e4");
      await there.posts(1);
      // The list survives a restart of the program that serves the page.
      const closed = once(there.socket ?? assert.fail(), "close");
      proxy.kill();
      await closed;
      proxy = start();
      there.url = `ws://${await printedAddress(proxy)}`;
      await there.open();
      game.plays("c7c5");
      await travel.move("c7c5");
      await travel.move("g1f3");
      await there.posts(2);
      isSent(there, game, ["e2e4", "g1f3"]);
    } finally {
      there.close();
      page.close();
      travel.close();
      proxy.kill();
      board.kill();
    }
  });
});
