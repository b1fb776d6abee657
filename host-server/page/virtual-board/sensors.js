// A diagram of the sensors and lights: what each reed switch reads, which squares the board takes for occupied, and the colours
// of the lights.

import { SQUARES, indexOf, squareIn } from "../board/squares.js";
import { make, write } from "../common/dom.js";
import { t } from "../language/language.js";

const RATE_EVERY_MS = 1000;

export class SensorDiagram {
  /** @type {readonly boolean[]} */ #closed = [];
  /** @type {readonly boolean[]} */ #settled = [];
  #isWaiting = false;
  #lastCount = 0;

  /**
   * @param {HTMLDetailsElement} card
   * @param {import("./lights.js").Lights} lights
   */
  constructor(card, lights) {
    this.card = card;
    this.lights = lights;
    this.cells = SQUARES.map((_, place) => make("span", { class: "cell", "data-name": squareIn(place, false) }));
    this.counts = make("p", { class: "count" });
    this.rate = make("p", { class: "count" });
    card.append(
      make("summary", {}, t("sensors.title")),
      make("div", { class: "cells", "aria-hidden": "true" }, ...this.cells),
      this.counts,
      this.rate,
      make(
        "p",
        { class: "explained" },
        t("sensors.explained"),
      ),
    );
    this.#showRate();
    card.addEventListener("toggle", () => this.repaint());
    setInterval(() => this.#showRate(), RATE_EVERY_MS);
  }

  /** @param {readonly boolean[]} closed */
  showReeds(closed) {
    this.#closed = closed;
    this.repaint();
  }

  /** @param {readonly boolean[]} settled */
  showSettled(settled) {
    this.#settled = settled;
    this.repaint();
  }

  repaint() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(this.#paint);
  }

  #paint = () => {
    this.#isWaiting = false;
    // Also while the card is closed: opening it shows the lines at their heights.
    const count = (/** @type {readonly boolean[]} */ squares) => squares.filter(Boolean).length;
    const closed = t("sensors.closed", { count: count(this.#closed) });
    write(this.counts, `${closed}, ${t("sensors.occupied", { count: count(this.#settled) })}`);
    if (!this.card.open) return;
    for (const cell of this.cells) {
      const square = cell.dataset.name ?? "";
      cell.classList.toggle("closed", this.#closed[indexOf(square)] ?? false);
      cell.classList.toggle("settled", this.#settled[indexOf(square)] ?? false);
      const color = this.lights.color(square);
      if (color) cell.style.setProperty("--light", color);
      else cell.style.removeProperty("--light");
    }
  };

  #showRate() {
    const { count } = this.lights;
    write(this.rate, t("sensors.frames", { count: count - this.#lastCount, total: count }));
    this.#lastCount = count;
  }
}
