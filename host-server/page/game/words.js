// Sentences about a match.

import { colorName, other } from "../board/colors.js";
import { t } from "../language/language.js";
import { isOurMove, moveNumber } from "./state.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {import("../board/colors.js").Color} Color
 */

/** @type {Record<string, import("../language/language.js").Key>} */
const REASONS = {
  checkmate: "reason.checkmate",
  resignation: "reason.resignation",
  time: "reason.time",
  stalemate: "reason.stalemate",
  insufficient_material: "reason.insufficient_material",
  fivefold_repetition: "reason.fivefold_repetition",
  seventy_five_moves: "reason.seventy_five_moves",
  threefold_repetition: "reason.threefold_repetition",
  fifty_moves: "reason.fifty_moves",
  agreement: "reason.agreement",
  time_against_bare_king: "reason.time_against_bare_king",
  rules: "reason.rules",
};

/** Longer names are replaced in sentences of which the length matters. */
const SHORT_NAME = 14;

/**
 * How the game ended.
 *
 * @param {Match} match
 */
export function endingSentence(match) {
  const { ending, color } = match;
  if (!ending) return "";
  if (ending.reason === "aborted") return t("end.aborted");
  const hasLeft = ending.reason === "disconnect";
  if (!ending.winner && hasLeft) return t("end.both_left");
  const result = t(resultKey(ending.winner, color));
  if (!ending.winner || !hasLeft) return t("end.sentence", { result, how: t(REASONS[ending.reason] ?? "reason.rules") });
  const loser = other(ending.winner);
  const isLate = wasAbsent(match, loser);
  if (loser === color) return t(isLate ? "end.you_late" : "end.you_left", { result });
  const player = isLate ? "end.player_late" : "end.player_left";
  const name = match.left[loser] ?? match.players[loser]?.name;
  if (name && name.length <= SHORT_NAME) return t(player, { result, name });
  return color ? t(isLate ? "end.opponent_late" : "end.opponent_left", { result }) : t(player, { result, name: colorName(loser) });
}

/**
 * Whether a player has lost by an absence. One who has left on purpose has no seat any more.
 *
 * @param {Match} match
 * @param {Color} loser
 */
function wasAbsent({ absent, players, stored }, loser) {
  const player = players[loser];
  if (stored) return player !== null && !player.here;
  return absent === loser || (player !== null && !player.hasLeft);
}

/**
 * @param {Color | null} winner
 * @param {Color | null} ours
 */
function resultKey(winner, ours) {
  if (!winner) return "end.draw";
  if (ours) return winner === ours ? "end.won" : "end.lost";
  return winner === "white" ? "end.white_won" : "end.black_won";
}

/**
 * The headline: what is going on in a few words.
 *
 * @param {Match} match
 */
export function statusSentence(match) {
  const { connection } = match;
  if (connection.kind === "refused") return t(connection.status === 404 ? "status.no_such_game" : "status.not_available");
  if (!match.isJoined) return t(connection.kind === "reconnecting" ? "status.reconnecting" : "status.connecting");
  switch (match.phase) {
    case "waiting":
      return t(match.color ? "status.waiting" : "status.waiting_for_players");
    case "counting":
      return t("status.starts_soon");
    case "closed":
      return t("status.ended");
    case "over":
      return endingSentence(match);
    case "playing":
      return match.now.checked.length > 0 && match.unconfirmed === null ? t("status.check", { sentence: turnSentence(match) }) : turnSentence(match);
  }
}

/** @param {Match} match */
function turnSentence(match) {
  if (isOurMove(match)) return t("status.your_move");
  if (!match.color) return t(match.turn === "white" ? "status.to_move_white" : "status.to_move_black");
  // We wait for the opponent as soon as our move is sent.
  const color = other(match.color);
  const mover = match.players[color]?.name;
  return t("status.waiting_for", { name: mover && mover.length < 20 ? mover : colorName(color) });
}

/**
 * Why a message was not sent.
 *
 * @param {Match} match
 */
export function unsentSentence({ connection, phase }) {
  const hasEnded = connection.kind === "closed" || phase === "closed";
  return t(hasEnded ? "status.unsent_ended" : "status.unsent");
}

/**
 * The headline while a position of the past is shown.
 *
 * @param {Match} match
 * @param {number} review
 */
export function reviewSentence(match, review) {
  const move = numbered(match, review);
  return move === null ? t("status.reviewing_start") : t("status.reviewing", { move });
}

/**
 * A move as it is written in a text: "4. Bxc6", "4… dxc6".
 *
 * @param {Match} match
 * @param {number} ply from 1
 */
function numbered({ start, plies }, ply) {
  const move = plies[ply - 1];
  if (!move) return null;
  // As in the list of moves, where each move of White begins a line.
  const lines = plies.slice(0, ply).filter(({ color }, at) => color === "white" || at === 0).length;
  return `${moveNumber(start.fen) + lines - 1}${move.color === "white" ? "." : "…"} ${move.san}`;
}

/**
 * @param {Match} match
 * @param {number | null} review
 */
export function spokenReview(match, review) {
  if (review === null) return t("announce.current");
  const ply = match.plies[review - 1];
  return ply ? t("announce.after", { move: ply.san }) : t("announce.start");
}
