// Requests to the relay over HTTP.

import { t } from "../language/language.js";
import { translated } from "../language/relay-sentences.js";

/**
 * @typedef {import("./game-messages.js").Color} Color
 * @typedef {{ name: string, color: Color | "random", clock: { base_ms: number, increment_ms: number } | null,
 *   countdown_ms?: number, rules?: string, script?: string, title?: string, preset?: string, kings?: string, promotions?: string[],
 *   board?: string }} Order
 * @typedef {{ code: string, token: string, color: Color }} Opened
 * @typedef {{ name: string, code: string, set_up: boolean }} Board with whether it can be challenged: its pieces are set up
 * @typedef {{ computer: { level: number } | { engine: string }, color: Color | "random",
 *   clock: { base_ms: number, increment_ms: number } | null, name?: string, board?: string }} ComputerOrder a wooden board plays in
 *   place of a named player
 * @typedef {{ ply: number, centipawns?: number, mate?: number }} Evaluation for White, after that many plies
 * @typedef {{ uci: string, san: string }} WrittenMove
 * @typedef {{ ply: number, color: Color, move_number: number, played: WrittenMove, better: WrittenMove }} Mistake
 * @typedef {{ evaluations: Evaluation[], mistakes: Mistake[] }} Analysis
 *
 * @typedef {{ name: string, here: boolean, left?: boolean }} Sitting
 * @typedef {object} Table what a link leads to
 * @property {string} [code] the code, if the short one was asked for
 * @property {import("./game-messages.js").Phase} phase
 * @property {Sitting | null} white
 * @property {Sitting | null} black
 * @property {Color} [free] the colour that the next player gets
 * @property {{ base_ms: number, increment_ms: number } | null} clock
 * @property {number} games how many were begun
 * @typedef {{ board: string, state: "free" | "busy" | "offline" | "refuses", asks?: boolean, watch?: string, table?: Table }} BoardTable
 */

/** A failed request, with a message to show to the user. */
export class RequestError extends Error {
  /**
   * @param {number} status 0 if the relay could not be reached
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} [options]
 */
export async function request(path, options) {
  const answer = await fetch(path, { cache: "no-store", ...options }).catch(() => {
    throw new RequestError(0, t("relay.unreachable"));
  });
  const text = await answer.text().catch(() => "");
  if (answer.ok) return text;
  let message = text.trim();
  try {
    const body = JSON.parse(text);
    message = body.message ?? body.error ?? "";
  } catch {
    // Errors from outside the dialects are plain text.
  }
  throw new RequestError(answer.status, translated(sentence(message)) || t("relay.status", { status: answer.status }));
}

/** @param {string} text */
function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) || begun === "" ? begun : `${begun}.`;
}

/**
 * Opens a game and reserves a seat in it.
 *
 * @param {Order} order
 * @returns {Promise<Opened>}
 */
export async function openGame(order) {
  return JSON.parse(await postJson("/games", order));
}

/**
 * @param {string} path
 * @param {object} body
 */
