import assert from "node:assert/strict";
import { test } from "node:test";

import { material } from "../../../host-server/page/board/material.js";
import { placement } from "../../../host-server/page/board/placement.js";
import { spoken } from "../../../host-server/page/board/spoken.js";
import { SQUARES, indexOf } from "../../../host-server/page/board/squares.js";
import { boardOf } from "./said.js";

test("squares are counted as one reads", () => {
  assert.deepEqual([SQUARES[0], SQUARES[7], SQUARES[56], SQUARES[63]], ["a8", "h8", "a1", "h1"]);
  assert.ok(SQUARES.every((square, index) => indexOf(square) === index));
});

test("a FEN is read", () => {
  for (const fen of ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/5k2/8/3Pp3/8/8/8/R3K2R w KQ e6 0 9"]) {
    assert.deepEqual(placement(fen), boardOf(fen));
  }
  assert.equal(placement("").length, 64);
});

test("moves are said in words", () => {
  for (const [san, words] of /** @type {[string, string][]} */ ([
    ["e4", "pawn e4"],
    ["exd5", "pawn e takes d5"],
    ["Nf3", "knight f3"],
    ["Nbxd7+", "knight b takes d7, check"],
    ["O-O", "castles king side"],
    ["O-O-O#", "castles queen side, checkmate"],
    ["bxa8=N", "pawn b takes a8, becomes a knight"],
    ["Qh4#", "queen h4, checkmate"],
  ])) {
    assert.equal(spoken(san), words);
  }
});

test("what was taken is counted, and a pawn that promoted was not", () => {
  const start = placement("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
  const now = placement("rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPP1/RNBQKBNQ");
  const { taken, ahead } = material(start, now);
  assert.deepEqual(taken, { white: [2], black: [-1] });
  assert.equal(ahead, 4);
});
