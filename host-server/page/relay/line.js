// The line to the relay: a WebSocket that comes back by itself.

import { whyRefused } from "./http.js";

/**
 * @typedef {import("./messages.js").Message} Message
 *
 * @typedef {{ token: string | null, name: string, watch: boolean }} Caller who comes
 *
 * @typedef {{ kind: "connecting" }
 *   | { kind: "open" }
 *   | { kind: "away", retryAt: number, why: string }
 *   | { kind: "refused", status: number, why: string }
 *   | { kind: "ended" }} LineState
 *
 * @typedef {object} Listener
 * @property {(message: Message, at: number) => void} heard
 * @property {(at: number) => void} asked the relay was asked what time it is
 * @property {(state: LineState) => void} changed
 * @property {(token: string) => void} seated
 */

/** How long to wait before trying again: a little longer each time, and never the same for all. */
const WAITS_MS = [300, 1000, 2000, 4000, 8000];
/** How often to ask whether anybody is there, and how long to wait for the answer. */
const ASK_EVERY_MS = 15_000;
const ANSWER_WITHIN_MS = 10_000;
/** Refusals that will still be true in a minute. */
const FINAL = [400, 403, 404, 409];

const BARRED =
  "The relay answers, but lets no game through to this page. It may only allow other domains, or something in between does " +
  "not pass on WebSockets.";

export class Line {
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #later;
  /** @type {ReturnType<typeof setInterval> | undefined} */ #asking;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #silence;
  /** @type {number | null} */ #comeBackAfter = null;
  /** @type {{ status_code: number, message: string } | null} */ #refusal = null;
  #tries = 0;
  #isOver = false;
  /** Whether this connection was let in. */
  #isGreeted = false;

  /**
   * @param {string} code
   * @param {Caller} caller
   * @param {Listener} listener
   */
  constructor(code, caller, listener) {
    this.code = code;
    this.caller = caller;
    this.listener = listener;
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    this.#connect();
  }

  #path() {
    const { token, name, watch } = this.caller;
    const query = new URLSearchParams({ extras: "1", explain: "1", open: "0", name });
    if (token) query.set("token", token);
    else if (watch) query.set("watch", "1");
    return `/ws/api/player/${encodeURIComponent(this.code)}/?${query}`;
  }

  #connect() {
    clearTimeout(this.#later);
    this.listener.changed({ kind: "connecting" });
    this.#refusal = null;
    this.#comeBackAfter = null;
    this.#isGreeted = false;
    let wasOpen = false;
    const socket = new WebSocket(new URL(this.#path(), location.href.replace(/^http/, "ws")));
    this.#socket = socket;
    socket.onopen = () => {
      wasOpen = true;
      this.#listen();
    };
    socket.onmessage = ({ data }) => {
      clearTimeout(this.#silence);
      if (socket === this.#socket) this.#hear(String(data));
    };
    socket.onclose = ({ code }) => {
      if (socket === this.#socket) this.#lost(code, wasOpen);
    };
  }

  /** Asks now and then whether anybody is there: a line that was cut says nothing about it. */
  #listen() {
    clearInterval(this.#asking);
    const ask = () => {
      this.listener.asked(performance.now());
      this.say({ type: "ping" });
      clearTimeout(this.#silence);
      this.#silence = setTimeout(() => this.#socket?.close(), ANSWER_WITHIN_MS);
    };
    this.#asking = setInterval(ask, ASK_EVERY_MS);
    ask();
  }

  /** @param {string} data */
  #hear(data) {
    const at = performance.now();
    /** @type {Message} */
    const message = JSON.parse(data);
    if (message.type === "init") {
      this.#tries = 0;
      this.#isGreeted = true;
      if (message.token) {
        this.caller = { ...this.caller, token: message.token };
        this.listener.seated(message.token);
      } else if (message.role === "spectator") {
        // There was no seat for us, and there need not be one the next time either.
        this.caller = { ...this.caller, token: null, watch: true };
      }
      this.listener.changed({ kind: "open" });
    } else if (message.type === "reconnect") {
      this.#comeBackAfter = message.after_ms;
    } else if (message.type === "error" && !this.#isGreeted) {
      this.#refusal = message;
    } else if (message.type === "close") {
      this.#isOver = true;
    }
    this.listener.heard(message, at);
  }

  /**
   * @param {number} code
   * @param {boolean} wasOpen
   */
  async #lost(code, wasOpen) {
    clearInterval(this.#asking);
    clearTimeout(this.#silence);
    this.#socket = null;
    if (this.#isOver || code === 1000) return this.#end({ kind: "ended" });
    let status = this.#refusal?.status_code ?? 0;
    let why = this.#refusal?.message ?? "";
    if (!wasOpen) {
      const refusal = await whyRefused(this.#path());
      // It says that this is a WebSocket, so it is there.
      const isThere = refusal.status === 426;
      status = isThere ? 0 : refusal.status;
      why = isThere ? (this.#tries > 1 ? BARRED : "") : refusal.message;
      if (this.#isOver) return;
    }
    if (FINAL.includes(status)) return this.#end({ kind: "refused", status, why });
    const usual = WAITS_MS[Math.min(this.#tries, WAITS_MS.length - 1)] ?? 0;
    const wait = this.#comeBackAfter ?? usual * (0.8 + Math.random() * 0.4);
    this.#tries += 1;
    this.listener.changed({ kind: "away", retryAt: Date.now() + wait, why: why || "The line to the relay was cut." });
    this.#later = setTimeout(() => this.#connect(), wait);
  }

  /** @param {LineState} state */
  #end(state) {
    this.hangUp();
    this.listener.changed(state);
  }

  /** Tries again now: somebody is looking, or the network is back. */
  hurry = () => {
    if (this.#socket === null && !this.#isOver && !document.hidden) this.#connect();
  };

  /**
   * @param {object} message
   * @returns {boolean} whether it could be said
   */
  say(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Goes, without coming back. */
  hangUp() {
    this.#isOver = true;
    clearTimeout(this.#later);
    clearInterval(this.#asking);
    clearTimeout(this.#silence);
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close(1000);
  }
}
