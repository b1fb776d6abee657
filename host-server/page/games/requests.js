// What the relay knows of games in a list.

import { colorIn, forgetGame, ownGames } from "../common/own-games.js";
import { request } from "../relay/http.js";

/** @typedef {import("./listing.js").Game} Game */

/** Upper limit of games in one request to the relay. */
const MOST = 50;

/**
 * @param {string} path
 * @param {readonly object[]} games
 */
function ask(path, games) {
  return request(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ games }) });
}

/**
 * The state of the newest games of this browser. Those that the relay has not kept are forgotten.
 *
 * @param {number} [most]
 * @returns {Promise<Game[]>}
 */
export async function readOwnGames(most = Infinity) {
  const own = ownGames().slice(0, most);
  /** @type {Game[]} */
  const found = [];
  for (let from = 0; from < own.length; from += MOST) {
    const part = own.slice(from, from + MOST);
    const { games } = JSON.parse(await ask("/games/status", part.map(({ code, room }) => ({ code, room }))));
    for (const [at, kept] of part.entries()) {
      const game = games[at];
      if (!game || game.phase === "closed") forgetGame(kept.room);
      else found.push({ ...game, isYours: true, isYourMove: game.phase === "playing" && game.turn === colorIn(kept, game.game) });
    }
  }
  return found;
}

/**
 * Each game, followed by the earlier ones of its match, the newest first. A match has one room and one game after the other in it.
 *
 * @param {readonly Game[]} newest
 * @returns {Promise<Game[]>}
 */
export async function withEarlierGames(newest) {
  const asked = newest.flatMap(({ code, room, game }) =>
    Array.from({ length: Math.max(0, game - 1) }, (_, at) => ({ code, room, game: game - 1 - at })),
  );
  /** @type {(Game | null)[]} */
  const earlier = [];
  for (let from = 0; from < asked.length; from += MOST) {
    earlier.push(...JSON.parse(await ask("/games/status", asked.slice(from, from + MOST))).games);
  }
  const kept = earlier.flatMap((game) => (game ? [{ ...game, isYours: true, isYourMove: false }] : []));
  return newest.flatMap((game) => [game, ...kept.filter(({ room }) => room === game.room)]);
}

/**
 * The games of a board, the newest first.
 *
 * @param {string} code
 * @returns {Promise<{ board: string, games: Game[] }>}
 */
export async function readBoardGames(code) {
  const { board, games } = JSON.parse(await request(`/boards/${encodeURIComponent(code)}/games`));
  const listed = games.map((/** @type {any} */ game, /** @type {number} */ at) => ({
    ...game,
    // Only the newest one can still be played.
    phase: game.ending === null && at === 0 ? "playing" : "over",
    date: new Date(game.on * 1000).toISOString().slice(0, 10).replaceAll("-", "."),
    isYours: false,
    isYourMove: false,
  }));
  return { board, games: listed };
}

/**
 * One PGN file with all games.
 *
 * @param {readonly Game[]} games
 */
export async function readAllPgn(games) {
  const begun = games.filter(({ game }) => game > 0);
  const parts = [];
  for (let from = 0; from < begun.length; from += MOST) {
    const part = begun.slice(from, from + MOST);
    parts.push(await ask("/games/pgn", part.map(({ code, room, game }) => ({ code, room, game }))));
  }
  return parts.join("\n");
}
