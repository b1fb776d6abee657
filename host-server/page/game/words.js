// Sentences about a match.

import { other } from "../board/squares.js";
import { isOurTurn } from "./state.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {import("../board/squares.js").Color} Color
 */

/** @type {Record<string, string>} */
const HOW = {
  checkmate: "by checkmate",
  resignation: "by resignation",
  time: "on time",
  stalemate: "by stalemate",
  insufficient_material: "since nobody can mate any more",
  fivefold_repetition: "by fivefold repetition",
  seventy_five_moves: "by the seventy-five-move rule",
  threefold_repetition: "by threefold repetition",
  fifty_moves: "by the fifty-move rule",
  agreement: "by agreement",
  time_against_bare_king: "since time ran out against a bare king",
  disconnect: "since the other player left",
};

/** @param {Color} color */
export const colorName = (color) => (color === "white" ? "White" : "Black");

/**
 * How the game ended.
 *
 * @param {Match} match
 */
export function endingSentence(match) {
  const { ending, color } = match;
  if (!ending) return "";
  if (ending.reason === "aborted") return "The game was called off.";
  const how = HOW[ending.reason] ?? "";
  if (!ending.winner) return ending.reason === "disconnect" ? "Both players have left." : `Draw ${how}.`;
  const who = color ? (ending.winner === color ? "You won" : "You lost") : `${colorName(ending.winner)} won`;
  return `${who} ${how}.`;
}

/**
 * What is going on, in a few words.
 *
 * @param {Match} match
 */
export function statusSentence(match) {
  if (match.line.kind === "refused") return match.line.status === 404 ? "No such game" : "Not let in";
  if (!match.isGreeted) return match.line.kind === "away" ? "The relay is away" : "Connecting …";
  switch (match.phase) {
    case "waiting":
      return match.color ? "Waiting for an opponent" : "Waiting for players";
    case "counting":
      return "About to begin";
    case "closed":
      return "This match is closed";
    case "over":
      return endingSentence(match);
    case "playing": {
      const check = match.check ? "Check! " : "";
      if (isOurTurn(match)) return `${check}Your move`;
      const mover = match.players[match.turn]?.name;
      const name = mover && mover.length < 20 ? mover : colorName(match.turn);
      return match.color && match.turn === other(match.color)
        ? `${check}Waiting for ${name}`
        : `${check}${colorName(match.turn)} to move`;
    }
  }
}

/**
 * Why nothing can be said to the relay.
 *
 * @param {Match} match
 */
export function unsentSentence({ line, phase }) {
  const isOver = line.kind === "ended" || phase === "closed";
  return isOver ? "Not sent: this match is closed." : "Not sent: the relay is away.";
}

/** The line was cut behind a move: it may have arrived or not, and is seen when the line is back. */
export const UNCERTAIN = "The line was cut before your move was confirmed.";

/**
 * What one looks at when one looks back.
 *
 * @param {Match} match
 * @param {number | null} looking
 */
export function lookSentence(match, looking) {
  if (looking === null) return "The current position.";
  const ply = match.plies[looking - 1];
  return ply ? `The position after ${ply.san}.` : "The position at the start.";
}
