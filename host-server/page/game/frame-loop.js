// Animation frames, requested only while they are needed, so that an idle page lets the device sleep.

export class FrameLoop {
  #isRunning = false;
  /** @type {number | null} */ #request = null;

  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
  }

  /** @param {boolean} isNeeded */
  run(isNeeded) {
    this.#isRunning = isNeeded;
    if (isNeeded) this.#request ??= requestAnimationFrame(this.#frame);
  }

  #frame = () => {
    this.#request = null;
    if (!this.#isRunning) return;
    this.draw();
    this.#request ??= requestAnimationFrame(this.#frame);
  };
}
