// The order of games in a list, and how they are searched.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isFound, linkTo, ordered } from "../../../host-server/page/games/listing.js";

/** @typedef {import("../../../host-server/page/games/listing.js").Game} Game */

/** @returns {Game} */
const game = (/** @type {Partial<Game>} */ changes = {}) => ({
  code: "ABCDEF2345",
  room: "0123456789abcdef",
  game: 1,
  phase: "over",
  white: "Anna",
  black: "Björn",
  plies: 40,
  result: "1-0",
  date: "2026.11.18",
  isYours: true,
  isYourMove: false,
  ...changes,
});

test("running games are first, and those with the own move before the others", () => {
  const games = [
    game({ code: "over" }),
    game({ code: "theirs", phase: "playing" }),
    game({ code: "waiting", phase: "waiting" }),
    game({ code: "own", phase: "playing", isYourMove: true }),
    game({ code: "older" }),
  ];
  assert.deepEqual(ordered(games).map(({ code }) => code), ["own", "theirs", "waiting", "over", "older"]);
});

test("games are found by names and dates", () => {
  for (const text of ["", "anna", "BJÖRN", "anna björn", "2026", "2026-11-18", "2026/11", "11.18", "abcdef"]) {
    assert.ok(isFound(game(), text), text);
  }
  for (const text of ["carla", "anna carla", "2025", "2026-12"]) assert.ok(!isFound(game(), text), text);
  assert.ok(!isFound(game({ white: null, black: null }), "anna"));
});

test("a finished game has a permanent link, and a running one is entered or watched", () => {
  assert.equal(linkTo(game()), "/g/ABCDEF2345?game=1&room=0123456789abcdef");
  assert.equal(linkTo(game({ phase: "playing" })), "/g/ABCDEF2345");
  assert.equal(linkTo(game({ phase: "waiting", game: 0 })), "/g/ABCDEF2345");
  assert.equal(linkTo(game({ phase: "playing", isYours: false })), "/g/ABCDEF2345?watch");
});
