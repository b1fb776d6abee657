// Hands at the virtual board, without a browser: the WebSocket of its page.

import { once } from "node:events";

import { WebSocket } from "ws";

import { Inbox } from "./inbox.js";

/** How long a hand takes from one square to another. A captured piece counts as gone when its square was empty for a moment. */
const HAND_MS = 160;

/** The kind of the binary message with the squares that the board reads as occupied. */
const SETTLED = 2;

export class PanelClient {
  /** @type {Inbox<Record<string, any>>} */ #inbox = new Inbox();
  /** @type {Record<string, any>} */ board = {};
  /** Which piece stands where, a1 first. */ standing = "";
  /** The squares that the board reads as occupied, a1 in the lowest bit. */ settled = 0n;

  /** @param {WebSocket} socket */
  constructor(socket) {
    this.socket = socket;
    socket.on("message", (data, isBinary) => {
      if (isBinary) {
        const bytes = /** @type {Buffer} */ (data);
        if (bytes[0] === SETTLED) {
          this.settled = bytes.readBigUInt64LE(1);
          this.#inbox.push({ type: "settled" });
        }
        return;
      }
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
    while (!isIt(this.board)) await this.#inbox.next(() => true, "state of the board");
  }

  /** Waits until the board reads all pieces where they stand, and finds them in order. */
  async untilInOrder() {
    const occupied = () => [...this.standing].reduce((squares, piece, at) => (piece === "." ? squares : squares | (1n << BigInt(at))), 0n);
    await this.until(({ sentence }) => /^The pieces match the game\.$|is in check\.$/.test(sentence) && this.settled === occupied());
  }

  /** @param {Record<string, unknown>} message */
  send(message) {
    this.socket.send(JSON.stringify(message));
  }

  /**
   * Lifts a piece, and waits until the board has noticed.
   *
   * @param {string} square
   */
  async lift(square, hand = 0) {
    this.send({ type: "lift", hand, square });
    await this.#reads(square, false);
  }

  /**
   * Puts down the piece in the hand, and waits until the board has noticed.
   *
   * @param {string} square
   */
  async put(square) {
    this.send({ type: "put", square });
    await this.#reads(square, true);
  }

  /**
   * Waits until the board reads a square as occupied or empty, and for the time that a hand takes.
   *
   * @param {string} square
   * @param {boolean} isOccupied
   */
  async #reads(square, isOccupied) {
    const bit = 1n << BigInt("abcdefgh".indexOf(square[0] ?? "") + 8 * (Number(square[1]) - 1));
    await this.until(() => ((this.settled & bit) !== 0n) === isOccupied);
    await new Promise((resolve) => setTimeout(resolve, HAND_MS));
  }

  /**
   * Lifts a piece, and puts it beside the board.
   *
   * @param {string} square
   */
  async takeOff(square) {
    await this.lift(square, 1);
    this.send({ type: "put_aside", hand: 1 });
  }

  /**
   * Makes a move, and waits until the board has read it.
   *
   * @param {string} move such as "e2e4"; with an x in the middle, as in "e4xd5", it captures
   */
  async move(move) {
    const { plies } = this.board;
    const [from, to] = [move.slice(0, 2), move.slice(-2)];
    if (move.includes("x")) await this.takeOff(to);
    await this.lift(from);
    await this.put(to);
    await this.until((board) => board["plies"] === plies + 1);
  }

  close() {
    this.socket.close();
  }
}
