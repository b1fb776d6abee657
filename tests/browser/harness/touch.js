// Touch input with several fingers.

/**
 * @typedef {{ x: number, y: number }} Point
 */

/** The window of a phone, upright and on its side. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const LANDSCAPE = { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true };

/** A small phone. */
export const SMALL_PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
export const SMALL_LANDSCAPE = { viewport: { width: 740, height: 360 }, hasTouch: true, isMobile: true };

export class Touch {
  /** @type {Map<number, Point>} */ #fingers = new Map();

  /** @param {import("playwright-core").CDPSession} session */
  constructor(session) {
    this.session = session;
  }

  /** @param {import("playwright-core").Page} page */
  static async on(page) {
    return new Touch(await page.context().newCDPSession(page));
  }

  /**
   * Puts a finger down.
   *
   * @param {number} finger
   * @param {Point} point
   */
  async down(finger, point) {
    this.#fingers.set(finger, point);
    await this.#dispatch("touchStart");
  }

  /**
   * Slides a finger, without lifting it.
   *
   * @param {number} finger
   * @param {Point} point
   */
  async move(finger, point) {
    const from = this.#fingers.get(finger) ?? point;
    const steps = 5;
    for (let step = 1; step <= steps; step++) {
      const part = step / steps;
      this.#fingers.set(finger, { x: from.x + (point.x - from.x) * part, y: from.y + (point.y - from.y) * part });
      await this.#dispatch("touchMove");
    }
  }

  /**
   * Takes a finger away.
   *
   * @param {number} finger
   */
  async up(finger) {
    this.#fingers.delete(finger);
    await this.#dispatch("touchEnd");
  }

  /**
   * @param {Point} from
   * @param {Point} to
   */
  async drag(from, to) {
    await this.down(0, from);
    await this.move(0, to);
    await this.up(0);
  }

  /** @param {"touchStart" | "touchMove" | "touchEnd"} type */
  async #dispatch(type) {
    const touchPoints = [...this.#fingers].map(([id, { x, y }]) => ({ id, x, y }));
    await this.session.send("Input.dispatchTouchEvent", { type, touchPoints });
  }
}
