// Received messages that no test has read yet.

/** How long a message may take; more than any countdown. */
const TIMEOUT_MS = 30_000;

/** @template T */
export class Inbox {
  /** @type {T[]} */ unread = [];
  /** @type {(() => void) | null} */ #wake = null;

  /** @param {T} message */
  push(message) {
    this.unread.push(message);
    this.#wake?.();
  }

  /**
   * Waits for a message that meets a condition. Messages before it are dropped.
   *
   * @param {(message: T) => boolean} isIt
   * @param {string | (() => string)} what it is, for the error
   * @returns {Promise<T>}
   */
  async next(isIt, what) {
    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      const at = this.unread.findIndex(isIt);
      const message = this.unread[at];
      if (message !== undefined) {
        this.unread.splice(0, at + 1);
        return message;
      }
      if (Date.now() > deadline) throw new Error(`no ${typeof what === "string" ? what : what()}, but ${JSON.stringify(this.unread)}`);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, 1000);
        this.#wake = () => {
          clearTimeout(timer);
          resolve(undefined);
        };
      });
    }
  }
}
