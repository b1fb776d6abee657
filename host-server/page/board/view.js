// The board: sixty-four squares for fingers, keyboards and screen readers, and the pieces above them for the eye.

import { make, picture, set, write } from "../common/dom.js";
import { SQUARES, drawingOf, indexOf, spokenPiece } from "./squares.js";

/**
 * @typedef {import("./squares.js").Color} Color
 *
 * @typedef {object} Scene
 * @property {readonly number[]} board
 * @property {Color} bottom who sits below
 * @property {string | null} last the last move, as UCI
 * @property {number} checked the square of a king in check, or -1
 * @property {string | null} selected
 * @property {readonly string[]} targets
 * @property {{ from: string, to: string } | null} premove
 * @property {readonly string[]} inHand squares of an opponent's wooden board whose pieces are in a hand
 * @property {readonly string[]} astray and those on which something is wrong
 * @property {boolean} isLive whether pieces can be touched
 * @property {string} label
 */

/** Letters and figures of the keyboard, by where they lead. */
const STEPS = { ArrowUp: -8, ArrowDown: 8, ArrowLeft: -1, ArrowRight: 1 };

export class BoardView {
  /** @type {Scene | null} */ #scene = null;
  /** @type {Map<string, SVGSVGElement>} by square */ #pieces = new Map();
  /** Where the keyboard is, in rows as they are seen. */
  #place = 60;

