// The order of games in a list, and how they are searched. Pure.

/**
 * @typedef {object} Game
 * @property {string} code
 * @property {string} room
 * @property {number} game its number in the room; 0 before the first
 * @property {"waiting" | "playing" | "over" | "closed"} phase
 * @property {string | null} white
 * @property {string | null} black
 * @property {number} plies
 * @property {string} result
 * @property {string} date as in PGN
 * @property {boolean} isYourMove
 * @property {boolean} isYours
 */

/**
 * Running games first, those in which it is this player's turn before the others. The order is kept otherwise.
 *
 * @param {readonly Game[]} games
 */
export function ordered(games) {
  const rank = (/** @type {Game} */ { phase, isYourMove }) => (phase === "playing" ? (isYourMove ? 0 : 1) : phase === "waiting" ? 2 : 3);
  return games.map((game, at) => ({ game, at })).sort((one, other) => rank(one.game) - rank(other.game) || one.at - other.at).map(({ game }) => game);
}

/**
 * Whether a game has every word of the text in its names, its date or its code. A date may be written with dots, dashes or slashes.
 *
 * @param {Game} game
 * @param {string} text
 */
export function isFound({ white, black, date, code }, text) {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const names = [white, black, code].map((name) => (name ?? "").toLowerCase());
  return words.every((word) => names.some((name) => name.includes(word)) || date.includes(word.replaceAll(/[-/]/g, ".")));
}

/**
 * The link to a game. It stays the same when another match has the code; a game that is not over is entered.
 *
 * @param {Game} game
 */
export function linkTo({ code, room, game, phase, isYours }) {
  const path = `/g/${encodeURIComponent(code)}`;
  if (phase === "waiting" || (phase === "playing" && isYours)) return path;
  if (phase === "playing") return `${path}?watch`;
  return `${path}?${new URLSearchParams({ game: String(game), room })}`;
}
