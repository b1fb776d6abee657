// The squares of the virtual board, as buttons with names, and the pieces that stand on them.

import { drawPiece } from "../board/drawing.js";
import { EMPTY, pieceName } from "../board/pieces.js";
import { EMPTY_BOARD, pieceOn } from "../board/placement.js";
import { SQUARES, indexOf, isLight, seenFiles, seenRanks, squareAtPoint, squareIn } from "../board/squares.js";
import { make, set } from "../common/dom.js";
import { t } from "../language/language.js";

/** The square that Tab leads to first. */
const FIRST_FOCUS = "e2";

export class VirtualBoardView {
  isFlipped = false;
  #standing = EMPTY_BOARD;

  /**
   * @param {HTMLElement} frame around the squares
   * @param {HTMLElement} root of the squares. It has the canvas of the lights already
   */
  constructor(frame, root) {
    this.root = root;
    this.canvas = root.querySelector("canvas");
    this.squares = SQUARES.map((square) =>
      make("button", {
        type: "button",
        class: `board-square ${isLight(square) ? "light" : "dark"}`,
        "data-square": square,
        tabindex: square === FIRST_FOCUS ? 0 : -1,
        "aria-label": t("virtual.square", { square, piece: pieceName(EMPTY) }),
      }),
    );
    this.files = make("div", { class: "letters files", "aria-hidden": "true" });
    this.ranks = make("div", { class: "letters ranks", "aria-hidden": "true" });
    frame.append(this.files, this.ranks);
    this.#arrange();
  }

  #arrange() {
    const places = SQUARES.map((_, place) => this.element(squareIn(place, this.isFlipped)));
    this.root.replaceChildren(...places);
    if (this.canvas) this.root.append(this.canvas);
    this.files.replaceChildren(...seenFiles(this.isFlipped).map((letter) => make("span", {}, letter)));
    this.ranks.replaceChildren(...seenRanks(this.isFlipped).map((letter) => make("span", {}, letter)));
  }

  /** @param {import("../relay/panel-messages.js").Pieces} pieces */
  show({ standing, hands }) {
    for (const square of SQUARES) {
      const piece = pieceOn(standing, square);
      if (piece === pieceOn(this.#standing, square)) continue;
      const element = this.element(square);
      element.querySelector("svg")?.remove();
      if (piece !== EMPTY) element.append(drawPiece(piece, "piece"));
      set(element, "aria-label", t("virtual.square", { square, piece: pieceName(piece) }));
    }
    this.#standing = standing;
    // A piece that is lifted in another window is drawn faintly where it came from.
    for (const element of this.squares) element.querySelector(".elsewhere")?.remove();
    for (const { mine, from, piece } of hands) {
      const element = !mine && from ? this.element(from) : null;
      if (element && !element.querySelector("svg")) element.append(drawPiece(piece, "piece elsewhere"));
    }
  }

  /**
   * The piece on a square, if there is one.
   *
   * @param {string} square
   */
  pieceOn(square) {
    const piece = pieceOn(this.#standing, square);
    return piece === EMPTY ? null : piece;
  }

  /**
   * @param {string} square
   * @returns {HTMLElement}
   */
  element(square) {
    return /** @type {HTMLElement} */ (this.squares[indexOf(square)]);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  squareAt(x, y) {
    return squareAtPoint(this.root.getBoundingClientRect(), x, y, this.isFlipped);
  }

  /** @param {string} square */
  centre(square) {
    const box = this.element(square).getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  }

  /** The width of a square in pixels. */
  get squarePx() {
    return this.root.getBoundingClientRect().width / 8;
  }

  /** @param {boolean} isFlipped */
  flip(isFlipped) {
    if (isFlipped === this.isFlipped) return;
    this.isFlipped = isFlipped;
    const focused = document.activeElement;
    this.#arrange();
    if (focused instanceof HTMLElement && this.root.contains(focused)) focused.focus();
  }

  /** @param {readonly string[]} weak squares with weak magnets */
  markWeak(weak) {
    for (const square of SQUARES) this.element(square).classList.toggle("weak", weak.includes(square));
  }
}
