// Which seats are ours. A seat is opened by a secret, its token.
//
// A window keeps the token of its own seat for itself, so one browser can have both players of a game in two windows. Every
// token is also kept for all windows: who has closed a window by mistake gets the seat back by opening the game again, if
// no other window sits in it at that moment.

import { keysOf, recall, remember } from "../common/memory.js";

/** @typedef {import("./messages.js").Color} Color */

/** Whoever sits in a window answers at once; an empty house is silent. */
const PATIENCE_MS = 120;
/** Tokens are forgotten after a month: no match is kept for longer. */
const KEPT_MS = 30 * 86_400_000;

const hall = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("tabiya.seats");

/** @type {string | null} */
let sittingIn = null;

hall?.addEventListener("message", ({ data }) => {
  if (data?.question === "taken" && sittingIn === data.token) hall.postMessage({ answer: "taken", token: data.token });
});

/**
 * Remembers a seat, and sits in it.
 *
 * @param {string} code
 * @param {string} token
 */
export function keepSeat(code, token) {
  remember("session", `seat.${code}`, token);
  remember("local", `seat.${code}.${token}`, String(Date.now()));
  sittingIn = token;
}

/**
 * Forgets the seat of this window.
 *
 * @param {string} code
 */
export function forgetSeat(code) {
  const token = recall("session", `seat.${code}`);
  remember("session", `seat.${code}`, null);
  if (token) remember("local", `seat.${code}.${token}`, null);
  sittingIn = null;
}

/**
 * The token of a seat that is ours and that no other window sits in, if there is one.
 *
 * @param {string} code
 * @returns {Promise<string | null>}
 */
export async function findSeat(code) {
  sweep();
  const own = recall("session", `seat.${code}`);
  // A window that was duplicated has the same seat, and may.
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
    if (!hall) return resolve(false);
    const done = (/** @type {boolean} */ taken) => {
      hall.removeEventListener("message", hear);
      clearTimeout(later);
      resolve(taken);
    };
    const hear = (/** @type {MessageEvent} */ { data }) => {
      if (data?.answer === "taken" && data.token === token) done(true);
    };
    const later = setTimeout(() => done(false), PATIENCE_MS);
    hall.addEventListener("message", hear);
    hall.postMessage({ question: "taken", token });
  });
}

function sweep() {
  for (const key of keysOf("local", "seat.")) {
    const since = Date.now() - Number(recall("local", `seat.${key}`));
    if (!(since < KEPT_MS)) remember("local", `seat.${key}`, null);
  }
}
