// The games that were played in this browser.

import { keysOf, recall, remember } from "./memory.js";

/** @typedef {{ code: string, room: string, color: "white" | "black", at: number }} OwnGame the colour of the last game in the room */

/** The relay keeps no game for longer. */
const KEPT_MS = 30 * 86_400_000;

/**
 * @param {string} code
 * @param {string} room
 * @param {"white" | "black"} color
 */
export function keepGame(code, room, color) {
  remember("local", `game.${room}`, JSON.stringify({ code, room, color, at: Date.now() }));
}

/** @param {string} room */
export function forgetGame(room) {
  remember("local", `game.${room}`, null);
}

/**
 * The games of this browser, the newest first.
 *
 * @returns {OwnGame[]}
 */
export function ownGames() {
  const games = keysOf("local", "game.").flatMap((room) => {
    const game = read(recall("local", `game.${room}`));
    if (game && game.room === room && Date.now() - game.at < KEPT_MS) return [game];
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
