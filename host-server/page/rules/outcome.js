// What came of trying a script: the start position, or the error.

import { drawPiece } from "../board/drawing.js";
import { EMPTY } from "../board/pieces.js";
import { fill, make, set } from "../common/dom.js";
import { t } from "../language/language.js";

/** @typedef {import("../relay/http.js").ScriptStart} ScriptStart */

export class Outcome {
  constructor() {
    this.text = make("p", { class: "outcome-text" });
    this.board = make("div", { class: "start-board", role: "img", hidden: true });
    this.root = make("div", { class: "outcome", role: "status" }, this.text, this.board);
  }

  clear() {
    this.#show("", null);
  }

  /** @param {string} message */
  fail(message) {
    this.#show(message, null);
    set(this.root, "data-wrong", true);
  }

  /** @param {ScriptStart} start */
  show(start) {
    const text = start.is_over ? t("rules.over") : t("rules.start", { count: start.moves });
    this.#show(text, start);
  }

  /**
   * @param {string} text
   * @param {ScriptStart | null} start
   */
  #show(text, start) {
    set(this.root, "data-wrong", false);
    fill(this.text, text);
    set(this.board, "hidden", !start);
    set(this.board, "aria-label", t("rules.board"));
    if (!start) return fill(this.board);
    const cells = [];
    for (let rank = 7; rank >= 0; rank--) {
      for (let file = 0; file < 8; file++) {
        const piece = start.placement.charAt(rank * 8 + file);
        const drawing = piece === EMPTY ? null : drawPiece(piece, "start-piece", start.pieces);
        cells.push(make("span", { class: "start-cell", "data-shade": (rank + file) % 2 ? "light" : "dark" }, drawing));
      }
    }
    fill(this.board, ...cells);
  }
}
