// What lies beside the board, and the spare pieces for pawns that become something.

import { fill, make } from "../common/dom.js";
import { SPARES, drawn, isWhite, nameOf } from "./pieces.js";

const ORDER = "QRBNPKqrbnpk";

/**
 * @param {HTMLElement} tray
 * @param {import("./hands.js").Hands} hands
 * @param {() => boolean} mayTouch
 */
export function makeTray(tray, hands, mayTouch) {
  /**
   * @param {string} piece
   * @param {number} count
   * @param {boolean} isSpare
   */
  function lying(piece, count, isSpare) {
    const many = count > 1 ? make("span", { class: "many", "aria-hidden": "true" }, count) : null;
    const label = isSpare ? `spare ${nameOf(piece)}` : count > 1 ? `${count} times ${nameOf(piece)}` : nameOf(piece);
    return make(
      "button",
      { type: "button", class: isSpare ? "lying spare" : "lying", "data-take": piece, "aria-label": label, title: label, onclick: take },
      drawn(piece),
      many,
    );
    /** @param {MouseEvent} event */
    function take(event) {
      // Only if no pointer has done it already.
      const hand = hands.free();
      if (event.detail === 0 && mayTouch() && hand !== null) hands.take(hand, piece);
    }
  }

  /**
   * @param {boolean} white
   * @param {string} beside
   */
  function row(white, beside) {
    const kinds = [...ORDER].filter((piece) => isWhite(piece) === white);
    const there = kinds.map((piece) => /** @type {const} */ ([piece, [...beside].filter((other) => other === piece).length]));
    const spares = SPARES.map((piece) => (white ? piece : piece.toLowerCase())).filter((piece) => !beside.includes(piece));
    return make(
      "div",
      { class: "shelf" },
      ...there.filter(([, count]) => count > 0).map(([piece, count]) => lying(piece, count, false)),
      ...spares.map((piece) => lying(piece, 1, true)),
    );
  }

  let shown = "?";
  return {
    /** @param {string} beside */
    show(beside) {
      if (beside === shown) return;
      shown = beside;
      const focused = document.activeElement?.getAttribute("data-take");
      fill(tray, row(false, beside), row(true, beside));
      const again = focused && tray.querySelector(`[data-take="${focused}"]`);
      if (again instanceof HTMLElement) again.focus();
    },
  };
}
