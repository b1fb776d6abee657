// The board of a game: a grid of 64 cells for pointers, keyboards and screen readers, and the drawn pieces above it.

import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { drawPiece } from "./drawing.js";
import { EMPTY, NO_KINDS, pieceName } from "./pieces.js";
import { pieceOn } from "./placement.js";
import { SQUARES, distance, isLight, placeOf, seenFiles, seenRanks, squareAtPoint, squareByKey, squareIn } from "./squares.js";

/**
 * @typedef {object} Scene what the board shows
 * @property {import("./placement.js").Placement} placement
 * @property {import("./pieces.js").Kinds} kinds what its letters stand for, if it is not chess
 * @property {boolean} isFlipped whether Black is below
 * @property {readonly string[]} last the squares of the last move
 * @property {readonly string[]} checked the squares of pieces in check
 * @property {string | null} selected
 * @property {readonly string[]} targets
 * @property {readonly string[]} premove the squares of the planned move
 * @property {readonly string[]} inHand squares of the opponent's wooden board whose pieces are lifted
 * @property {readonly string[]} misplaced squares of the opponent's wooden board with a wrong piece or none
 * @property {boolean} isLive whether pieces can be moved
 * @property {string} label
 */

export class BoardView {
  /** @type {Scene | null} */ #scene = null;
  /** @type {Map<string, SVGSVGElement>} by square */ #pieces = new Map();
  /** The place of the cell that Tab leads to. */
  #focusPlace = 60;

