// A client of chezz: HTTP with a session cookie, and bare moves over a WebSocket.

import { once } from "node:events";

import { WebSocket } from "ws";

import { Inbox } from "./inbox.js";

/** @typedef {{ type: string, [field: string]: unknown }} Message */

export class ChezzClient {
  /** @type {string} The session cookie, as name=value. */ cookie = "";
  /** @type {Inbox<Message>} */ #inbox = new Inbox();
  /** @type {WebSocket | null} */ #socket = null;

  /** @param {string} url of the relay */
  constructor(url) {
    this.url = url;
  }

  /**
   * @param {string} path
   * @param {RequestInit} [init]
   */
  async fetch(path, init = {}) {
    const response = await fetch(this.url + path, { ...init, headers: { ...(this.cookie && { cookie: this.cookie }), ...init.headers } });
    this.#remember(response.headers.getSetCookie());
    return response;
  }

  /** @param {string[]} cookies */
  #remember(cookies) {
    for (const cookie of cookies) this.cookie = cookie.split(";")[0] ?? "";
  }

  /**
   * Opens a game, and returns its id.
   *
   * @param {string} [query]
   */
  async create(query = "") {
    const response = await this.fetch(`/game${query}`, { method: "POST" });
    if (response.status !== 201) throw new Error(`status ${response.status}: ${await response.text()}`);
    return String((await response.json()).game_id);
  }

  /** @param {string} id */
  async show(id) {
    return (await this.fetch(`/game/${id}`)).json();
  }

  /**
   * Opens the socket of a game, and returns the relation to it.
   *
   * @param {string} id
   */
  async play(id) {
    await this.open(id);
    return (await this.next("init"))["relation"];
  }

  /** @param {string} id */
  async open(id) {
    this.close();
    this.#inbox = new Inbox();
    const headers = this.cookie ? { cookie: this.cookie } : {};
    const socket = new WebSocket(`${this.url.replace("http", "ws")}/play/${id}`, { headers });
    this.#socket = socket;
    socket.on("upgrade", (response) => this.#remember(response.headers["set-cookie"] ?? []));
    socket.on("message", (data) => {
      this.#inbox.push(JSON.parse(String(data)));
    });
    await once(socket, "open");
  }

  /** @param {string | Buffer} text */
  send(text) {
    this.#socket?.send(text);
  }

  /**
   * Waits for a message of a type. Messages before it are dropped.
   *
   * @param {string} type
   */
  next(type) {
    return this.#inbox.next((message) => message.type === type, type);
  }

  /** Waits for the next message, whichever it is. */
  first() {
    return this.#inbox.next(() => true, "message");
  }

  /** The types of the messages that no test has read. */
  get unread() {
    return this.#inbox.unread.map(({ type }) => type);
  }

  close() {
    this.#socket?.close();
    this.#socket = null;
  }
}
