// A player with the JSON of docs/protocol.md, over a WebSocket.

import { once } from "node:events";

import { WebSocket } from "ws";

import { Inbox } from "./inbox.js";

/** @typedef {{ type: string, [field: string]: any }} Message */

export class ChessataClient {
  /** @type {Inbox<Message>} */ inbox = new Inbox();
  /** @type {string | null} */ color = null;
  /** The position that the client was sent last. */ fen = "";
  #token = "";
  /** @type {WebSocket | null} */ #socket = null;

  /**
   * @param {string} url of the relay
   * @param {string} name
   * @param {string} code
   */
  constructor(url, name, code) {
    this.url = url;
    this.path = `/ws/api/${name}/${code}/?extras=1`;
  }

  /** Connects for the first time, or returns to the seat. */
  async connect() {
    this.close();
    this.inbox = new Inbox();
    const protocols = this.#token ? ["tabiya", `tabiya.token.${this.#token}`] : [];
    const socket = new WebSocket(this.url.replace("http", "ws") + this.path, protocols);
    this.#socket = socket;
    socket.on("message", (data) => {
      const message = JSON.parse(String(data));
      if (message.type === "init") this.#token = message.token ?? this.#token;
      if (message.type === "start") this.color = message.color;
      if (message.type === "game_state") this.fen = message.fen;
      this.inbox.push(message);
    });
    await once(socket, "open");
  }

  /** @param {Record<string, unknown>} message */
  send(message) {
    this.#socket?.send(JSON.stringify(message));
  }

  close() {
    this.#socket?.terminate();
    this.#socket = null;
  }
}
