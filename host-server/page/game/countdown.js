// The countdown before the game starts, in large figures over the board.

import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";

export class Countdown {
  constructor() {
    this.figure = make("span", { class: "countdown-figure" });
    this.root = make(
      "div",
      { class: "countdown", hidden: true, role: "timer", "aria-label": t("announce.countdown") },
      this.figure,
    );
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match }) {
    set(this.root, "hidden", match.phase !== "counting" || match.beginsAt === null);
  }

  /**
   * @param {import("./view-state.js").ViewState} state
   * @param {import("./view-state.js").Moment} moment
   */
  tick({ match: { beginsAt } }, { now }) {
    if (beginsAt !== null) write(this.figure, String(Math.max(0, Math.ceil((beginsAt - now) / 1000))));
  }
}
