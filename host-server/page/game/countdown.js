// How long until the game begins, in large figures over the board.

import { make, set, write } from "../common/dom.js";

export class Countdown {
  constructor() {
    this.figure = make("span", { class: "countdown-figure" });
    this.root = make(
      "div",
      { class: "countdown", hidden: true, role: "timer", "aria-label": "The game is about to begin" },
      this.figure,
    );
  }

  /**
   * @param {number | null} until
   * @param {number} now
   */
  tick(until, now) {
    set(this.root, "hidden", until === null);
    if (until !== null) write(this.figure, String(Math.max(0, Math.ceil((until - now) / 1000))));
  }
}
