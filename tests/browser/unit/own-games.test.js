// What a browser keeps of its games and seats.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

/** A storage that lists its keys as a browser does. */
class FakeStorage {
  /** @param {string} key */
  getItem(key) {
    return Object.hasOwn(this, key) ? Reflect.get(this, key) : null;
  }

  /**
   * @param {string} key
   * @param {string} value
   */
  setItem(key, value) {
    Reflect.set(this, key, value);
  }

  /** @param {string} key */
  removeItem(key) {
    Reflect.deleteProperty(this, key);
  }
}

/** @param {"localStorage" | "sessionStorage"} kind */
const empty = (kind) => Object.defineProperty(globalThis, kind, { value: new FakeStorage(), configurable: true });
// It would keep the test running. There is no other window.
Object.defineProperty(globalThis, "BroadcastChannel", { value: undefined, configurable: true });

const { colorIn, forgetGame, keepGame, ownGames } = await import("../../../host-server/page/common/own-games.js");
const { findSeat, keepSeat } = await import("../../../host-server/page/relay/seat.js");

const YEAR_MS = 365 * 86_400_000;

beforeEach(() => {
  empty("localStorage");
  empty("sessionStorage");
  mock.timers.reset();
  mock.timers.enable({ apis: ["Date"], now: Date.UTC(2026, 0, 1) });
});

test("the games of a browser are listed until the relay has forgotten them, the newest first", () => {
  keepGame("ABC", "0123", "white", 1);
  mock.timers.tick(99 * YEAR_MS);
  keepGame("DEF", "4567", "black", 0);
  assert.deepEqual(ownGames().map(({ code }) => code), ["DEF", "ABC"]);
  forgetGame("0123");
  assert.deepEqual(ownGames().map(({ code }) => code), ["DEF"]);
});

test("a seat is found for as long as a relay can keep its game", async () => {
  keepSeat("ABC", "token");
  // The window was closed.
  empty("sessionStorage");
  mock.timers.tick(99 * YEAR_MS);
  assert.equal(await findSeat("ABC"), "token");
  mock.timers.tick(YEAR_MS);
  assert.equal(await findSeat("ABC"), null);
});

test("every rematch exchanges the colours", () => {
  const own = (/** @type {number | undefined} */ game) =>
    /** @type {import("../../../host-server/page/common/own-games.js").OwnGame} */ ({ code: "A", room: "0", color: "white", at: 0, ...(game !== undefined && { game }) });
  assert.deepEqual([1, 2, 3].map((game) => colorIn(own(1), game)), ["white", "black", "white"]);
  assert.deepEqual([2, 3, 4].map((game) => colorIn(own(2), game)), ["white", "black", "white"]);
  // The seat was taken before the first game.
  assert.deepEqual([0, 1, 2].map((game) => colorIn(own(0), game)), ["white", "white", "black"]);
  // An older page has not stored which game it saw.
  assert.deepEqual([1, 2].map((game) => colorIn(own(undefined), game)), ["white", "white"]);
});
