// The games that were played in this browser.

import { other } from "../board/colors.js";
import { keysOf, recall, remember } from "./memory.js";

/**
 * @typedef {import("../board/colors.js").Color} Color
 * @typedef {{ code: string, room: string, color: Color, game?: number, at: number }} OwnGame the colour in the game with this number in the
 *   room. Older pages have stored no number
 */

/**
 * @param {string} code
 * @param {string} room
 * @param {Color} color
 * @param {number} game its number in the room; 0 before the first
 */
export function keepGame(code, room, color, game) {
  remember("local", `game.${room}`, JSON.stringify({ code, room, color, game, at: Date.now() }));
}

/**
 * This player's colour in a game. A rematch exchanges the colours, and may have begun while no page of this browser saw it.
 *
 * @param {OwnGame} own
 * @param {number} game its number in the room
 * @returns {Color}
 */
export function colorIn(own, game) {
  // The first game has the colours of the table before it.
  const rematches = Math.max(game, 1) - Math.max(own.game ?? game, 1);
  return rematches % 2 === 0 ? own.color : other(own.color);
}

/** @param {string} room */
export function forgetGame(room) {
  remember("local", `game.${room}`, null);
}

/**
 * The games of this browser, the newest first. They have no date of expiry: the page forgets those that the relay no longer has.
 *
 * @returns {OwnGame[]}
 */
export function ownGames() {
  const games = keysOf("local", "game.").flatMap((room) => {
    const game = read(recall("local", `game.${room}`));
    if (game?.room === room) return [game];
    forgetGame(room);
    return [];
  });
  return games.sort((one, other) => other.at - one.at);
}

/**
 * @param {string | null} text
 * @returns {OwnGame | null}
 */
function read(text) {
  try {
    const game = JSON.parse(text ?? "");
    const isValid = typeof game.code === "string" && typeof game.room === "string" && typeof game.at === "number";
    return isValid ? game : null;
  } catch {
    return null;
  }
}
