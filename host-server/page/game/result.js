// The result of the game, in the place of the field for typed moves.

import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";

export class ResultView {
  constructor() {
    this.score = make("p", { class: "score" });
    this.root = make(
      "div",
      { class: "result", role: "group", "aria-label": t("result.label") },
      this.score,
      make("a", { class: "button plain", href: "/" }, t("result.new_game")),
    );
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match: { phase, ending } }) {
    set(this.root, "hidden", phase !== "over" || ending === null);
    if (ending) write(this.score, scoreText(ending.text));
  }
}

/** @param {string} result as PGN has it */
export function scoreText(result) {
  return { "1-0": "1 – 0", "0-1": "0 – 1", "1/2-1/2": "½ – ½" }[result] ?? t("result.none");
}
