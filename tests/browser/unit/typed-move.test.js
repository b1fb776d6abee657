import assert from "node:assert/strict";
import { test } from "node:test";

import "./english.js";
import { analysisAddress } from "../../../host-server/page/game/export.js";
import { typedMove } from "../../../host-server/page/game/typed-move.js";
import { after, e4, e5, init, start, state } from "./messages.js";

test("typed moves are read in any case", () => {
  for (const [typed, san] of /** @type {[string, string][]} */ ([
    ["nf3", "Nf3"],
    ["E6", "e6"],
    ["nxa5", "Nxa5"],
    ["NBD7", "Nbd7"],
    ["qh4#", "Qh4#"],
    ["bxc3", "bxc3"],
    ["Bxc3", "Bxc3"],
    ["bc4", "Bc4"],
    ["b4", "b4"],
    ["exd8=q", "exd8=Q"],
    ["e8N", "e8=N"],
    ["0-0", "O-O"],
    ["o-o-o", "O-O-O"],
    ["hello", "hello"],
  ])) {
    assert.deepEqual(typedMove(typed, 3), { type: "move", san, ply: 3 }, typed);
  }
  assert.deepEqual(typedMove(" E2-E4 ", 0), { type: "move", start: "e2", end: "e4", ply: 0 });
  assert.deepEqual(typedMove("a7a8n", 0), { type: "move", start: "a7", end: "a8", promotion: "n", ply: 0 });
});

test("a finished game is analysed with its moves in the address", () => {
  const match = after(init(), start(), state(), e4(), e5());
  assert.equal(analysisAddress(match), "https://lichess.org/analysis/pgn/e4%20e5");
});
