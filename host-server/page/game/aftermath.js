// What stands where moves were typed, when there are no more to type: the result, and the way on.

import { make, set, write } from "../common/dom.js";

/** @typedef {import("./state.js").Match} Match */

export class Aftermath {
  constructor() {
    this.score = make("p", { class: "score" });
    this.root = make(
      "div",
      { class: "aftermath", role: "group", "aria-label": "Result" },
      this.score,
      make("p", { class: "soft" }, "The moves above show it again."),
      make("a", { class: "button plain", href: "/" }, "New game"),
    );
  }

  /** @param {Match} match */
  render({ phase, color, ending }) {
    set(this.root, "hidden", phase !== "over" || color === null || ending === null);
    if (ending) write(this.score, score(ending.text));
  }
}

/** @param {string} text as PGN has it */
export function score(text) {
  return { "1-0": "1 – 0", "0-1": "0 – 1", "1/2-1/2": "½ – ½" }[text] ?? "No result";
}
