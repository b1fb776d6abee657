// Challenges of wooden boards, whose players accept or decline them.

import { remember } from "../common/memory.js";
import { openGame } from "../relay/http.js";
import { keepSeat } from "../relay/seat.js";

/**
 * Opens a game and challenges a board to it. The page of the game shows the state of the challenge.
 *
 * @param {string} name of the board
 * @param {import("../relay/http.js").Order} order
 */
export async function challenge(name, order) {
  const { code, token } = await openGame(order);
  keepSeat(code, token);
  remember("session", `challenge.${code}`, name);
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
  return challenge(board, { name, color: table?.free ?? "black", clock: table?.clock ?? null, board: code });
}
