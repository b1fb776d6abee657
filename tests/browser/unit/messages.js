// Messages of a relay, for tests without one.

import "./english.js";
import { applyMessage } from "../../../host-server/page/game/reducer.js";
import { newMatch } from "../../../host-server/page/game/state.js";

/** @typedef {import("../../../host-server/page/game/state.js").Match} Match */

/**
 * The reducer for messages of any type: a relay may send some that the page does not know.
 *
 * @type {(match: Match, message: object, at: number) => Match}
 */
export const apply = /** @type {any} */ (applyMessage);

/**
 * A match after these messages, which are received 100 ms apart.
 *
 * @param {...object} messages
 */
export function after(...messages) {
  return messages.reduce((/** @type {Match} */ match, message, at) => apply(match, message, at * 100), newMatch("abc"));
}

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const NUMBERED = ".prnbqk";

/**
 * The 64 letters of a FEN, a8 first. It is written independently of the page, which is tested against it.
 *
 * @param {string} fen
 */
function letters(fen) {
  const placement = fen.split(" ")[0] ?? "";
  return [...placement.replaceAll("/", "").replace(/\d/g, (n) => ".".repeat(Number(n)))];
}

/**
 * The placement of a FEN as the page has it: 64 letters, a1 first.
 *
 * @param {string} fen
 */
export function placementOf(fen) {
  const all = letters(fen);
  return all.map((_, index) => all[(7 - (index >> 3)) * 8 + (index % 8)]).join("");
}

/**
 * The board of a FEN as the relay sends it: 64 numbers, a8 first.
 *
 * @param {string} fen
 */
export function numbersOf(fen) {
  return letters(fen).map((letter) => NUMBERED.indexOf(letter.toLowerCase()) * (letter === letter.toLowerCase() ? -1 : 1) || 0);
}

export const init = (fields = {}) => ({
  type: "init",
  user_id: "anna-id",
  role: "player",
  token: "secret",
  color: "white",
  code: "abc",
  name: "Anna",
  chat: [],
  players: { white: { user_id: "anna-id", username: "Anna", here: true }, black: null },
  ...fields,
});

export const start = (fields = {}) => ({
  type: "start",
  color: "white",
  game: 1,
  players: {
    white: { user_id: "anna-id", username: "Anna", here: true },
    black: { user_id: "bo-id", username: "Bo", here: true },
  },
  ...fields,
});

/** @param {{ fen?: string, [field: string]: unknown }} [fields] */
export function state({ fen = START, ...fields } = {}) {
  return {
    type: "game_state",
    board: numbersOf(fen),
    fen,
    ply: 0,
    game: 1,
    phase: "playing",
    last_move: null,
    check: null,
    turn: fen.includes(" b ") ? "black" : "white",
    legal_moves: { e2: ["e3", "e4"], g1: ["f3", "h3"] },
    clock: null,
    offers: { draw: null, takeback: null, rematch: null },
    hints: false,
    ...fields,
  };
}

export const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
export const AFTER_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

export const e4 = () =>
  state({ fen: AFTER_E4, ply: 1, last_move: { uci: "e2e4", san: "e4", color: "white" }, legal_moves: { e7: ["e6", "e5"] } });
export const e5 = () =>
  state({ fen: AFTER_E5, ply: 2, last_move: { uci: "e7e5", san: "e5", color: "black" }, legal_moves: { d2: ["d3", "d4"], g1: ["f3"] } });
