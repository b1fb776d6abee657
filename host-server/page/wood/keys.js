// The keyboard: arrow keys from square to square, Enter to lift and put, Delete, Escape, and Shift to slide.

import { SQUARES, indexOf } from "./pieces.js";

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * @param {object} parts
 * @param {HTMLElement} parts.plank
 * @param {import("./board.js").Board} parts.board
 * @param {import("./hands.js").Hands} parts.hands
 * @param {() => boolean} parts.mayTouch
 * @param {(square: string) => boolean} parts.intercepts
 * @param {() => void} parts.moved the piece in the hand follows the focus
 */
export function listenToKeys({ plank, board, hands, mayTouch, intercepts, moved }) {
  /** @param {Event} event */
  const squareOf = (event) => (event.target instanceof Element ? event.target.getAttribute("data-square") : null);

  /**
   * The square next to one, as it is seen.
   *
   * @param {string} square
   * @param {[number, number]} way
   */
  function next(square, [x, y]) {
    const turn = board.isTurned ? -1 : 1;
    const index = indexOf(square);
    const [file, rank] = [(index % 8) + x * turn, (index >> 3) + y * turn];
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? null : (SQUARES[rank * 8 + file] ?? null);
  }

  /** @param {string} square */
  function touch(square) {
    if (!mayTouch() || intercepts(square)) return;
    const held = hands.held[0];
    if (held) hands.put(held.hand, square);
    else if (board.at(square)) hands.lift(hands.free() ?? 0, square);
  }

  plank.addEventListener("keydown", (event) => {
    const square = squareOf(event);
    const way = WAYS[event.key];
    const held = hands.held[0];
    if (event.key === "Escape" && held) {
      hands.putBack(held.hand);
    } else if (!square) {
      return;
    } else if (way) {
      const to = next(square, way);
      if (to && event.shiftKey && mayTouch()) hands.slide(square, to);
      if (to) board.element(to)?.focus();
    } else if (event.key === "Home" || event.key === "End") {
      const rank = indexOf(square) >> 3;
      const file = (event.key === "Home") !== board.isTurned ? 0 : 7;
      board.element(SQUARES[rank * 8 + file] ?? square)?.focus();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      if (!mayTouch()) return;
      if (held) hands.putAside(held.hand);
      else hands.takeOff(square);
    } else {
      return;
    }
    event.preventDefault();
  });
  // A click that no pointer has made: Enter, Space, or a program that reads the page aloud.
  plank.addEventListener("click", (event) => {
    const square = squareOf(event);
    if (square && event.detail === 0) touch(square);
  });
  plank.addEventListener("focusin", (event) => {
    const square = squareOf(event);
    if (!square) return;
    for (const element of plank.querySelectorAll(".spot")) element.setAttribute("tabindex", "-1");
    board.element(square)?.setAttribute("tabindex", "0");
    moved();
  });
}
