// What somebody's finger on a square means: pure, so that mouse, finger, keyboard and screen reader all mean the same.

import { colorOf, indexOf } from "../board/squares.js";
import { isOurTurn, isPlaying, pieceOn, promotes, targets } from "./state.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {{ from: string, to: string }} Way
 *
 * @typedef {object} Desk what we are about to do, and where we look
 * @property {string | null} selected the square whose piece is chosen
 * @property {Way | null} premove what is to be played as soon as it is our turn
 * @property {Way | null} promoting a move that waits for what the pawn becomes
 * @property {(Way & { promotion?: string, ply: number }) | null} pending a move that is on its way to the relay
 * @property {number | null} looking how far back we look: `null` is now
 * @property {boolean} isTurned whether the board is seen from the other side
 */

/** @type {Desk} */
export const EMPTY_DESK = {
  selected: null,
  premove: null,
  promoting: null,
  pending: null,
  looking: null,
  isTurned: false,
};

/**
 * Whether the piece there is ours to move, now or as soon as it is our turn.
 *
 * @param {Match} match
 * @param {string} square
 */
export function isOurs(match, square) {
  return isPlaying(match) && colorOf(pieceOn(match.board, square)) === match.color;
}

/**
 * A square was chosen: by a click, a finger, the keyboard.
 *
 * @param {Match} match
 * @param {Desk} desk
 * @param {string} square
 * @returns {Desk} if it has something `pending`, that is to be said
 */
export function choose(match, desk, square) {
  if (desk.looking !== null) return { ...desk, looking: null, selected: null };
  if (desk.premove) return { ...desk, premove: null, selected: null };
  if (desk.pending || !isPlaying(match)) return { ...desk, selected: null };
  const { selected } = desk;
  if (selected === square) return { ...desk, selected: null };
  if (selected && (!isOurs(match, square) || targets(match, selected).includes(square))) {
    return go(match, desk, { from: selected, to: square });
  }
  return { ...desk, selected: isOurs(match, square) ? square : null };
}

/**
 * A piece was taken up and put down elsewhere.
 *
 * @param {Match} match
 * @param {Desk} desk
 * @param {Way} way
 * @returns {Desk}
 */
export function carry(match, desk, way) {
  if (desk.looking !== null || desk.pending || !isOurs(match, way.from)) return { ...desk, selected: null };
  return go(match, { ...desk, premove: null }, way);
}

/**
 * @param {Match} match
 * @param {Desk} desk
 * @param {Way} way
 * @returns {Desk}
 */
function go(match, desk, way) {
  const idle = { ...desk, selected: null };
  if (!isOurTurn(match)) return { ...idle, premove: way };
  if (!targets(match, way.from).includes(way.to)) return idle;
  if (promotes(match, way.from, way.to)) return { ...idle, promoting: way };
  return { ...idle, pending: { ...way, ply: match.plies.length } };
}

/**
 * What the pawn becomes was chosen.
 *
 * @param {Match} match
 * @param {Desk} desk
 * @param {string} promotion
 * @returns {Desk}
 */
export function promote(match, desk, promotion) {
  const { promoting } = desk;
  const still = promoting && isOurTurn(match) && promotes(match, promoting.from, promoting.to);
  return { ...desk, promoting: null, pending: still ? { ...promoting, promotion, ply: match.plies.length } : null };
}

/**
 * Never mind.
 *
 * @param {Desk} desk
 * @returns {Desk}
 */
export function forget(desk) {
  return { ...desk, selected: null, premove: null, promoting: null };
}

/**
 * The match has changed: what is on the desk may be done now, or make no sense any more.
 *
 * @param {Match} before
 * @param {Match} match
 * @param {Desk} desk
 * @returns {Desk}
 */
export function follow(before, match, desk) {
  const hasChanged = before.game !== match.game || before.fen !== match.fen || before.phase !== match.phase;
  const wasRefused = before.complaint !== match.complaint;
  if (!hasChanged) return wasRefused || match.line.kind !== "open" ? { ...desk, pending: null } : desk;
  const { premove, selected } = desk;
  const next = {
    ...desk,
    pending: null,
    promoting: null,
    selected: selected && isOurs(match, selected) ? selected : null,
  };
  if (before.game !== match.game) return { ...EMPTY_DESK, isTurned: desk.isTurned };
  // Who looks back goes on looking, unless what was looked at was taken back.
  if (next.looking !== null && next.looking > match.plies.length) next.looking = null;
  if (!isPlaying(match)) return { ...next, premove: null, selected: null };
  if (!premove || !isOurTurn(match)) return next;
  next.premove = null;
  if (!targets(match, premove.from).includes(premove.to)) return next;
  const promotion = promotes(match, premove.from, premove.to) ? "queen" : undefined;
  return { ...next, looking: null, selected: null, pending: { ...premove, promotion, ply: match.plies.length } };
}

/**
 * Looks at another position: `null` is now.
 *
 * @param {Match} match
 * @param {Desk} desk
 * @param {"first" | "back" | "on" | "now" | number} where
 * @returns {Desk}
 */
export function look(match, desk, where) {
  const last = match.plies.length;
  const here = desk.looking ?? last;
  const there =
    { first: 0, back: Math.max(0, here - 1), on: here + 1, now: last }[/** @type {string} */ (where)] ?? Number(where);
  return { ...desk, selected: null, promoting: null, looking: there >= last ? null : there };
}

/**
 * The board with a move on it that is on its way. What else the move does is seen when the relay has said so.
 *
 * @param {readonly number[]} board
 * @param {Desk} desk
 * @returns {readonly number[]}
 */
export function withPending(board, { pending, promoting }) {
  const way = pending ?? promoting;
  if (!way) return board;
  const next = [...board];
  next[indexOf(way.to)] = board[indexOf(way.from)] ?? 0;
  next[indexOf(way.from)] = 0;
  return next;
}