  /** @param {{ chosen: (square: string) => void, cancelled: () => void }} listener */
  constructor(listener) {
    this.listener = listener;
    this.cells = SQUARES.map((_, place) =>
      make("div", { role: "gridcell", class: "cell", tabindex: place === this.#place ? 0 : -1 }),
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
    // Who plays with the mouse does not want the keyboard on the board: arrows are for looking back then.
    this.grid.addEventListener("mousedown", (event) => event.preventDefault());
    // A click that no pointer made is the keyboard's or a screen reader's.
    this.grid.addEventListener("click", (event) => {
      const square = this.squareOf(event.target);
      if (event.detail === 0 && square) this.listener.chosen(square);
    });
  }

  /**
   * The square that an element is.
   *
   * @param {EventTarget | null} target
   * @returns {string | null}
   */
  squareOf(target) {
    return target instanceof Element ? (target.closest("[data-square]")?.getAttribute("data-square") ?? null) : null;
  }

  /**
   * The square at a point of the window.
   *
   * @param {number} x
   * @param {number} y
   * @returns {string | null}
   */
  squareAt(x, y) {
    const box = this.grid.getBoundingClientRect();
    const [file, row] = [Math.floor(((x - box.left) / box.width) * 8), Math.floor(((y - box.top) / box.height) * 8)];
    if (file < 0 || file > 7 || row < 0 || row > 7) return null;
    return this.#squareIn(row * 8 + file);
  }

  /** @param {string} square */
  pieceAt(square) {
    return this.#pieces.get(square) ?? null;
  }

  /** @param {string} square */
  placeOf(square) {
    const index = indexOf(square);
    return this.#scene?.bottom === "black" ? 63 - index : index;
  }

  /** @param {number} place */
  #squareIn(place) {
    return SQUARES[this.#scene?.bottom === "black" ? 63 - place : place] ?? null;
  }

  /** @param {Scene} scene */
  render(scene) {
    const isTurned = this.#scene !== null && this.#scene.bottom !== scene.bottom;
    this.#scene = scene;
    set(this.root, "data-bottom", scene.bottom);
    set(this.root, "data-live", scene.isLive);
    set(this.grid, "aria-label", scene.label);
    this.cells.forEach((cell, place) => this.#renderCell(cell, place, scene));
    [...this.names.children].forEach((name, at) => {
      const [step, letters] = at < 8 ? [at, "87654321"] : [at - 8, "abcdefgh"];
      write(name, letters.charAt(scene.bottom === "black" ? 7 - step : step));
    });
    this.#renderPieces(scene, isTurned);
  }

  /**
   * @param {HTMLElement} cell
   * @param {number} place
   * @param {Scene} scene
   */
  #renderCell(cell, place, scene) {
    const index = scene.bottom === "black" ? 63 - place : place;
    const square = SQUARES[index] ?? "";
    const piece = scene.board[index] ?? 0;
    const isTarget = scene.targets.includes(square);
    const isPremove = scene.premove !== null && (scene.premove.from === square || scene.premove.to === square);
    const isLast = scene.last !== null && (scene.last.startsWith(square) || scene.last.slice(2, 4) === square);
    const marks = [
      spokenPiece(piece),
      index === scene.checked && "in check",
      scene.selected === square && "chosen",
      isTarget && (piece ? "can be taken" : "can go here"),
      isPremove && "planned move",
      isLast && "last move",
      scene.inHand.includes(square) && "in the opponent's hand",
      scene.astray.includes(square) && "out of place on the opponent's board",
    ];
    set(cell, "data-square", square);
    set(cell, "data-piece", drawingOf(piece) ?? false);
    set(cell, "data-shade", ((index >> 3) + index) % 2 === 0 ? "light" : "dark");
    set(cell, "data-target", isTarget && (piece ? "take" : "go"));
    set(cell, "data-selected", scene.selected === square);
    set(cell, "data-last", isLast);
    set(cell, "data-check", index === scene.checked);
    set(cell, "data-premove", isPremove);
    set(cell, "data-in-hand", scene.inHand.includes(square));
    set(cell, "data-astray", scene.astray.includes(square));
    set(cell, "aria-selected", scene.selected === square ? "true" : "false");
    set(cell, "aria-label", `${square}, ${marks.filter(Boolean).join(", ")}`);
  }

  /**
   * Moves pieces that have moved, so that the eye can follow.
   *
   * @param {Scene} scene
   * @param {boolean} isTurned
   */
  #renderPieces(scene, isTurned) {
    /** @type {Map<string, SVGSVGElement>} */
    const staying = new Map();
    /** @type {string[]} */
    const missing = [];
    SQUARES.forEach((square, index) => {
      const drawing = drawingOf(scene.board[index] ?? 0);
      const there = this.#pieces.get(square);
      if (!drawing) return;
      if (there?.dataset.drawing === drawing) staying.set(square, there);
      else missing.push(square);
    });
    const spare = [...this.#pieces].filter(([square]) => !staying.has(square));
    for (const square of missing) {
      const drawing = drawingOf(scene.board[indexOf(square)] ?? 0) ?? "";
      const near = spare
        .map(([from, piece], at) => ({ at, piece, far: distance(from, square) }))
        .filter(({ piece }) => piece.dataset.drawing === drawing)
        .sort((a, b) => a.far - b.far)[0];
      if (near) spare.splice(near.at, 1);
      staying.set(square, near?.piece ?? this.#newPiece(drawing));
    }
    for (const [, piece] of spare) piece.remove();
    this.#pieces = staying;
    set(this.layer, "data-still", isTurned);
    for (const [square, piece] of staying) {
      const place = this.placeOf(square);
      piece.style.transform = `translate(${(place % 8) * 100}%, ${(place >> 3) * 100}%)`;
      piece.dataset.at = square;
      piece.classList.toggle("in-hand", scene.inHand.includes(square));
    }
  }

  /** @param {string} drawing */
  #newPiece(drawing) {
    const piece = picture(drawing, "piece");
    piece.dataset.drawing = drawing;
    this.layer.append(piece);
    return piece;
  }

  #focus = (/** @type {FocusEvent} */ event) => {
    const place = this.cells.findIndex((cell) => cell === event.target);
    if (place >= 0) this.#step(place, false);
  };

  /**
   * @param {number} place
   * @param {boolean} goThere
   */
  #step(place, goThere) {
    set(/** @type {HTMLElement} */ (this.cells[this.#place]), "tabindex", -1);
    this.#place = place;
    const cell = /** @type {HTMLElement} */ (this.cells[place]);
    set(cell, "tabindex", 0);
    if (goThere) cell.focus();
  }

  #press = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    const [place, column] = [this.#place, this.#place % 8];
    if (step !== undefined) {
      const isSideways = Math.abs(step) === 1;
      const there = place + step;
      const fits = isSideways ? column + step >= 0 && column + step < 8 : there >= 0 && there < 64;
      if (fits) this.#step(there, true);
    } else if (event.key === "Home") {
      this.#step(place - column, true);
    } else if (event.key === "End") {
      this.#step(place - column + 7, true);
    } else if (event.key === "Enter" || event.key === " ") {
      const square = this.#squareIn(place);
      if (square) this.listener.chosen(square);
    } else if (event.key === "Escape") {
      this.listener.cancelled();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
}

/**
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
  const [i, j] = [indexOf(a), indexOf(b)];
  return Math.hypot((i % 8) - (j % 8), (i >> 3) - (j >> 3));
}