async function postJson(path, body) {
  return request(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

/**
 * @typedef {{ placement: string, pieces: import("../board/pieces.js").Kinds, moves: number, is_over: boolean }} ScriptStart
 * @typedef {{ start: ScriptStart } | { error: { message: string, line: number | null } }} TriedScript
 */

/**
 * The rule scripts that the relay has.
 *
 * @returns {Promise<{ name: string, title: string }[]>}
 */
export async function bundledScripts() {
  return JSON.parse(await request("/scripts"));
}

/**
 * The text of a script.
 *
 * @param {string} name
 */
export async function scriptText(name) {
  return request(`/scripts/${encodeURIComponent(name)}`);
}

/**
 * How a game by a script would start.
 *
 * @param {string} text
 * @returns {Promise<TriedScript>}
 */
export async function tryScript(text) {
  return JSON.parse(await request("/scripts/try", { method: "POST", body: text }));
}

/**
 * Stores a script.
 *
 * @param {string} text
 * @returns {Promise<{ id: string }>}
 */
export async function storeScript(text) {
  return JSON.parse(await request("/scripts", { method: "POST", body: text }));
}

/**
 * Opens a game against the computer. Without a board the answer has the token of a seat, and with one whether its player is asked.
 *
 * @param {ComputerOrder} order
 * @returns {Promise<{ code: string, token?: string, asked?: boolean }>}
 */
export async function openComputerGame(order) {
  const headers = { "content-type": "application/json" };
  return JSON.parse(await request("/games", { method: "POST", headers, body: JSON.stringify(order) }));
}

/**
 * The computer opponents: levels of the relay's own engine, and the names of others.
 *
 * @returns {Promise<{ levels: number, engines: string[] }>}
 */
export async function computers() {
  return JSON.parse(await request("/computer"));
}

/**
 * The boards that wait for an opponent.
 *
 * @returns {Promise<Board[]>}
 */
export async function waitingBoards() {
  const answer = JSON.parse(await request("/boards"));
  return answer.boards;
}

/**
 * The boards that everyone may challenge, also busy and offline ones.
 *
 * @returns {Promise<{ name: string, code: string }[]>}
 */
export async function publicBoards() {
  return JSON.parse(await request("/boards?all")).boards;
}

/** On the relay's own computer the address of the page is of no use to other devices. */
export const isLoopback = /^(localhost|127\.[\d.]+|\[::1\])$/.test(globalThis.location?.hostname ?? "");

/** @typedef {"pending" | "accepted" | "declined" | "timeout"} ChallengeAnswer */

/**
 * The state of the challenge to a board.
 *
 * @param {string} board
 * @param {string} code of the game
 * @returns {Promise<ChallengeAnswer>}
 */
export async function readChallenge(board, code) {
  return JSON.parse(await request(`/boards/${encodeURIComponent(board)}/challenge?${new URLSearchParams({ code })}`)).answer;
}

/**
 * The address of the relay on its local network, if known, and whether it has a virtual board.
 *
 * @returns {Promise<{ nearby: string | null, board: boolean }>}
 */
export async function whereabouts() {
  return JSON.parse(await request("/whereabouts"));
}

/**
 * What the link to a game leads to.
 *
 * @param {string} code
 * @returns {Promise<Table | BoardTable>}
 */
export async function readTable(code) {
  return JSON.parse(await request(`/games/${encodeURIComponent(code)}.table`));
}

/**
 * The address of the list of a board's games.
 *
 * @param {string} board the code of the board
 */
export function gamesPath(board) {
  return `/games?${new URLSearchParams({ board })}`;
}

/**
 * The address of a game. It stays the same when another match has the code.
 *
 * @param {{ code: string, room: string, game: number }} match
 */
export function pgnPath(match) {
  return gamePath(match, "pgn");
}

/**
 * @param {{ code: string, room: string, game: number }} match
 * @param {string} format
 */
function gamePath({ code, room, game }, format) {
  const query = new URLSearchParams({ game: String(game) });
  if (room) query.set("room", room);
  return `/games/${encodeURIComponent(code)}.${format}?${query}`;
}

/**
 * The scores and the biggest mistakes of a finished game. It takes some seconds.
 *
 * @param {{ code: string, room: string, game: number }} match
 * @returns {Promise<Analysis>}
 */
export async function readAnalysis(match) {
  return JSON.parse(await request(gamePath(match, "analysis")));
}

/** @param {{ code: string, room: string, game: number }} match */
export async function readPgn(match) {
  return request(pgnPath(match));
}

/**
 * Why a WebSocket at this path was refused.
 *
 * @param {string} path
 * @returns {Promise<RequestError>}
 */
export async function whyRefused(path) {
  try {
    await request(path);
  } catch (error) {
    if (error instanceof RequestError) return error;
  }
  return new RequestError(0, t("relay.unreachable"));
}
