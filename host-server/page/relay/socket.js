// A WebSocket that reconnects with exponential backoff and jitter. The game and the virtual board share it.

/**
 * @typedef {object} SocketHandler
 * @property {() => string} path the path and query to connect to
 * @property {() => string[]} [protocols] the subprotocols to offer
 * @property {() => void} [connecting]
 * @property {() => void} opened
 * @property {(data: any) => void} received
 * @property {(code: number, wasOpen: boolean) => void} lost the connection is closed with this code. The handler calls `retry`, or
 *   `close` to give up
 */

/** The code of a connection that ended without a close frame. */
const ABNORMAL = 1006;

const FIRST_DELAY_MS = 300;
const LONGEST_DELAY_MS = 8000;

export class ReconnectingSocket {
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #isClosed = false;
  /** How often connecting has failed since `resetBackoff`. */
  failures = 0;

  /** @param {SocketHandler} handler */
  constructor(handler) {
    this.handler = handler;
    addEventListener("online", this.retryNow);
    document.addEventListener("visibilitychange", this.retryNow);
    this.#connect();
  }

  #connect() {
    clearTimeout(this.#timer);
    this.handler.connecting?.();
    let wasOpen = false;
    const url = new URL(this.handler.path(), location.href.replace(/^http/, "ws"));
    const socket = new WebSocket(url, this.handler.protocols?.() ?? []);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => {
      wasOpen = true;
      if (socket === this.#socket) this.handler.opened();
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.handler.received(data);
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      this.handler.lost(code, wasOpen);
    };
  }

  /**
   * Connects again after a while.
   *
   * @param {number | null} [afterMs] instead of the backoff
   */
  retry(afterMs = null) {
    if (this.#isClosed || this.#socket) return;
    const backoff = Math.min(FIRST_DELAY_MS * 2 ** this.failures, LONGEST_DELAY_MS);
    this.failures += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), afterMs ?? backoff * (0.8 + Math.random() * 0.4));
  }

  /** Connects at once if a retry is due later: the page is visible again, the network is back, or the user asks for it. */
  retryNow = () => {
    if (this.#socket === null && !this.#isClosed && !document.hidden) this.#connect();
  };

  /** The connection works, so the next loss begins with the shortest delay. */
  resetBackoff() {
    this.failures = 0;
  }

  /**
   * @param {object} message
   * @returns {boolean} whether it was sent
   */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Gives the current connection up. A dead one would not even confirm that it is closed, so `lost` is called at once. */
  drop() {
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = null;
    socket.close();
    this.handler.lost(ABNORMAL, true);
  }

  /** Closes for good. */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.retryNow);
    document.removeEventListener("visibilitychange", this.retryNow);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close(1000);
  }
}
