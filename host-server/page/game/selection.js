// What the player has selected, planned or sent, and which position is shown. Pure, and the same for mouse, touch, keyboard and
// screen reader.

import { colorOf } from "../board/pieces.js";
import { carried, pieceOn } from "../board/placement.js";
import { isOurTurn, isPlaying, promotionChoices, targets } from "./state.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {{ from: string, to: string }} Route
 *
 * @typedef {object} Selection
 * @property {string | null} square whose piece is selected
 * @property {Route | null} premove to be played as soon as it is our turn
 * @property {Route | null} promoting a move that waits for the choice of a piece
 * @property {(Route & { promotion?: string, ply: number }) | null} pending a move that was sent and not yet confirmed
 * @property {number | null} review after how many plies the position is shown; `null` is the current one
 * @property {boolean} isFlipped whether the board is seen from the other side
 *
 * @typedef {"first" | "back" | "on" | "now"} ReviewStep
 */

/** @type {Selection} */
export const NOTHING_SELECTED = {
  square: null,
  premove: null,
  promoting: null,
  pending: null,
  review: null,
  isFlipped: false,
};

/**
 * Whether the piece there is ours to move, now or when it is our turn.
 *
 * @param {Match} match
 * @param {string} square
 */
export function isOurs(match, square) {
  return isPlaying(match) && colorOf(pieceOn(match.now.placement, square), match.kinds) === match.color;
}

/**
 * A square was chosen.
 *
 * @param {Match} match
 * @param {Selection} selection
 * @param {string} square
 * @returns {Selection} a new `pending` is to be sent
 */
export function choose(match, selection, square) {
  if (selection.review !== null) return { ...selection, review: null, square: null };
  if (selection.premove) return { ...selection, premove: null, square: null };
  if (selection.pending || !isPlaying(match)) return { ...selection, square: null };
  const from = selection.square;
  if (from === square) return { ...selection, square: null };
  if (from && (!isOurs(match, square) || targets(match, from).includes(square))) {
    return move(match, selection, { from, to: square });
  }
  return { ...selection, square: isOurs(match, square) ? square : null };
}

/**
 * A piece was dragged to another square.
 *
 * @param {Match} match
 * @param {Selection} selection
 * @param {Route} route
 * @returns {Selection}
 */
export function drag(match, selection, route) {
  if (selection.review !== null || selection.pending || !isOurs(match, route.from)) return { ...selection, square: null };
  return move(match, { ...selection, premove: null }, route);
}

/**
 * @param {Match} match
 * @param {Selection} selection
 * @param {Route} route
 * @returns {Selection}
 */
function move(match, selection, route) {
  const next = { ...selection, square: null };
  if (!isOurTurn(match)) return { ...next, premove: route };
  if (!targets(match, route.from).includes(route.to)) return next;
  if (promotionChoices(match, route.from, route.to).length > 0) return { ...next, promoting: route };
  return { ...next, pending: { ...route, ply: match.plies.length } };
}

/**
 * The piece of a promotion was chosen.
 *
 * @param {Match} match
 * @param {Selection} selection
 * @param {string} promotion its letter
 * @returns {Selection}
 */
export function promote(match, selection, promotion) {
  const { promoting } = selection;
  const isLegal =
    promoting && isOurTurn(match) && promotionChoices(match, promoting.from, promoting.to).includes(promotion);
  return { ...selection, promoting: null, pending: isLegal ? { ...promoting, promotion, ply: match.plies.length } : null };
}

/**
 * Drops everything that is not sent yet.
 *
 * @param {Selection} selection
 * @returns {Selection}
 */
export function cancel(selection) {
  return { ...selection, square: null, premove: null, promoting: null };
}

/** Status of an act that the relay could not store. The session sends a move again. */
export const NOT_STORED = 503;

/**
 * Adapts the selection to a changed match: a premove may be played now, and a refused move is no longer pending. A move that
 * could not be stored stays pending.
 *
 * @param {Match} before
 * @param {Match} match
 * @param {Selection} selection
 * @returns {Selection}
 */
export function follow(before, match, selection) {
  const hasChanged = before.game !== match.game || before.now.id !== match.now.id || before.phase !== match.phase;
  const isRefused = before.error !== match.error && match.error?.status !== NOT_STORED;
  // While the connection is lost a sent move stays: the session sends it again, if the position is still the same then.
  const isOver = match.connection.kind === "refused" || match.connection.kind === "closed";
  if (!hasChanged) return isRefused || isOver ? { ...selection, pending: null } : selection;
  if (before.game !== match.game) return { ...NOTHING_SELECTED, isFlipped: selection.isFlipped };
  const { premove, square } = selection;
  const next = { ...selection, pending: null, promoting: null, square: square && isOurs(match, square) ? square : null };
  // A new move does not end a review, unless a takeback removed the reviewed position.
  if (next.review !== null && next.review > match.plies.length) next.review = null;
  if (!isPlaying(match)) return { ...next, premove: null, square: null };
  if (!premove || !isOurTurn(match)) return next;
  next.premove = null;
  if (!targets(match, premove.from).includes(premove.to)) return next;
  // A premove opens no dialog: the relay lists the usual choice first.
  const [promotion] = promotionChoices(match, premove.from, premove.to);
  return { ...next, review: null, square: null, pending: { ...premove, promotion, ply: match.plies.length } };
}

/**
 * Shows another position of the game.
 *
 * @param {Match} match
 * @param {Selection} selection
 * @param {ReviewStep | number} where
 * @returns {Selection}
 */
export function review(match, selection, where) {
  const last = match.plies.length;
  const here = selection.review ?? last;
  const steps = { first: 0, back: Math.max(0, here - 1), on: here + 1, now: last };
  const there = typeof where === "number" ? where : steps[where];
  return { ...selection, square: null, promoting: null, review: there >= last ? null : there };
}

/**
 * The current placement with the move that is sent but not confirmed.
 *
 * @param {import("../board/placement.js").Placement} placement
 * @param {Selection} selection
 */
export function withPending(placement, { pending, promoting }) {
  const route = pending ?? promoting;
  return route ? carried(placement, route) : placement;
}
