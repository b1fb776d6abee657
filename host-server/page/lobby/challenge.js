// New games, and the boards that are challenged to them, whose players accept or decline.

import { keysOf, recall, remember } from "../common/memory.js";
import { openGame } from "../relay/http.js";
import { keepSeat } from "../relay/seat.js";

/** Much longer than a board has time to answer. */
const KEPT_MS = 3_600_000;

/**
 * Opens a game and goes to it. The page of the game shows the state of the challenge, if a board is its opponent.
 *
 * @param {import("../relay/http.js").Order} order
 * @param {string} [board] its name
 */
export async function startGame(order, board = order.board) {
  const { code, token } = await openGame(order);
  keepSeat(code, token);
  if (board) keepChallenge(code, board);
  location.assign(`/g/${code}`);
}

/**
 * Challenges the board to which a link leads, on the terms of its room.
 *
 * @param {import("../relay/http.js").BoardTable} board
 * @param {string} code of the board
 * @param {string} name of the challenger
 */
export function challengeBoard({ board, table }, code, name) {
  return startGame({ name, color: table?.free ?? "black", clock: table?.clock ?? null, board: code }, board);
}

/**
 * Remembers for all windows of this browser which board is challenged to a game.
 *
 * @param {string} code
 * @param {string} board its name
 */
export function keepChallenge(code, board) {
  for (const other of keysOf("local", "challenge.")) {
    if (!challengedBoard(other)) remember("local", `challenge.${other}`, null);
  }
  remember("local", `challenge.${code}`, JSON.stringify({ board, at: Date.now() }));
}

/**
 * The board that was challenged to a game from this browser.
 *
 * @param {string} code
 * @returns {string | null}
 */
export function challengedBoard(code) {
  try {
    const { board, at } = JSON.parse(recall("local", `challenge.${code}`) ?? "");
    return typeof board === "string" && Date.now() - at < KEPT_MS ? board : null;
  } catch {
    return null;
  }
}
