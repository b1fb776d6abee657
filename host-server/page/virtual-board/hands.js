// The hands of this window: what they hold, and the sequence of messages for each gesture. Pointers and the keyboard use them.

import { colorOf, pieceName } from "../board/pieces.js";
import { pathBetween } from "../board/squares.js";
import { announce } from "../common/announce.js";
import { t } from "../language/language.js";

/**
 * @typedef {import("../relay/panel-messages.js").Held} Held
 * @typedef {import("../relay/panel-messages.js").Pieces} Pieces
 * @typedef {import("../relay/panel-messages.js").Touch} Touch
 */

/** Between taking a piece off and putting another one on its square, as people do it. */
const SWAP_MS = 260;
/** For each square that a piece is pushed across. */
const SLIDE_STEP_MS = 45;
/** The board numbers hands below this. */
const HANDS = 10;
/** How long the board may take to confirm. After that its last word holds. */
const CONFIRM_WITHIN_MS = 1000;

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Hands {
  /** @type {readonly Held[]} The pieces that the board says this window holds. */ held = [];
  /** Hands that have lifted a piece, which the board has not confirmed yet. */
  #lifting = new Set();
  /** Hands that have put a piece down, which the board has not confirmed yet. */
  #releasing = new Set();

  /**
   * @param {(touch: Touch) => void} send
   * @param {import("./board-view.js").VirtualBoardView} board
   */
  constructor(send, board) {
    this.send = send;
    this.board = board;
  }

  /** @param {Pieces} pieces */
  show({ hands }) {
    this.held = hands.filter(({ mine }) => mine);
    for (const { hand } of this.held) this.#lifting.delete(hand);
    for (const hand of this.#releasing) if (!this.heldBy(hand)) this.#releasing.delete(hand);
  }

  /** @param {number} hand */
  heldBy(hand) {
    return this.held.find((held) => held.hand === hand) ?? null;
  }

  /**
   * Whether a hand holds a piece and has not put it down.
   *
   * @param {number} hand
   */
  keeps(hand) {
    return this.heldBy(hand) !== null && !this.#releasing.has(hand);
  }

  /** The number of a free hand, if there is one. */
  free() {
    for (let hand = 0; hand < HANDS; hand += 1) if (!this.heldBy(hand) && !this.#lifting.has(hand)) return hand;
    return null;
  }

  /**
   * @param {number} hand
   * @param {string} square
   */
  lift(hand, square) {
    const piece = this.board.pieceOn(square);
    if (piece) announce(t("hands.lifted", { piece: pieceName(piece), square }));
    this.#expect(this.#lifting, hand);
    this.send({ type: "lift", hand, square });
  }

  /**
   * Takes a piece from beside the board.
   *
   * @param {number} hand
   * @param {string} piece
   */
  take(hand, piece) {
    announce(t("hands.taken", { piece: pieceName(piece) }));
    this.#expect(this.#lifting, hand);
    this.send({ type: "take", hand, piece });
  }

  /**
   * Puts a piece down. A piece that stands there is put beside the board first.
   *
   * @param {number} hand
   * @param {string} square
   */
  async put(hand, square) {
    const piece = this.heldBy(hand)?.piece;
    const captured = this.board.pieceOn(square);
    if (captured) {
      const second = this.free();
      if (second === null) return;
      this.#releasing.add(hand);
      this.send({ type: "lift", hand: second, square });
      this.send({ type: "put_aside", hand: second });
      await pause(SWAP_MS);
    }
    this.#release({ type: "put", hand, square });
    if (!piece) return;
    const put = { piece: pieceName(piece), square };
    announce(captured ? t("hands.put_captured", { ...put, captured: pieceName(captured) }) : t("hands.put", put));
  }

  /** @param {number} hand */
  putAside(hand) {
    const piece = this.heldBy(hand)?.piece;
    this.#release({ type: "put_aside", hand });
    if (piece) announce(t("hands.put_aside", { piece: pieceName(piece) }));
  }

  /**
   * Puts a piece back to the square it came from.
   *
   * @param {number} hand
   */
  putBack(hand) {
    const from = this.heldBy(hand)?.from;
    if (from && !this.board.pieceOn(from)) this.#release({ type: "put", hand, square: from });
    else this.#release({ type: "put_aside", hand });
    announce(t("hands.put_back"));
  }

  /**
   * Takes the piece on a square off the board.
   *
   * @param {string} square
   */
  takeOff(square) {
    const hand = this.free();
    if (hand === null || !this.board.pieceOn(square)) return;
    this.lift(hand, square);
    this.send({ type: "put_aside", hand });
  }

  /**
   * Whether the piece on a square has the colour of the one in a hand: dropping it there is a change of mind, not a capture. A piece from
   * beside the board replaces an own one, as the new queen does the promoted pawn.
   *
   * @param {number} hand
   * @param {string} square
   */
  isOwn(hand, square) {
    const { piece, from } = this.heldBy(hand) ?? {};
    const standing = this.board.pieceOn(square);
    return Boolean(piece && from && standing && colorOf(piece) === colorOf(standing));
  }

  /**
   * Pushes a piece across the board until it arrives or another piece is in its way.
   *
   * @param {string} from
   * @param {string} to
   * @returns {Promise<string>} the square that it has reached
   */
  async slide(from, to) {
    let at = from;
    for (const next of pathBetween(from, to)) {
      if (this.board.pieceOn(next) && next !== at) break;
      this.send({ type: "slide", from: at, to: next });
      at = next;
      await pause(SLIDE_STEP_MS);
    }
    return at;
  }

  /** @param {{ type: "put", hand: number, square: string } | { type: "put_aside", hand: number }} touch */
  #release(touch) {
    this.#expect(this.#releasing, touch.hand);
    this.send(touch);
  }

  /**
   * Marks a hand until the board confirms, or refuses by not confirming in time.
   *
   * @param {Set<number>} unconfirmed
   * @param {number} hand
   */
  #expect(unconfirmed, hand) {
    unconfirmed.add(hand);
    setTimeout(() => unconfirmed.delete(hand), CONFIRM_WITHIN_MS);
  }
}
