// The page lichess.org/dgt/play, as far as it talks to LiveChess: the same messages in the same order, and the same conclusions from the
// answers, with their weaknesses. It is modelled on ui/dgt/src/play.ts of lichess, whose names stand in brackets.

import assert from "node:assert/strict";
import { once } from "node:events";

import { WebSocket } from "ws";

import { Inbox } from "./inbox.js";
import { LocalPosition } from "./local-position.js";

const ORIGIN = "https://lichess.org";
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/** Several moves that come together on the player's own turn wait this long, and are dropped if others were processed meanwhile. */
const QUARANTINE_MS = 2_500;

/** lichess waits five seconds before it asks and looks again. */
const AGAIN_MS = 250;
const TIMEOUT_MS = 20_000;

const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A game at lichess. */
export class LichessGame {
  position = new LocalPosition(`${START} w KQkq - 0 1`);
  lastMove = "none";
  isOver = false;
  /** @type {string[]} The moves that the page has sent, in UCI. */ posted = [];
  /** @type {string[]} Those of them that were not legal. */ rejected = [];

  /** @param {"white" | "black"} side of the player */
  constructor(side) {
    this.side = side;
  }

  /**
   * A move that is not made on the board: of the opponent, or of the player with the mouse.
   *
   * @param {string} move in UCI
   */
  plays(move) {
    assert.ok(this.position.legal().includes(move), `${move} is not legal at lichess`);
    this.position = this.position.play(move);
    this.lastMove = move;
  }

  /** @param {string} move in UCI */
  post(move) {
    this.posted.push(move);
    if (!this.isOver && this.position.turn === this.side && this.position.legal().includes(move)) this.plays(move);
    else this.rejected.push(move);
  }
}

export class LichessPage {
  /** @type {Inbox<Record<string, any>>} The answers to calls. */ answers = new Inbox();
  /** @type {WebSocket | null} */ socket = null;
  /** The first board of the list (currentSerialnr); empty while there is no connection. */ serial = "";
  /** The last placement (lastLiveChessBoard). */ board = "";
  /** @type {string[]} What the page has complained about. */ complaints = [];
  /** The largest number of new moves in one message. */ mostAtOnce = 0;
  /** @type {LichessGame | null} (currentGameId) */ #game = null;
  /** @type {LichessGame | null} The game of the last set-up on this connection (DGTgameId). */ #setUp = null;
  /** What the page believes to be on the board. */ local = new LocalPosition(`${START} w KQkq - 0 1`);
  /** @type {{ san: string[] } | undefined} (lastLegalParam) */ #last;
  /** Calls without an answer. */ #pending = 0;

  /** @param {string} url */
  constructor(url) {
    this.url = url;
  }

  /** Connects, finds the board and subscribes. With a game it sets the board up at once, before any answer. */
  async open() {
    const socket = new WebSocket(`${this.url}/api/v1.0`, { origin: ORIGIN });
    this.socket = socket;
    this.#pending = 0;
    socket.on("message", (data) => void this.receive(JSON.parse(String(data))));
    socket.on("close", () => {
      if (this.socket !== socket) return;
      this.serial = "";
      this.#setUp = null;
    });
    await once(socket, "open");
    while (this.serial === "") {
      this.send({ id: 1, call: "eboards" });
      await sleep(AGAIN_MS);
    }
    await this.until(() => this.#pending === 0, "the answers to its calls");
  }

  /**
   * Handles a message (onmessage).
   *
   * @param {Record<string, any>} message
   */
  async receive(message) {
    assert.equal(typeof message["time"], "number");
    const { response, id, param } = message;
    if (response === "error") this.complaints.push(param.message);
    if (response !== "feed") {
      if (id === 2 || id === 3) this.#pending -= 1;
      this.answers.push(message);
    }
    if (response === "feed") assert.equal(id, 1);
    if (response === "feed" && param.board) this.board = param.board;
    if (response === "call" && id === 1 && this.serial === "") {
      this.serial = param[0].serialnr;
      this.#pending += 1;
      this.send({ id: 2, call: "subscribe", param: { feed: "eboardevent", id: 1, param: { serialnr: this.serial } } });
      if (this.#game && !this.#game.isOver && this.#setUp !== this.#game) this.#sendPosition(this.#game);
    } else if (response === "feed" && param.san) await this.#moves(param);
  }

  /** @param {{ san: string[] }} param */
  async #moves(param) {
    const lastMove = this.#game?.lastMove ?? "none";
    const isLast = () => JSON.stringify(this.#last?.san) === JSON.stringify(param.san);
    if (param.san.length === 0 || isLast()) return;
    const added = this.#last ? param.san.length - this.#last.san.length : 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, added);
    if (added > 1 && this.local.turn === this.#game?.side) {
      const known = JSON.stringify(this.#last?.san);
      await sleep(QUARANTINE_MS);
      if (JSON.stringify(this.#last?.san) !== known) {
        this.complaints.push(`${param.san.join(" ")} was dropped after the quarantine`);
        return;
      }
      if (isLast()) return;
    }
    this.#last = param;
    for (const san of param.san.slice(param.san.length - Math.max(added, 0))) {
      const move = this.local.read(san);
      if (move === null) this.complaints.push(`${san} is not legal`);
      else if (this.#game && this.local.turn === this.#game.side) {
        this.#game.post(move);
        this.local = this.local.play(move);
      } else if (move === lastMove) this.local = this.local.play(move);
      else this.complaints.push(`${san} is not the opponent's move`);
    }
  }

  /**
   * A game has begun or is going on at lichess: waits until the board shows its position, and sets it up (chooseCurrentGame).
   *
   * @param {LichessGame} game
   */
  async play(game) {
    await this.until(() => this.board === game.position.placement, `the placement ${game.position.placement}`);
    this.#game = game;
    this.#sendPosition(game);
    await this.until(() => this.#pending === 0, "the answer to the set-up");
  }

  /** @param {LichessGame} game (sendBoardToLiveChess) */
  #sendPosition(game) {
    this.#pending += 1;
    this.send({ id: 3, call: "call", param: { id: 1, method: "setup", param: { fen: game.position.fen } } });
    this.#setUp = game;
    this.local = game.position;
    this.#last = { san: [] };
  }

  /** @param {unknown} message */
  send(message) {
    this.socket?.send(JSON.stringify(message));
  }

  /**
   * @param {() => boolean} isIt
   * @param {string} what it is, for the error
   */
  async until(isIt, what) {
    const deadline = Date.now() + TIMEOUT_MS;
    while (!isIt()) {
      if (Date.now() > deadline) {
        const state = { board: this.board, list: this.#last?.san, posted: this.#game?.posted, complaints: this.complaints };
        throw new Error(`the page never has ${what}: ${JSON.stringify(state)}`);
      }
      await sleep(10);
    }
  }

  /**
   * Waits until the page has sent this many moves to lichess.
   *
   * @param {number} count
   */
  async posts(count) {
    await this.until(() => (this.#game?.posted.length ?? 0) >= count, `${count} moves`);
  }

  /**
   * Waits until the page believes the pieces to stand like this.
   *
   * @param {string} placement
   */
  async follows(placement) {
    await this.until(() => this.local.placement === placement, `the local placement ${placement}`);
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
