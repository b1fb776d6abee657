// The pieces beside the board, and the spare ones for promotions.

import { drawPiece } from "../board/drawing.js";
import { ROLE_LETTERS, colorOf, pieceName, pieceOf } from "../board/pieces.js";
import { fill, make } from "../common/dom.js";
import { t } from "../language/language.js";

/** @typedef {import("../board/colors.js").Color} Color */

export class Tray {
  #shown = "";

  /**
   * @param {HTMLElement} root
   * @param {import("./hands.js").Hands} hands
   * @param {() => boolean} mayTouch
   */
  constructor(root, hands, mayTouch) {
    this.root = root;
    this.hands = hands;
    this.mayTouch = mayTouch;
  }

  /** @param {import("../relay/panel-messages.js").Pieces} pieces */
  show({ beside, spares }) {
    const key = `${beside}|${spares}`;
    if (key === this.#shown) return;
    this.#shown = key;
    const focused = document.activeElement?.getAttribute("data-take");
    fill(this.root, this.#row("black", beside, spares), this.#row("white", beside, spares));
    const again = focused && this.root.querySelector(`[data-take="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /**
   * @param {Color} color
   * @param {string} beside
   * @param {string} spares
   */
  #row(color, beside, spares) {
    const lying = ROLE_LETTERS.map((role) => pieceOf(role, color)).filter((piece) => beside.includes(piece));
    const more = [...spares].filter((piece) => colorOf(piece) === color && !beside.includes(piece));
    return make(
      "div",
      { class: "shelf" },
      ...lying.map((piece) => this.#piece(piece, beside.split(piece).length - 1, false)),
      ...more.map((piece) => this.#piece(piece, 1, true)),
    );
  }

  /**
   * @param {string} piece
   * @param {number} count
   * @param {boolean} isSpare
   */
  #piece(piece, count, isSpare) {
    const name = pieceName(piece);
    const label = isSpare ? t("virtual.spare", { piece: name }) : count > 1 ? `${name}, ${count}` : name;
    return make(
      "button",
      {
        type: "button",
        class: isSpare ? "lying spare" : "lying",
        "data-take": piece,
        "aria-label": label,
        title: label,
        onclick: (/** @type {MouseEvent} */ event) => {
          // Clicks of a pointer are handled when it is pressed.
          const hand = this.hands.free();
          if (event.detail === 0 && this.mayTouch() && hand !== null) this.hands.take(hand, piece);
        },
      },
      drawPiece(piece, "piece"),
      count > 1 ? make("span", { class: "many", "aria-hidden": "true" }, count) : null,
    );
  }
}
