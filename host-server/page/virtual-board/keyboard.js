// Keyboard input on the virtual board: arrow keys move the focus, Enter lifts and puts, Delete takes off, Escape puts back, and
// Shift with an arrow key slides.

import { squareByKey } from "../board/squares.js";
import { set } from "../common/dom.js";

/**
 * @typedef {object} Parts
 * @property {import("./board-view.js").VirtualBoardView} board
 * @property {import("./hands.js").Hands} hands
 * @property {() => boolean} mayTouch
 * @property {(square: string) => boolean} intercept handles a square instead, and returns whether it has
 * @property {() => void} focusMoved
 */

export class VirtualBoardKeyboard {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    const { root } = parts.board;
    root.addEventListener("keydown", this.#press);
    // Keyboards and screen readers make clicks without a pointer.
    root.addEventListener("click", (event) => {
      const square = squareOf(event);
      if (square && event.detail === 0) this.#touch(square);
    });
    root.addEventListener("focusin", this.#focus);
  }

  /** @param {string} square */
  #touch(square) {
    const { board, hands, mayTouch, intercept } = this.parts;
    if (!mayTouch() || intercept(square)) return;
    const held = hands.held[0];
    if (held) hands.put(held.hand, square);
    else if (board.pieceOn(square)) hands.lift(hands.free() ?? 0, square);
  }

  #press = (/** @type {KeyboardEvent} */ event) => {
    const { board, hands, mayTouch } = this.parts;
    const square = squareOf(event);
    const held = hands.held[0];
    const next = square && squareByKey(square, event.key, board.isFlipped);
    if (event.key === "Escape" && held) {
      hands.putBack(held.hand);
    } else if (square && (event.key === "Delete" || event.key === "Backspace")) {
      if (!mayTouch()) return;
      if (held) hands.putAside(held.hand);
      else hands.takeOff(square);
    } else if (square && next) {
      if (event.shiftKey && event.key.startsWith("Arrow") && mayTouch()) hands.slide(square, next);
      board.element(next).focus();
    } else if (next !== null || !square) {
      return;
    }
    event.preventDefault();
  };

  #focus = (/** @type {FocusEvent} */ event) => {
    const square = squareOf(event);
    if (!square) return;
    const { board, focusMoved } = this.parts;
    for (const element of board.squares) set(element, "tabindex", element.dataset.square === square ? 0 : -1);
    focusMoved();
  };
}

/** @param {Event} event */
function squareOf(event) {
  return event.target instanceof Element ? event.target.getAttribute("data-square") : null;
}
