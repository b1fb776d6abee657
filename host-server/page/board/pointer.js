// Pointer input on the board: a tap chooses a square, and a drag carries a piece.

import { set } from "../common/dom.js";

/**
 * @typedef {import("./view.js").BoardView} BoardView
 *
 * @typedef {object} PointerActions
 * @property {(square: string) => boolean} canLift whether the piece there may be dragged
 * @property {(square: string) => void} lift a drag has begun
 * @property {(square: string) => void} choose a tap
 * @property {(from: string, to: string) => void} drop a drag has ended on another square
 *
 * @typedef {object} Touch
 * @property {number} id
 * @property {string} from
 * @property {number} x
 * @property {number} y
 * @property {SVGSVGElement | null} piece
 * @property {boolean} isDragging
 */

/** A touch becomes a drag after this distance, in pixels: fingers tremble. */
const DRAG_THRESHOLD_PX = 4;

export class BoardPointer {
  /** @type {Touch | null} */ #touch = null;

  /**
   * @param {BoardView} view
   * @param {PointerActions} actions
   */
  constructor(view, actions) {
    this.view = view;
    this.actions = actions;
    const { root } = view;
    root.addEventListener("pointerdown", this.#down);
    root.addEventListener("pointermove", this.#move);
    root.addEventListener("pointerup", this.#up);
    root.addEventListener("pointercancel", (event) => {
      if (this.#touch?.id === event.pointerId) this.#end();
    });
    root.addEventListener("contextmenu", (event) => {
      if (this.#touch?.isDragging) event.preventDefault();
    });
  }

  #down = (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0 || this.#touch) return;
    const from = this.view.squareAt(event.clientX, event.clientY);
    if (!from) return;
    const canLift = this.actions.canLift(from);
    this.#touch = {
      id: event.pointerId,
      from,
      x: event.clientX,
      y: event.clientY,
      piece: canLift ? this.view.pieceAt(from) : null,
      isDragging: false,
    };
    if (!canLift) return;
    this.view.root.setPointerCapture(event.pointerId);
    event.preventDefault();
  };

  #move = (/** @type {PointerEvent} */ event) => {
    const touch = this.#touch;
    if (touch?.id !== event.pointerId || !touch.piece) return;
    const [dx, dy] = [event.clientX - touch.x, event.clientY - touch.y];
    if (!touch.isDragging) {
      if (Math.hypot(dx, dy) < DRAG_THRESHOLD_PX) return;
      touch.isDragging = true;
      this.actions.lift(touch.from);
      touch.piece.classList.add("held");
    }
    const box = this.view.grid.getBoundingClientRect();
    const side = box.width / 8;
    const [x, y] = [event.clientX - box.left - side / 2, event.clientY - box.top - side / 2];
    // A finger covers what is below it, so the piece is drawn above the finger and larger.
    const raised = event.pointerType === "touch" ? side * 0.6 : 0;
    touch.piece.style.transform = `translate(${x}px, ${y - raised}px) scale(${raised ? 1.5 : 1.1})`;
    this.#hover(this.view.squareAt(event.clientX, event.clientY));
  };

  #up = (/** @type {PointerEvent} */ event) => {
    if (this.#touch?.id !== event.pointerId) return;
    const { from, isDragging } = this.#touch;
    const to = this.view.squareAt(event.clientX, event.clientY);
    this.#end();
    if (!isDragging && to === from) this.actions.choose(from);
    else if (isDragging && to && to !== from) this.actions.drop(from, to);
    else if (isDragging) this.actions.lift(from);
  };

  #end() {
    const piece = this.#touch?.piece;
    this.#touch = null;
    this.#hover(null);
    if (!piece) return;
    // A dropped piece is drawn on its square at once: it has no distance left to travel.
    piece.classList.remove("held");
    piece.classList.add("dropped");
    if (piece.dataset.at) this.view.put(piece, piece.dataset.at);
    requestAnimationFrame(() => requestAnimationFrame(() => piece.classList.remove("dropped")));
  }

  /** @param {string | null} square */
  #hover(square) {
    for (const cell of this.view.cells) set(cell, "data-hover", cell.dataset.square === square);
  }
}
