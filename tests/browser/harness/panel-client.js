// Hands at the virtual board, without a browser: the WebSocket of its page.

import { once } from "node:events";

import { WebSocket } from "ws";

import { Inbox } from "./inbox.js";

/** How long a hand takes from one square to another. */
const HAND_MS = 300;

export class PanelClient {
  /** @type {Inbox<Record<string, any>>} */ #inbox = new Inbox();
  /** @type {Record<string, any>} */ board = {};
  /** Which piece stands where, a1 first. */ standing = "";

  /** @param {WebSocket} socket */
  constructor(socket) {
    this.socket = socket;
    socket.on("message", (data, isBinary) => {
      if (isBinary) return;
      const message = JSON.parse(String(data));
      if (message.type === "board") this.board = message;
      if (message.type === "pieces") this.standing = message.standing;
      this.#inbox.push(message);
    });
  }

  /** @param {string} url of the relay */
  static async connect(url) {
    const socket = new WebSocket(`${url.replace("http", "ws")}/ws/panel`);
    const panel = new PanelClient(socket);
    await once(socket, "open");
    await panel.until(({ online }) => online === true);
    return panel;
  }

  /**
   * Waits until the state of the board meets a condition.
   *
   * @param {(board: Record<string, any>) => boolean} isIt
   */
  async until(isIt) {
    while (!isIt(this.board)) await this.#inbox.next(({ type }) => type === "board", "state of the board");
  }

  /** @param {Record<string, unknown>} message */
  send(message) {
    this.socket.send(JSON.stringify(message));
  }

  /** @param {string} square */
  lift(square) {
    this.send({ type: "lift", square });
  }

  /** @param {string} square */
  put(square) {
    this.send({ type: "put", square });
  }

  /**
   * Makes a move, and waits until the board has read it.
   *
   * @param {string} move such as "e2e4"; with an x in the middle, as in "e4xd5", it captures
   */
  async move(move) {
    const { plies } = this.board;
    const [from, to] = [move.slice(0, 2), move.slice(-2)];
    if (move.includes("x")) {
      this.send({ type: "lift", hand: 1, square: to });
      this.send({ type: "put_aside", hand: 1 });
    }
    this.lift(from);
    // A captured piece counts as gone when its square was empty for a moment.
    if (move.includes("x")) await new Promise((resolve) => setTimeout(resolve, HAND_MS));
    this.put(to);
    await this.until((board) => board["plies"] === plies + 1);
  }

  close() {
    this.socket.close();
  }
}
