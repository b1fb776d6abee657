// Fingers and mice. Each pointer is a hand: it lifts, carries and drops; or slides; or taps.

import { drawn } from "./pieces.js";

/**
 * @typedef {import("./messages.js").Held} Held
 *
 * @typedef {object} Grip what a pointer is doing
 * @property {number} hand
 * @property {number} x
 * @property {number} y
 * @property {number} startX
 * @property {number} startY
 * @property {number} since
 * @property {boolean} isNew whether the piece was taken up by this pointer
 * @property {string | null} sliding the square that a piece which is pushed has come to
 * @property {Promise<void>} steps the steps of that piece, one after the other
 */

/** A tap is no longer than this, in milliseconds, and goes no further, in pixels. */
const TAP_TIME = 300;
const TAP_WAY = 8;

/**
 * @param {object} parts
 * @param {HTMLElement} parts.plank
 * @param {HTMLElement} parts.tray
 * @param {import("./board.js").Board} parts.board
 * @param {import("./hands.js").Hands} parts.hands
 * @param {() => boolean} parts.slides whether the switch says that pieces are to be pushed
 * @param {() => boolean} parts.mayTouch
 * @param {(square: string) => boolean} parts.intercepts whether something else is to be done with a square that is touched
 */
export function makeFingers({ plank, tray, board, hands, slides, mayTouch, intercepts }) {
  /** @type {Map<number, Grip>} */
  const grips = new Map();
  /** @type {Map<number, HTMLElement | SVGElement>} */
  const floating = new Map();

  /** @param {Grip} grip */
  const isTap = (grip) =>
    performance.now() - grip.since < TAP_TIME && Math.hypot(grip.x - grip.startX, grip.y - grip.startY) < TAP_WAY;

  /** The hand that keeps a piece although no finger is on it. */
  const idle = () => {
    const isGripped = (/** @type {number} */ hand) => [...grips.values()].some((grip) => grip.hand === hand);
    return hands.held.find(({ hand }) => hands.keeps(hand) && !isGripped(hand)) ?? null;
  };

  /** @param {PointerEvent} event */
  function down(event) {
    if (!mayTouch() || event.button > 2 || grips.has(event.pointerId)) return;
    const fromTray = event.target instanceof Element && event.target.closest("[data-take]");
    const square = board.squareAt(event.clientX, event.clientY);
    if (!square && !fromTray) return;
    event.preventDefault();
    if (square && !fromTray) board.element(square)?.focus({ preventScroll: true });
    if (square && !fromTray && intercepts(square)) return;
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
    const kept = idle();
    if (fromTray) {
      if (kept) hands.putBack(kept.hand);
      const hand = hands.free();
      if (hand === null) return;
      grip.hand = hand;
      grip.isNew = true;
      hands.take(hand, fromTray.getAttribute("data-take") ?? "");
    } else if (square && kept && !hands.isOwn(kept.hand, square)) {
      // The second tap: what the first one has lifted goes here when the finger goes.
      grip.hand = kept.hand;
    } else if (square && board.at(square)) {
      if (kept) hands.putBack(kept.hand);
      if (slides() || event.shiftKey || event.button === 2) {
        grip.sliding = square;
      } else {
        const hand = hands.free();
        if (hand === null) return;
        grip.hand = hand;
        grip.isNew = true;
        hands.lift(hand, square);
      }
    } else {
      return;
    }
    grips.set(event.pointerId, grip);
    const holder = fromTray ? tray : plank;
    holder.setPointerCapture(event.pointerId);
    place();
  }

  /** @param {PointerEvent} event */
  function move(event) {
    const grip = grips.get(event.pointerId);
    if (!grip) return;
    grip.x = event.clientX;
    grip.y = event.clientY;
    const square = board.squareAt(grip.x, grip.y);
    if (grip.sliding && square && square !== grip.sliding) {
      const goal = square;
      grip.steps = grip.steps.then(async () => {
        // By now the finger may be elsewhere, and the piece has only to get there.
        const here = board.squareAt(grip.x, grip.y) ?? goal;
        if (grip.sliding && here !== grip.sliding) grip.sliding = await hands.slide(grip.sliding, here);
      });
    }
    place();
  }

  /** @param {PointerEvent} event */
  function up(event) {
    const grip = grips.get(event.pointerId);
    if (!grip) return;
    grips.delete(event.pointerId);
    if (grip.sliding) return;
    const square = board.squareAt(grip.x, grip.y);
    const held = hands.heldBy(grip.hand);
    if (event.type === "pointercancel") {
      hands.putBack(grip.hand);
    } else if (grip.isNew && isTap(grip)) {
      // It stays in the hand until the next tap.
    } else if (square && (square === held?.from || !hands.isOwn(grip.hand, square))) {
      hands.put(grip.hand, square);
    } else if (square) {
      hands.putBack(grip.hand);
    } else {
      hands.putAside(grip.hand);
    }
    place();
  }

  /** Puts every piece in a hand where that hand is. */
  function place() {
    const size = board.size;
    for (const held of hands.held) {
      let element = floating.get(held.hand);
      if (!element || element.getAttribute("data-piece") !== held.piece) {
        element?.remove();
        element = drawn(held.piece, "piece carried");
        document.body.append(element);
        floating.set(held.hand, element);
      }
      const grip = [...grips.values()].find((other) => other.hand === held.hand);
      const over = document.activeElement?.getAttribute("data-square");
      const spot = grip && !(grip.isNew && isTap(grip)) ? grip : rest(held, over ?? null);
      element.style.setProperty("width", `${size}px`);
      element.style.setProperty("height", `${size}px`);
      element.style.setProperty("transform", `translate(${spot.x - size / 2}px, ${spot.y - size * 0.62}px) scale(1.12)`);
    }
    for (const [hand, element] of floating) {
      if (!hands.heldBy(hand)) {
        element.remove();
        floating.delete(hand);
      }
    }
  }

  /**
   * Where a piece hovers that no finger carries: over the square that has the focus, or over its own.
   *
   * @param {Held} held
   * @param {string | null} over
   */
  function rest(held, over) {
    const square = over ?? held.from;
    if (square) return board.centre(square);
    const box = tray.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  }

  for (const holder of [plank, tray]) {
    holder.addEventListener("pointerdown", down);
    holder.addEventListener("pointermove", move);
    holder.addEventListener("pointerup", up);
    holder.addEventListener("pointercancel", up);
    holder.addEventListener("contextmenu", (event) => event.preventDefault());
  }
  addEventListener("pointerdown", (event) => {
    // A tap beside everything puts what is held beside the board.
    const kept = idle();
    const target = event.target instanceof Element ? event.target : null;
    if (kept && target && !plank.contains(target) && !tray.contains(target) && !target.closest("a, button, summary")) {
      hands.putAside(kept.hand);
    }
  });
  addEventListener("resize", place);
  addEventListener("scroll", place, { passive: true });

  return { place, idle };
}
