// Hands: what they hold, and how they do what takes more than one touch. Fingers and keys both use them.

import { announce } from "../common/announce.js";
import { isWhite, nameOf, wayBetween } from "./pieces.js";

/**
 * @typedef {import("./messages.js").Held} Held
 * @typedef {import("./messages.js").Touch} Touch
 * @typedef {import("./messages.js").Wood} Wood
 */

/** How long hands need from taking a piece off to putting another one there, in milliseconds. */
const SWAP = 260;
/** How long they need to push a piece on by a square. */
const STEP = 45;
/** Nobody has more. */
const MOST = 10;

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @param {{ send: (touch: Touch) => void }} line
 * @param {import("./board.js").Board} board
 */
export function makeHands(line, board) {
  /** @type {Held[]} */
  let mine = [];
  /** Hands that are about to hold something, before the board has said so. */
  const taken = new Set();
  /** Hands that have let go, before the board has said so. */
  const released = new Set();

  /** @param {number} hand */
  const heldBy = (hand) => mine.find((held) => held.hand === hand) ?? null;

  /**
   * Lets go. If the board does not want that, the hand has it still.
   *
   * @param {{ type: "put", hand: number, square: string } | { type: "put_aside", hand: number }} touch
   */
  function release(touch) {
    released.add(touch.hand);
    setTimeout(() => released.delete(touch.hand), 1000);
    line.send(touch);
  }

  return {
    /** @param {Wood} wood */
    show(wood) {
      mine = wood.hands.filter((held) => held.mine);
      for (const held of mine) taken.delete(held.hand);
      for (const hand of released) if (!heldBy(hand)) released.delete(hand);
    },
    /** What this window's hands hold. */
    get held() {
      return mine;
    },
    heldBy,
    /**
     * Whether a hand keeps what it holds, as far as this window knows.
     *
     * @param {number} hand
     */
    keeps: (hand) => heldBy(hand) !== null && !released.has(hand),
    /** A hand that is free. */
    free() {
      for (let hand = 0; hand < MOST; hand += 1) if (!heldBy(hand) && !taken.has(hand)) return hand;
      return null;
    },
    /**
     * @param {number} hand
     * @param {string} square
     */
    lift(hand, square) {
      const piece = board.at(square);
      if (piece) announce(`${nameOf(piece)} lifted from ${square}`);
      taken.add(hand);
      setTimeout(() => taken.delete(hand), 1000);
      line.send({ type: "lift", hand, square });
    },
    /**
     * @param {number} hand
     * @param {string} piece
     */
    take(hand, piece) {
      announce(`${nameOf(piece)} taken from beside the board`);
      taken.add(hand);
      setTimeout(() => taken.delete(hand), 1000);
      line.send({ type: "take", hand, piece });
    },
    /**
     * Puts a piece down. If something stands there, it goes beside the board first, and the other hand needs a moment for that.
     *
     * @param {number} hand
     * @param {string} square
     */
    async put(hand, square) {
      const piece = heldBy(hand)?.piece;
      const other = board.at(square);
      if (other) {
        const second = this.free();
        if (second === null) return;
        released.add(hand);
        line.send({ type: "lift", hand: second, square });
        line.send({ type: "put_aside", hand: second });
        await pause(SWAP);
      }
      release({ type: "put", hand, square });
      if (piece) announce(`${nameOf(piece)} put on ${square}${other ? `, ${nameOf(other)} taken off` : ""}`);
    },
    /** @param {number} hand */
    putAside(hand) {
      const piece = heldBy(hand)?.piece;
      release({ type: "put_aside", hand });
      if (piece) announce(`${nameOf(piece)} put beside the board`);
    },
    /**
     * Puts a piece back to where it is from.
     *
     * @param {number} hand
     */
    putBack(hand) {
      const from = heldBy(hand)?.from;
      if (from && !board.at(from)) release({ type: "put", hand, square: from });
      else release({ type: "put_aside", hand });
      announce("Put back");
    },
    /**
     * Takes what stands on a square off the board.
     *
     * @param {string} square
     */
    takeOff(square) {
      const hand = this.free();
      if (hand === null || !board.at(square)) return;
      this.lift(hand, square);
      line.send({ type: "put_aside", hand });
    },
    /**
     * Whether dropping a piece here would be to change one's mind: it is one of the same army.
     *
     * @param {number} hand
     * @param {string} square
     */
    isOwn(hand, square) {
      const [piece, other] = [heldBy(hand)?.piece, board.at(square)];
      return Boolean(piece && other && isWhite(piece) === isWhite(other));
    },
    /**
     * Pushes a piece along the wood until it is there, or something is in its way. Returns where it has come to.
     *
     * @param {string} from
     * @param {string} to
     */
    async slide(from, to) {
      let at = from;
      for (const next of wayBetween(from, to)) {
        if (board.at(next) && next !== at) break;
        line.send({ type: "slide", from: at, to: next });
        at = next;
        await pause(STEP);
      }
      return at;
    },
  };
}

/** @typedef {ReturnType<typeof makeHands>} Hands */
