// What a relay says, for tests that have none.

import { hear, newMatch } from "../../../host-server/page/game/state.js";

/**
 * A relay may say anything, and not only what the page knows.
 *
 * @type {(match: import("../../../host-server/page/game/state.js").Match, message: object, at: number) =>
 *   import("../../../host-server/page/game/state.js").Match}
 */
export const told = /** @type {any} */ (hear);

/**
 * A match after these words, each a tenth of a second after the other.
 *
 * @param {...object} messages
 */
export function after(...messages) {
  let match = newMatch("abc");
  messages.forEach((message, at) => (match = told(match, message, at * 100)));
  return match;
}

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ROLES = "prnbqk";

/**
 * The board of a FEN, written here a second time so that the page's own reading is not its own witness.
 *
 * @param {string} fen
 */
export function boardOf(fen) {
  const placement = fen.split(" ")[0] ?? "";
  const letters = placement.replaceAll("/", "").replace(/\d/g, (n) => ".".repeat(Number(n)));
  return [...letters].map((letter) => {
    const role = ROLES.indexOf(letter.toLowerCase()) + 1;
    return role === 0 ? 0 : letter === letter.toLowerCase() ? -role : role;
  });
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
    board: boardOf(fen),
    fen,
    ply: 0,
    game: 1,
    phase: "playing",
    last_move: null,
    check: null,
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
  state({ fen: AFTER_E4, ply: 1, last_move: { uci: "e2e4", san: "e4" }, legal_moves: { e7: ["e6", "e5"] } });
export const e5 = () =>
  state({ fen: AFTER_E5, ply: 2, last_move: { uci: "e7e5", san: "e5" }, legal_moves: { d2: ["d3", "d4"], g1: ["f3"] } });
