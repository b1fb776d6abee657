// Pointer input on the virtual board. Each pointer is a hand: it carries a piece, slides it, or taps twice.

import { drawPiece } from "../board/drawing.js";

/**
 * @typedef {import("../relay/panel-messages.js").Held} Held
 *
 * @typedef {object} Grip what a pointer is doing
 * @property {number} hand
 * @property {number} x
 * @property {number} y
 * @property {number} startX
 * @property {number} startY
 * @property {number} since
 * @property {boolean} isNew whether this pointer has lifted the piece
 * @property {string | null} sliding the square that a sliding piece has reached
 * @property {Promise<void>} steps of a sliding piece, one after the other
 *
 * @typedef {object} Parts
 * @property {HTMLElement} tray
 * @property {import("./board-view.js").VirtualBoardView} board
 * @property {import("./hands.js").Hands} hands
 * @property {() => boolean} isSliding whether pieces are slid and not lifted
 * @property {() => boolean} mayTouch
 * @property {(square: string) => boolean} intercept handles a square instead, and returns whether it has
 */

/** A tap takes at most this time and this distance. */
const TAP_MS = 300;
const TAP_PX = 8;

export class VirtualBoardPointer {
  /** @type {Map<number, Grip>} by pointer */ #grips = new Map();
  /** @type {Map<number, SVGSVGElement>} the drawings of pieces in hands, by hand */ #carried = new Map();

  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    for (const root of [parts.board.root, parts.tray]) {
      root.addEventListener("pointerdown", this.#down);
      root.addEventListener("pointermove", this.#move);
      root.addEventListener("pointerup", this.#up);
      root.addEventListener("pointercancel", this.#up);
      root.addEventListener("contextmenu", (event) => event.preventDefault());
    }
    addEventListener("pointerdown", this.#downElsewhere);
    addEventListener("resize", this.place);
    addEventListener("scroll", this.place, { passive: true });
  }

  /** @param {Grip} grip */
  #isTap({ since, x, y, startX, startY }) {
    return performance.now() - since < TAP_MS && Math.hypot(x - startX, y - startY) < TAP_PX;
  }

  /** A piece that was lifted by a tap and is in no pointer's grip. */
  #tapped() {
    const { hands } = this.parts;
    const isGripped = (/** @type {number} */ hand) => [...this.#grips.values()].some((grip) => grip.hand === hand);
    return hands.held.find(({ hand }) => hands.keeps(hand) && !isGripped(hand)) ?? null;
  }

  #down = (/** @type {PointerEvent} */ event) => {
    const { board, tray, mayTouch, intercept } = this.parts;
    if (!mayTouch() || event.button > 2 || this.#grips.has(event.pointerId)) return;
    const lying = event.target instanceof Element ? event.target.closest("[data-take]") : null;
    const square = lying ? null : board.squareAt(event.clientX, event.clientY);
    if (!square && !lying) return;
    event.preventDefault();
    if (square) board.element(square).focus({ preventScroll: true });
    if (square && intercept(square)) return;
    const grip = {
      hand: -1,
      x: event.clientX,
      y: event.clientY,
      startX: event.clientX,
      startY: event.clientY,
      since: performance.now(),
      isNew: false,
      sliding: /** @type {string | null} */ (null),
      steps: Promise.resolve(),
    };
    const hasGrip = lying
      ? this.#takeFromTray(grip, lying.getAttribute("data-take") ?? "")
      : this.#touchSquare(grip, square ?? "", event.shiftKey || event.button === 2);
    if (!hasGrip) return;
    this.#grips.set(event.pointerId, grip);
    (lying ? tray : board.root).setPointerCapture(event.pointerId);
    this.place();
  };

  /**
   * @param {Grip} grip
   * @param {string} piece
   */
  #takeFromTray(grip, piece) {
    return this.#grasp(grip, (hand) => this.parts.hands.take(hand, piece));
  }

  /**
   * @param {Grip} grip
   * @param {string} square
   * @param {boolean} slides
   */
  #touchSquare(grip, square, slides) {
    const { board, hands, isSliding } = this.parts;
    const tapped = this.#tapped();
    if (tapped && !hands.isOwn(tapped.hand, square)) {
      // The second tap: the piece of the first one is put here when the pointer is released.
      grip.hand = tapped.hand;
      return true;
    }
    if (!board.pieceOn(square)) return false;
    if (!slides && !isSliding()) return this.#grasp(grip, (hand) => hands.lift(hand, square));
    if (tapped) hands.putBack(tapped.hand);
    grip.sliding = square;
    return true;
  }

  /**
   * Takes a piece with a free hand.
   *
   * @param {Grip} grip
   * @param {(hand: number) => void} take
   */
  #grasp(grip, take) {
    const { hands } = this.parts;
    const tapped = this.#tapped();
    if (tapped) hands.putBack(tapped.hand);
    const hand = hands.free();
    if (hand === null) return false;
    grip.hand = hand;
    grip.isNew = true;
    take(hand);
    return true;
  }

