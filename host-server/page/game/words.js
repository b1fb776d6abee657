// Sentences about a match.

import { colorName, other } from "../board/colors.js";
import { t } from "../language/language.js";
import { isOurMove } from "./state.js";

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
  if (loser === color) return t("end.you_left", { result });
  const name = match.left[loser] ?? match.players[loser]?.name;
  if (name && name.length <= SHORT_NAME) return t("end.player_left", { result, name });
  return color ? t("end.opponent_left", { result }) : t("end.player_left", { result, name: colorName(loser) });
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
  return review === 0 ? t("status.reviewing_start") : t("status.reviewing", { ply: review, plies: match.plies.length });
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
