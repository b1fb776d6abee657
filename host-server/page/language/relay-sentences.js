// The sentences of the relay that players see, in the language of the user. The relay speaks English to all its clients, and some of its
// sentences have names and moves in them. A sentence that is not recognised stays in English.

import { t } from "./language.js";

/** The words of the relay, with placeholders. The first one that matches counts. @type {Record<string, import("./language.js").Key>} */
export const RELAY_SENTENCES = {
  "This game has ended.": "error.closed",
  "That seat is taken.": "error.taken",
  "Only the players can do that.": "error.no_seat",
  "The game has not started yet.": "error.not_begun",
  "The game is not over yet.": "error.not_over",
  "The game is over: {verdict}.": "error.over",
  "It is not your turn.": "error.not_your_turn",
  "The game is frozen for a moment.": "error.frozen",
  "The position has changed since.": "error.stale",
  "This is not your piece.": "error.not_your_piece",
  "There is no piece on this square.": "error.no_piece",
  "Illegal move.": "error.illegal",
  "Not a move: ambiguous: {one} or {other}.": "error.ambiguous",
  "Not a move: {why}.": "error.not_a_move",
  "{move} must name the piece that the pawn is promoted to.": "error.no_promotion",
  "Start and end positions match.": "error.same_square",
  "This game is too long: only moves that finish it are accepted.": "error.too_long",
  "A draw has been offered already.": "error.offered_already",
  "There is no draw by {rule}.": "error.no_claim",
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
  "This token opens no seat in this game.": "banner.no_seat",
  "The pieces on the board {name} are not set up.": "error.not_set_up",
  "The board {name} accepts no challenges.": "error.board_refuses",
  "The board {name} is in another game.": "error.board_busy",
  "The board {name} is not connected. Its game opens when it is.": "error.board_offline",
  "The board {name} cannot play by these rules: its software is too old.": "error.board_too_old",
  "No free board has that name.": "error.no_free_board",
  "Too many requests: {wait}.": "error.too_many_requests",
  "Too many matches were opened. Try again later.": "error.too_many_requests",
  "The relay is shutting down. Try again.": "error.unavailable",
  "The relay cannot reach its store. Try again.": "error.unavailable",
  "This relay no longer serves this game. Connect again.": "error.unavailable",
  "The relay's store is full. Nothing can be stored now.": "error.store_full",
  "The stored data of this game cannot be read.": "error.unreadable",
  "There is no {kind} with this hash.": "error.no_hash",
  "The pieces are not there: {reason}.": "error.no_hash",
  "Another {kind} with the hash {hash} was stored first.": "error.hash_taken",
  "This relay stores no more {kind}s.": "error.store_full",
  "Refused: the piece on {from} cannot move to {to}.": "error.cannot_move",
  "Refused: character {number}: {reason}.": "error.invalid_dna",
  "Refused: the genomes of a game have at most {count} codons together.": "error.too_many_codons",
  "The field {field} is wrong: the genomes of a game have at most {count} codons together.": "error.too_many_codons",
  "The field {field} is wrong: a game has at most {count} genomes, that of the pawns included.": "error.too_many_genomes",
  "The field {field} is wrong: at least one piece of the back row has to be a king.": "error.no_king",
  "The field {field} is wrong: no piece can move in the start position.": "error.no_moves",
  "The field {field} is wrong: {file} is not a file of the back row that has a piece.": "error.king_file",
  // What the page does not ask for.
  "Refused: {reason}.": "error.refused",
  "The field {field} is wrong: {reason}.": "error.refused",
  "A request has at most {count} bytes.": "error.refused",
  // Why a virtual board has refused a touch.
  "hand {number} is empty": "virtual.hand_empty",
  "hand {number} already holds a piece": "virtual.hand_full",
  "{square} is empty": "virtual.empty",
  "{square} is occupied": "virtual.occupied",
  "no {color} {role} beside the board": "virtual.not_beside",
  "the board has no power": "virtual.without_power",
  "the board has stopped": "virtual.stopped",
  "only clients on the machine of this board may move its pieces": "virtual.not_local",
  "the hints of this board are set on its console": "virtual.on_console",
  "the pace of this board is set on its console": "virtual.on_console",
  "the computer of this board is set on its console": "virtual.on_console",
  "try again in a second": "virtual.too_fast",
  "try again in {number} seconds": "virtual.too_fast",
  "invalid message: {reason}": "virtual.impossible",
  "commands must be JSON in text messages": "virtual.impossible",
  "the number of a hand must be below {count}, not {number}": "virtual.impossible",
};

/** The sentences with placeholders. */
const PATTERNS = Object.entries(RELAY_SENTENCES).flatMap(([sentence, key]) => {
  const parts = sentence.split(/\{(\w+)\}/);
  if (parts.length === 1) return [];
  const pattern = parts.map((part, at) => (at % 2 ? `(?<${part}>.+)` : part.replaceAll(/[.()]/g, "\\$&")));
  return [{ key, pattern: new RegExp(`^${pattern.join("")}$`) }];
});

/** @param {string} sentence */
export function translated(sentence) {
  const exact = RELAY_SENTENCES[sentence];
  if (exact) return t(exact);
  for (const { key, pattern } of PATTERNS) {
    const found = pattern.exec(sentence);
    if (found) return t(key, found.groups);
  }
  return sentence;
}