  #move = (/** @type {PointerEvent} */ event) => {
    const grip = this.#grips.get(event.pointerId);
    if (!grip) return;
    const { board, hands } = this.parts;
    grip.x = event.clientX;
    grip.y = event.clientY;
    const square = board.squareAt(grip.x, grip.y);
    if (grip.sliding && square && square !== grip.sliding) {
      grip.steps = grip.steps.then(async () => {
        // The pointer may have moved on while earlier steps were made.
        const goal = board.squareAt(grip.x, grip.y) ?? square;
        if (grip.sliding && goal !== grip.sliding) grip.sliding = await hands.slide(grip.sliding, goal);
      });
    }
    this.place();
  };

  #up = (/** @type {PointerEvent} */ event) => {
    const grip = this.#grips.get(event.pointerId);
    if (!grip) return;
    this.#grips.delete(event.pointerId);
    if (grip.sliding) return;
    // The piece of a first tap stays in the hand until the second one.
    const isFirstTap = grip.isNew && this.#isTap(grip);
    if (event.type === "pointercancel") this.parts.hands.putBack(grip.hand);
    else if (!isFirstTap) this.#drop(grip);
    this.place();
  };

  /** @param {Grip} grip */
  #drop({ hand, x, y }) {
    const { board, hands } = this.parts;
    const square = board.squareAt(x, y);
    if (!square) hands.putAside(hand);
    else if (square === hands.heldBy(hand)?.from || !hands.isOwn(hand, square)) hands.put(hand, square);
    else hands.putBack(hand);
  }

  /** A tap on neither the board nor a control puts a tapped piece beside the board. */
  #downElsewhere = (/** @type {PointerEvent} */ event) => {
    const { board, tray, hands } = this.parts;
    const tapped = this.#tapped();
    const target = event.target instanceof Element ? event.target : null;
    if (!tapped || !target || board.root.contains(target) || tray.contains(target)) return;
    if (!target.closest("a, button, summary")) hands.putAside(tapped.hand);
  };

  /** Draws every piece in a hand where that hand is. */
  place = () => {
    const { board, hands } = this.parts;
    const size = board.squarePx;
    for (const held of hands.held) {
      const drawing = this.#drawingOf(held);
      const grip = [...this.#grips.values()].find(({ hand }) => hand === held.hand);
      const { x, y } = grip && !(grip.isNew && this.#isTap(grip)) ? grip : this.#restingPoint(held);
      drawing.style.width = `${size}px`;
      drawing.style.height = `${size}px`;
      drawing.style.transform = `translate(${x - size / 2}px, ${y - size * 0.62}px) scale(1.12)`;
    }
    for (const [hand, drawing] of this.#carried) {
      if (hands.heldBy(hand)) continue;
      drawing.remove();
      this.#carried.delete(hand);
    }
  };

  /** @param {Held} held */
  #drawingOf({ hand, piece }) {
    const known = this.#carried.get(hand);
    if (known?.dataset.piece === piece) return known;
    known?.remove();
    const drawing = drawPiece(piece, "piece carried");
    document.body.append(drawing);
    this.#carried.set(hand, drawing);
    return drawing;
  }

  /**
   * Where a piece hovers that no pointer carries: over the focused square, or over the one it came from.
   *
   * @param {Held} held
   */
  #restingPoint({ from }) {
    const square = document.activeElement?.getAttribute("data-square") ?? from;
    if (square) return this.parts.board.centre(square);
    const box = this.parts.tray.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  }
}
