// The lights under the wood: 64 of them, drawn only when they change.

/**
 * A light is told how long each of its colours is on. The eye sees half of that as much more than half, as it does on the wood.
 *
 * @param {number} told
 */
const seen = (told) => Math.round(Math.sqrt(told / 255) * 255);

/**
 * @param {HTMLCanvasElement} canvas
 */
export function makeGlow(canvas) {
  const pen = canvas.getContext("2d");
  const size = canvas.width / 8;
  let lights = new Uint8Array(192);
  let isTurned = false;
  let isWaiting = false;
  let count = 0;

  function paint() {
    isWaiting = false;
    if (!pen) return;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < 64; i += 1) {
      const colour = [0, 1, 2].map((part) => seen(lights[i * 3 + part] ?? 0));
      const power = Math.max(...colour) / 255;
      if (power === 0) continue;
      const at = isTurned ? 63 - i : i;
      const [x, y] = [(at % 8) * size + size / 2, (7 - (at >> 3)) * size + size / 2];
      // The colour at its full strength; how strong it is, is how much of the wood it covers.
      const [r, g, b] = colour.map((part) => Math.round(part / power));
      const tint = (/** @type {number} */ share) => `rgb(${r} ${g} ${b} / ${(share * power).toFixed(3)})`;
      const light = pen.createRadialGradient(x, y, size * 0.04, x, y, size * 0.78);
      light.addColorStop(0, `rgb(255 255 255 / ${(0.95 * power).toFixed(3)})`);
      light.addColorStop(0.1, tint(0.98));
      light.addColorStop(0.5, tint(0.72));
      light.addColorStop(0.68, tint(0.34));
      light.addColorStop(1, tint(0));
      pen.fillStyle = light;
      pen.fillRect(x - size * 0.78, y - size * 0.78, size * 1.56, size * 1.56);
    }
  }

  function repaint() {
    if (!isWaiting) {
      isWaiting = true;
      requestAnimationFrame(paint);
    }
  }

  return {
    /** @param {Uint8Array} frame */
    show(frame) {
      lights = new Uint8Array(frame);
      count += 1;
      repaint();
    },
    /** @param {boolean} turned */
    turn(turned) {
      isTurned = turned;
      repaint();
    },
    /** How many frames have come. */
    get count() {
      return count;
    },
    /**
     * The colour of a light as it is seen, if it is lit.
     *
     * @param {number} i
     */
    colour(i) {
      const colour = [0, 1, 2].map((part) => seen(lights[i * 3 + part] ?? 0));
      return Math.max(...colour) === 0 ? null : `rgb(${colour.join(" ")})`;
    },
  };
}
