// The sentences of the relay that players see, in the language of the user. The relay speaks English to all its clients; a sentence that
// is not listed, such as one with a move in it, stays in English.

import { t } from "./language.js";

/** @type {Record<string, import("./language.js").Key>} */
export const RELAY_SENTENCES = {
  "This game has ended.": "error.closed",
  "That seat is taken.": "error.taken",
  "Only the players can do that.": "error.no_seat",
  "The game has not started yet.": "error.not_begun",
  "The game is not over yet.": "error.not_over",
  "It is not your turn.": "error.not_your_turn",
  "The game is frozen for a moment.": "error.frozen",
  "The position has changed since.": "error.stale",
  "This is not your piece.": "error.not_your_piece",
  "There is no piece on this square.": "error.no_piece",
  "Illegal move.": "error.illegal",
  "Start and end positions match.": "error.same_square",
  "This game is too long: only moves that finish it are accepted.": "error.too_long",
  "A draw has been offered already.": "error.offered_already",
  "There is no offer to answer.": "error.no_offer",
  "There are not that many moves to take back.": "error.nothing_to_take_back",
  "No more moves can be taken back in this game.": "error.too_many_takebacks",
  "It is too late to abort the game.": "error.too_late_to_abort",
  "A game without a clock is not lost by absence.": "error.no_claim_without_clock",
  "Your opponent is connected.": "error.opponent_is_here",
  "Your opponent still has time to come back.": "error.too_early_to_claim",
  "A chat message must have 1 to 500 characters.": "error.bad_text",
  "The chat of this game is full.": "error.chat_full",
  "There is no game with this code.": "error.no_game",
};

/** @param {string} sentence */
export function translated(sentence) {
  const key = RELAY_SENTENCES[sentence];
  return key ? t(key) : sentence;
}
