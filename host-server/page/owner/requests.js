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
