// What the relay is asked over plain HTTP.

/**
 * @typedef {import("./messages.js").Color} Color
 * @typedef {{ name: string, color: Color | "random", clock: { base_ms: number, increment_ms: number } | null,
 *   countdown_ms?: number }} Order
 * @typedef {{ code: string, token: string, color: Color }} Opened
 * @typedef {{ name: string, code: string }} Board
 */

/** Why the relay has not done something, in words for people. */
export class Refusal extends Error {
  /**
   * @param {number} status 0, if it could not be asked
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const AWAY = "The relay cannot be reached. Is it running, and is this device on its network?";

/**
 * @param {string} path
 * @param {RequestInit} [request]
 */
async function asked(path, request) {
  const answer = await fetch(path, { cache: "no-store", ...request }).catch(() => {
    throw new Refusal(0, AWAY);
  });
  const text = await answer.text().catch(() => "");
  if (answer.ok) return text;
  let message = text.trim();
  try {
    const said = JSON.parse(text);
    message = said.message ?? said.error ?? "";
  } catch {
    // The shell around the relay answers in a plain sentence.
  }
  throw new Refusal(answer.status, sentence(message) || `The relay answers with ${answer.status}.`);
}

/** @param {string} text */
function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) || begun === "" ? begun : `${begun}.`;
}

/**
 * Opens a match, and keeps a seat in it.
 *
 * @param {Order} order
 * @returns {Promise<Opened>}
 */
export async function openGame(order) {
  const headers = { "content-type": "application/json" };
  return JSON.parse(await asked("/games", { method: "POST", headers, body: JSON.stringify(order) }));
}

/**
 * The boards that wait for somebody to play with.
 *
 * @returns {Promise<Board[]>}
 */
export async function waitingBoards() {
  const answer = JSON.parse(await asked("/boards"));
  return answer.boards;
}

/**
 * Where else the relay can be found: on the network that it is in, if it can tell; and whether it has a virtual board.
 *
 * @returns {Promise<{ nearby: string | null, board: boolean }>}
 */
export async function whereabouts() {
  return JSON.parse(await asked("/whereabouts"));
}

/**
 * @param {string} code
 * @param {number} game
 */
export function pgnPath(code, game) {
  return `/games/${encodeURIComponent(code)}.pgn?game=${game}`;
}

/**
 * @param {string} code
 * @param {number} game
 */
export async function readPgn(code, game) {
  return asked(pgnPath(code, game));
}

/**
 * Why a WebSocket at this path was refused without a word.
 *
 * @param {string} path
 * @returns {Promise<Refusal>}
 */
export async function whyRefused(path) {
  try {
    await asked(path);
  } catch (refusal) {
    if (refusal instanceof Refusal) return refusal;
  }
  return new Refusal(0, AWAY);
}
