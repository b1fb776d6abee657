// What the owner of the relay asks it. The password is kept for this window only.

import { request } from "../relay/http.js";

/**
 * @typedef {object} Pairing a board that asks to be paired
 * @property {string} id
 * @property {string} name the name that the board has; empty if none
 * @property {string} software
 * @property {string} address
 * @property {string[]} squares
 */

/**
 * @typedef {{ name: string, connected: boolean }} PairedBoard
 * @typedef {"everyone" | "link" | "off"} Challenges
 * @typedef {{ software: string, connected_s: number, occupied: string[] | null }} LiveBoard
 * @typedef {{ name: string, code: string, challenges: Challenges, live: LiveBoard | null }} BoardState
 */

const PASSWORD = "tabiya-owner-password";

/** @param {string} password */
export function keepPassword(password) {
  sessionStorage.setItem(PASSWORD, password);
}

/** @returns {Record<string, string>} */
function authorization() {
  const password = sessionStorage.getItem(PASSWORD);
  return password ? { authorization: `bearer ${password}` } : {};
}

/** @returns {Promise<Pairing[]>} */
export async function readPairings() {
  return JSON.parse(await request("/owner/pairings", { headers: authorization() })).pairings;
}

/**
 * @param {string} id
 * @param {{ answer: "accept", name: string } | { answer: "decline" }} answer
 */
export async function answerPairing(id, answer) {
  const headers = { ...authorization(), "content-type": "application/json" };
  await request(`/owner/pairings/${encodeURIComponent(id)}`, { method: "POST", headers, body: JSON.stringify(answer) });
}

/** @returns {Promise<PairedBoard[]>} */
export async function readBoards() {
  return JSON.parse(await request("/owner/boards", { headers: authorization() })).boards;
}

/** @param {string} name */
export const boardPath = (name) => `/owner/boards/${encodeURIComponent(name)}`;

/**
 * @param {string} name
 * @returns {Promise<BoardState>}
 */
export async function readBoard(name) {
  return JSON.parse(await request(`${boardPath(name)}/state`, { headers: authorization() }));
}

/**
 * Changes what the relay stores about a board.
 *
 * @param {string} name
 * @param {{ name?: string, challenges?: Challenges }} settings
 * @returns {Promise<{ name: string }>}
 */
export async function changeBoard(name, settings) {
  const headers = { ...authorization(), "content-type": "application/json" };
  return JSON.parse(await request(`${boardPath(name)}/settings`, { method: "POST", headers, body: JSON.stringify(settings) }));
}

/**
 * Has the console of a board execute a line.
 *
 * @param {string} name
 * @param {string} line
 * @returns {Promise<{ answer: string, took_ms: number }>}
 */
export async function runLine(name, line) {
  const headers = { ...authorization(), "content-type": "application/json" };
  return JSON.parse(await request(`${boardPath(name)}/console`, { method: "POST", headers, body: JSON.stringify({ line }) }));
}
