// The connection of one participant to a game: enters it, keeps the connection alive, and explains why it was lost or refused.

import { t } from "../language/language.js";
import { translated } from "../language/relay-sentences.js";
import { whyRefused } from "./http.js";
import { ReconnectingSocket } from "./socket.js";

/**
 * @typedef {import("./game-messages.js").Message} Message
 *
 * @typedef {{ token: string | null, name: string, watch: boolean, game?: number, room?: string }} Participant with the number and the
 *   room of a stored game to be shown
 *
 * @typedef {{ kind: "connecting" }
 *   | { kind: "open" }
 *   | { kind: "reconnecting", reason: string }
 *   | { kind: "refused", status: number, reason: string }
 *   | { kind: "closed" }} ConnectionState
 *
 * @typedef {object} ConnectionListener
 * @property {(message: Message, at: number) => void} received
 * @property {(at: number) => void} pinged a ping was sent
 * @property {(state: ConnectionState) => void} changed
 * @property {(token: string, room: string) => void} seated the relay has given this seat in a room
 */

/** Keepalive: an interval between pings, and the time in which each must be answered. */
const PING_EVERY_MS = 15_000;
const PONG_WITHIN_MS = 10_000;
/** While something is unconfirmed, a dead connection has to be noticed sooner. */
const PROBE_WITHIN_MS = 3000;
/** The HTTP statuses of refusals that a retry does not change. */
const FINAL = [400, 403, 404, 409];
/** The HTTP status of a WebSocket address that was asked for without an upgrade: the relay is reachable. */
const UPGRADE_REQUIRED = 426;

export class GameConnection {
  /** @type {ReturnType<typeof setInterval> | undefined} */ #pings;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #pongTimeout;
  /** @type {number | null} The delay that a stopping relay asks for. */ #retryAfterMs = null;
  /** @type {{ status_code: number, message: string } | null} */ #refusal = null;
  #isClosed = false;
  /** Whether the relay has accepted this connection. */
  #isAccepted = false;

  /**
   * @param {string} code
   * @param {Participant} participant
   * @param {ConnectionListener} listener
   */
  constructor(code, participant, listener) {
    this.code = code;
    this.participant = participant;
    this.listener = listener;
    this.socket = new ReconnectingSocket({
      path: () => this.#path(),
      protocols: () => this.#protocols(),
      connecting: () => {
        this.#refusal = null;
        this.#retryAfterMs = null;
        this.#isAccepted = false;
        this.listener.changed({ kind: "connecting" });
      },
      opened: () => this.#keepAlive(),
      received: (data) => this.#receive(String(data)),
      lost: (code, wasOpen) => this.#lost(code, wasOpen),
    });
  }

  #path() {
    const { token, name, watch, game, room } = this.participant;
    const query = new URLSearchParams({ extras: "1", explain: "1", open: "0", name });
    if (watch && !token) query.set("watch", "1");
    if (game) query.set("game", String(game));
    if (room) query.set("room", room);
    return `/ws/api/player/${encodeURIComponent(this.code)}/?${query}`;
  }

  /** The token of the seat is a subprotocol, because proxies log URLs. The relay selects the first one. */
  #protocols() {
    const { token } = this.participant;
    return token ? ["tabiya", `tabiya.token.${token}`] : [];
  }

  /** A connection that was cut without a close is noticed by a missing pong. */
  #keepAlive() {
    clearInterval(this.#pings);
    this.#pings = setInterval(() => this.#ping(PONG_WITHIN_MS), PING_EVERY_MS);
    this.#ping(PONG_WITHIN_MS);
  }

  /** @param {number} pongWithinMs */
  #ping(pongWithinMs) {
    this.listener.pinged(performance.now());
    if (!this.send({ type: "ping" })) return;
    clearTimeout(this.#pongTimeout);
    this.#pongTimeout = setTimeout(() => this.socket.drop(), pongWithinMs);
  }

  /** Finds out soon whether the connection is dead. */
  probe() {
    this.#ping(PROBE_WITHIN_MS);
  }

  #stopKeepAlive() {
    clearInterval(this.#pings);
    clearTimeout(this.#pongTimeout);
  }

  /** @param {string} data */
  #receive(data) {
    clearTimeout(this.#pongTimeout);
    const at = performance.now();
    /** @type {Message} */
    const message = JSON.parse(data);
    if (message.type === "init") {
      this.socket.resetBackoff();
      this.#isAccepted = true;
      if (message.token) {
        this.participant = { ...this.participant, token: message.token };
        this.listener.seated(message.token, message.room ?? "");
      } else if (message.role === "spectator") {
        // Both seats are taken. A reconnect must not take one that has become free meanwhile.
        this.participant = { ...this.participant, token: null, watch: true };
      }
      this.listener.changed({ kind: "open" });
    } else if (message.type === "reconnect") {
      this.#retryAfterMs = message.after_ms;
    } else if (message.type === "error" && !this.#isAccepted) {
      this.#refusal = message;
    } else if (message.type === "close") {
      this.#isClosed = true;
    }
    this.listener.received(message, at);
  }

  /**
   * @param {number} code
   * @param {boolean} wasOpen
   */
  async #lost(code, wasOpen) {
    this.#stopKeepAlive();
    if (this.#isClosed || code === 1000) return this.#end({ kind: "closed" });
    let status = this.#refusal?.status_code ?? 0;
    let reason = translated(this.#refusal?.message ?? "");
    if (!wasOpen) {
      // A browser hides the status of a failed upgrade, so the same address is asked for over HTTP.
      const error = await whyRefused(this.#path());
      const isReachable = error.status === UPGRADE_REQUIRED;
      status = isReachable ? 0 : error.status;
      reason = isReachable ? (this.socket.failures > 1 ? t("relay.blocked") : "") : error.message;
      if (this.#isClosed) return;
    }
    if (FINAL.includes(status)) return this.#end({ kind: "refused", status, reason });
    this.listener.changed({ kind: "reconnecting", reason: reason || t("relay.lost") });
    this.socket.retry(this.#retryAfterMs);
  }

  /** @param {ConnectionState} state */
  #end(state) {
    this.close();
    this.listener.changed(state);
  }

  retryNow() {
    this.socket.retryNow();
  }

  /**
   * @param {object} message
   * @returns {boolean} whether it was sent
   */
  send(message) {
    return this.socket.send(message);
  }

  close() {
    this.#isClosed = true;
    this.#stopKeepAlive();
    this.socket.close();
  }
}
