// What the views of a game render: the match, the selection, and what follows from both. Pure.

import { other } from "../board/colors.js";
import { positionAt } from "./state.js";
import { withPending } from "./selection.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {import("./selection.js").Selection} Selection
 * @typedef {import("../board/colors.js").Color} Color
 *
 * @typedef {object} ViewState
 * @property {Match} match
 * @property {Selection} selection
 * @property {ReturnType<typeof positionAt>} shown the position on the board, with a move that is not confirmed yet
 * @property {boolean} isReview whether that is a position of the past
 * @property {Color} bottom the side that is seen below
 *
 * @typedef {{ now: number, sinceClock: number }} Moment by our clock, and since the moment that the match's clock refers to; in
 *   milliseconds
 *
 * @typedef {object} View one part of the screen
 * @property {(state: ViewState) => void} render shows a changed state
 * @property {(state: ViewState, moment: Moment) => void} [tick] shows what changes with time alone
 */

/**
 * @param {Match} match
 * @param {Selection} selection
 * @returns {ViewState}
 */
export function viewState(match, selection) {
  const isReview = selection.review !== null;
  const shown = positionAt(match, selection.review);
  const own = match.color ?? "white";
  return {
    match,
    selection,
    shown: isReview ? shown : { ...shown, placement: withPending(shown.placement, selection) },
    isReview,
    bottom: selection.isFlipped ? other(own) : own,
  };
}
