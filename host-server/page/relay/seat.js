// The tokens of this browser's seats.
//
// A window keeps the token of its own seat in sessionStorage, so one browser can be both players of a game in two windows. Every
// token is also in localStorage: a player who has closed the window by mistake gets the seat back by opening the game again, unless
// another window has it.

import { keysOf, recall, remember } from "../common/memory.js";

/** How long to wait for another window to answer that it has the seat. */
const ANSWER_WITHIN_MS = 120;
/**
 * The longest time for which a relay can be told to keep games (`--keep-games`). A seat's code does not say whether the relay has its game, so
 * its token is dropped only then.
 */
const KEPT_MS = 36_500 * 86_400_000;

const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("tabiya.seats");

/** @type {string | null} */
let ownToken = null;

channel?.addEventListener("message", ({ data }) => {
  if (data?.question === "taken" && ownToken === data.token) channel.postMessage({ answer: "taken", token: data.token });
});

/**
 * Stores the token of the seat that this window has.
 *
 * @param {string} code
 * @param {string} token
 */
export function keepSeat(code, token) {
  remember("session", `seat.${code}`, token);
  remember("local", `seat.${code}.${token}`, String(Date.now()));
  ownToken = token;
}

/**
 * Removes the token of the seat that this window had.
 *
 * @param {string} code
 */
export function forgetSeat(code) {
  const token = recall("session", `seat.${code}`);
  remember("session", `seat.${code}`, null);
  if (token) remember("local", `seat.${code}.${token}`, null);
  ownToken = null;
}

/**
 * The token of a seat of this browser that no other window has, if there is one.
 *
 * @param {string} code
 * @returns {Promise<string | null>}
 */
export async function findSeat(code) {
  removeExpired();
  const own = recall("session", `seat.${code}`);
  // A duplicated window has the same token: a player may be connected twice.
  if (own) return own;
  for (const token of keysOf("local", `seat.${code}.`)) {
    if (!(await isTaken(token))) return token;
  }
  return null;
}

/**
 * @param {string} token
 * @returns {Promise<boolean>}
 */
function isTaken(token) {
  return new Promise((resolve) => {
    if (!channel) return resolve(false);
    const done = (/** @type {boolean} */ taken) => {
      channel.removeEventListener("message", receive);
      clearTimeout(later);
      resolve(taken);
    };
    const receive = (/** @type {MessageEvent} */ { data }) => {
      if (data?.answer === "taken" && data.token === token) done(true);
    };
    const later = setTimeout(() => done(false), ANSWER_WITHIN_MS);
    channel.addEventListener("message", receive);
    channel.postMessage({ question: "taken", token });
  });
}

function removeExpired() {
  for (const key of keysOf("local", "seat.")) {
    const since = Date.now() - Number(recall("local", `seat.${key}`));
    if (!(since < KEPT_MS)) remember("local", `seat.${key}`, null);
  }
}
