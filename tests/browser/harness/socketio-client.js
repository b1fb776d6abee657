// A player with npm's socket.io-client, version 4 or 3.

import { Inbox } from "./inbox.js";
import { io as io4 } from "socket.io-client";
// @ts-expect-error Version 3 has types, but its package.json does not export them.
import { io as io3 } from "socket.io-client-3";

/** Enough for a slow machine under load. */
const RECONNECT_TIMEOUT_MS = 60_000;

/** @typedef {{ event: string, args: unknown[] }} Received */

export class SocketIoClient {
  /** @type {Inbox<Received>} */ #inbox = new Inbox();
  /** The game id of the last getGameId. */ gameId = "";
  token = "";
  /** @type {string[]} When it was connected and disconnected, for errors. */ #history = [];
  isConnected = false;

  /**
   * @param {string} url
   * @param {{ version?: 3 | 4, transports?: string[], reconnection?: boolean }} options
   */
  constructor(url, { version = 4, transports = ["polling", "websocket"], reconnection = false } = {}) {
    const io = version === 3 ? io3 : io4;
    this.socket = io(url, { transports, forceNew: true, reconnection, reconnectionDelay: 100 });
    this.socket.on("connect", () => {
      this.isConnected = true;
      this.#history.push("connected");
    });
    this.socket.on("disconnect", (/** @type {string} */ reason) => {
      this.isConnected = false;
      this.#history.push(reason);
    });
    this.socket.on("connect_error", (/** @type {Error} */ error) => this.#history.push(error.message));
    this.socket.onAny((/** @type {string} */ event, /** @type {unknown[]} */ ...args) => {
      if (event === "getGameId") this.gameId = String(args[0]);
      if (event === "seatToken") this.token = String(args[0]);
      this.#inbox.push({ event, args });
    });
  }

  /**
   * @param {string} event
   * @param {unknown[]} args
   */
  emit(event, ...args) {
    this.socket.emit(event, ...args);
  }

  /**
   * Waits for an event, and returns its arguments. Events before it are dropped.
   *
   * @param {string} event
   */
  async next(event) {
    const what = () => `${event} (${this.#history.join(", ") || "never connected"})`;
    return (await this.#inbox.next((received) => received.event === event, what)).args;
  }

  /** Waits for the next event, whichever it is. */
  first() {
    return this.#inbox.next(() => true, "event");
  }

  /** The events since the last one that a test has waited for. */
  get unread() {
    return this.#inbox.unread.map(({ event }) => event);
  }

  /** Waits until it is connected again, after its connection was closed. */
  async reconnected() {
    await /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        const fail = () => reject(new Error(`it does not connect again: ${this.#history.join(", ")}`));
        const later = setTimeout(fail, RECONNECT_TIMEOUT_MS);
        this.socket.once("connect", () => {
          clearTimeout(later);
          resolve();
        });
      })
    );
  }

  /**
   * Makes a move, and waits for the new position.
   *
   * @param {string} move such as "e2e4"
   */
  async move(move) {
    this.emit("makeMove", this.gameId, index(move.slice(0, 2)), index(move.slice(2, 4)));
    return String((await this.next("boardUpdated"))[0]);
  }

  close() {
    this.socket.disconnect();
  }
}

/**
 * The index of a square: 0 is a8, 63 is h1.
 *
 * @param {string} square
 */
export function index(square) {
  return (8 - Number(square[1])) * 8 + "abcdefgh".indexOf(square[0] ?? "");
}
