// The 64 lights of the board, painted on a canvas when they change.

import { SQUARES, placeOf } from "../board/squares.js";

/** How far a light reaches, in squares. */
const REACH = 0.78;

export class Lights {
  /** Red, green and blue of each light, a1 first. */
  #lights = new Uint8Array(192);
  #isFlipped = false;
  #isWaiting = false;
  /** How many frames have been received. */
  count = 0;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  /** @param {Uint8Array} lights */
  show(lights) {
    this.#lights = new Uint8Array(lights);
    this.count += 1;
    this.#repaint();
  }

  /** @param {boolean} isFlipped */
  flip(isFlipped) {
    this.#isFlipped = isFlipped;
    this.#repaint();
  }

  /**
   * The perceived colour of a light as CSS writes it; `null` if it is off.
   *
   * @param {string} square
   */
  color(square) {
    const color = this.#perceived(square);
    return Math.max(...color) === 0 ? null : `rgb(${color.join(" ")})`;
  }

  /**
   * A light is driven by pulse width, and the eye perceives half of the width as much more than half of the brightness.
   *
   * @param {string} square
   */
  #perceived(square) {
    const index = SQUARES.indexOf(square);
    return [0, 1, 2].map((channel) => Math.round(Math.sqrt((this.#lights[index * 3 + channel] ?? 0) / 255) * 255));
  }

  #repaint() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(this.#paint);
  }

  #paint = () => {
    this.#isWaiting = false;
    const { canvas, context } = this;
    if (!context) return;
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (const square of SQUARES) this.#paintLight(context, square, canvas.width / 8);
  };

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {string} square
   * @param {number} size of a square
   */
  #paintLight(context, square, size) {
    const color = this.#perceived(square);
    const power = Math.max(...color) / 255;
    if (power === 0) return;
    const place = placeOf(square, this.#isFlipped);
    const [x, y] = [((place % 8) + 0.5) * size, ((place >> 3) + 0.5) * size];
    // The hue is painted at full strength, and the strength becomes opacity.
    const [r, g, b] = color.map((channel) => Math.round(channel / power));
    const tint = (/** @type {number} */ share) => `rgb(${r} ${g} ${b} / ${(share * power).toFixed(3)})`;
    const gradient = context.createRadialGradient(x, y, size * 0.04, x, y, size * REACH);
    gradient.addColorStop(0, `rgb(255 255 255 / ${(0.95 * power).toFixed(3)})`);
    gradient.addColorStop(0.1, tint(0.98));
    gradient.addColorStop(0.5, tint(0.72));
    gradient.addColorStop(0.68, tint(0.34));
    gradient.addColorStop(1, tint(0));
    context.fillStyle = gradient;
    context.fillRect(x - size * REACH, y - size * REACH, size * REACH * 2, size * REACH * 2);
  }
}
