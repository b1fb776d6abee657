// The freeze after the move of a freezing piece: the seconds during which no move counts, over the board.

import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";

export class Freeze {
  constructor() {
    this.figure = make("span", { class: "freeze-figure" });
    this.root = make("div", { class: "freeze", hidden: true, role: "timer", "aria-label": t("freeze.label") }, this.figure);
  }

  render() {}

  /**
   * @param {import("./view-state.js").ViewState} state
   * @param {import("./view-state.js").Moment} moment
   */
  tick({ match: { frozenUntil, phase } }, { now }) {
    const left = frozenUntil === null || phase !== "playing" ? 0 : frozenUntil - now;
    set(this.root, "hidden", left <= 0);
    if (left > 0) write(this.figure, t("freeze.left", { seconds: Math.ceil(left / 1000) }));
  }
}