  /** @param {{ choose: (square: string) => void, cancel: () => void }} actions */
  constructor(actions) {
    this.actions = actions;
    this.cells = SQUARES.map((_, place) =>
      make("div", { role: "gridcell", class: "cell", tabindex: place === this.#focusPlace ? 0 : -1 }),
    );
    const rows = Array.from({ length: 8 }, (_, row) =>
      make("div", { role: "row", class: "rank" }, ...this.cells.slice(row * 8, row * 8 + 8)),
    );
    this.grid = make(
      "div",
      { role: "grid", class: "squares", onkeydown: this.#press, onfocusin: this.#focus },
      ...rows,
    );
    this.layer = make("div", { class: "pieces", "aria-hidden": "true" });
    this.names = make(
      "div",
      { class: "names", "aria-hidden": "true" },
      ...Array.from({ length: 16 }, (_, at) => make("span", { class: at < 8 ? "rank-name" : "file-name" })),
    );
    this.root = make("div", { class: "board" }, this.grid, this.names, this.layer);
    // The mouse leaves the focus where it is, because the arrow keys review moves while the focus is elsewhere.
    this.grid.addEventListener("mousedown", (event) => event.preventDefault());
    // Keyboards and screen readers make clicks without a pointer.
    this.grid.addEventListener("click", (event) => {
      const square = event.target instanceof Element ? event.target.getAttribute("data-square") : null;
      if (event.detail === 0 && square) this.actions.choose(square);
    });
  }

  get #isFlipped() {
    return this.#scene?.isFlipped ?? false;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  squareAt(x, y) {
    return squareAtPoint(this.grid.getBoundingClientRect(), x, y, this.#isFlipped);
  }

  /** @param {string} square */
  pieceAt(square) {
    return this.#pieces.get(square) ?? null;
  }

  /**
   * Draws a piece in the middle of a square.
   *
   * @param {SVGSVGElement} piece
   * @param {string} square
   */
  put(piece, square) {
    const place = placeOf(square, this.#isFlipped);
    piece.style.transform = `translate(${(place % 8) * 100}%, ${(place >> 3) * 100}%)`;
    piece.dataset.at = square;
  }

  /** @param {Scene} scene */
  render(scene) {
    const hasFlipped = this.#scene !== null && this.#scene.isFlipped !== scene.isFlipped;
    this.#scene = scene;
    set(this.root, "data-live", scene.isLive);
    set(this.grid, "aria-label", scene.label);
    this.cells.forEach((cell, place) => this.#renderCell(cell, squareIn(place, scene.isFlipped), scene));
    const names = [...seenRanks(scene.isFlipped), ...seenFiles(scene.isFlipped)];
    [...this.names.children].forEach((name, at) => write(name, names[at] ?? ""));
    this.#renderPieces(scene, hasFlipped);
  }

  /**
   * @param {HTMLElement} cell
   * @param {string} square
   * @param {Scene} scene
   */
  #renderCell(cell, square, scene) {
    const piece = pieceOn(scene.placement, square);
    const isTarget = scene.targets.includes(square);
    const isSelected = scene.selected === square;
    const isIn = (/** @type {readonly string[]} */ squares) => squares.includes(square);
    const words = [
      isIn(scene.checked) && t("square.check"),
      isSelected && t("square.selected"),
      isTarget && t(piece === EMPTY ? "square.can_go" : "square.can_take"),
      isIn(scene.premove) && t("square.premove"),
      isIn(scene.last) && t("square.last"),
      isIn(scene.inHand) && t("square.in_hand"),
      isIn(scene.misplaced) && t("square.misplaced"),
    ];
    set(cell, "data-square", square);
    set(cell, "data-piece", piece !== EMPTY && piece);
    set(cell, "data-shade", isLight(square) ? "light" : "dark");
    set(cell, "data-target", isTarget && (piece === EMPTY ? "go" : "take"));
    set(cell, "data-selected", isSelected);
    set(cell, "data-last", isIn(scene.last));
    set(cell, "data-check", isIn(scene.checked));
    set(cell, "data-premove", isIn(scene.premove));
    set(cell, "data-in-hand", isIn(scene.inHand));
    set(cell, "data-misplaced", isIn(scene.misplaced));
    set(cell, "aria-selected", String(isSelected));
    set(cell, "aria-label", [square, pieceName(piece, scene.kinds), ...words.filter(Boolean)].join(", "));
  }

  /**
   * Reuses the drawings of pieces that have moved, so that the transition shows where each went.
   *
   * @param {Scene} scene
   * @param {boolean} hasFlipped
   */
  #renderPieces(scene, hasFlipped) {
    /** @type {Map<string, SVGSVGElement>} */
    const next = new Map();
    /** @type {string[]} */
    const missing = [];
    for (const square of SQUARES) {
      const piece = pieceOn(scene.placement, square);
      const drawing = this.#pieces.get(square);
      if (piece === EMPTY) continue;
      if (drawing?.dataset.piece === piece) next.set(square, drawing);
      else missing.push(square);
    }
    const spare = [...this.#pieces].filter(([square]) => !next.has(square));
    for (const square of missing) {
      const piece = pieceOn(scene.placement, square);
      const nearest = spare
        .map(([from, drawing], at) => ({ at, drawing, away: distance(from, square) }))
        .filter(({ drawing }) => drawing.dataset.piece === piece)
        .sort((a, b) => a.away - b.away)[0];
      if (nearest) spare.splice(nearest.at, 1);
      next.set(square, nearest?.drawing ?? this.#newPiece(piece));
    }
    for (const [, drawing] of spare) drawing.remove();
    this.#pieces = next;
    set(this.layer, "data-still", hasFlipped);
    for (const [square, drawing] of next) {
      this.put(drawing, square);
      drawing.classList.toggle("in-hand", scene.inHand.includes(square));
    }
  }

  /** @param {string} piece */
  #newPiece(piece) {
    const drawing = drawPiece(piece, "piece", this.#scene?.kinds ?? NO_KINDS);
    this.layer.append(drawing);
    return drawing;
  }

  #focus = (/** @type {FocusEvent} */ event) => {
    const place = this.cells.findIndex((cell) => cell === event.target);
    if (place < 0) return;
    set(/** @type {HTMLElement} */ (this.cells[this.#focusPlace]), "tabindex", -1);
    this.#focusPlace = place;
    set(/** @type {HTMLElement} */ (this.cells[place]), "tabindex", 0);
  };

  #press = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const square = squareIn(this.#focusPlace, this.#isFlipped);
    const next = squareByKey(square, event.key, this.#isFlipped);
    if (next) this.cells[placeOf(next, this.#isFlipped)]?.focus();
    else if (event.key === "Enter" || event.key === " ") this.actions.choose(square);
    else if (event.key === "Escape") this.actions.cancel();
    else if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
  };
}
