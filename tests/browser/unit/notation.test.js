import assert from "node:assert/strict";
import { test } from "node:test";

import { material } from "../../../host-server/page/board/material.js";
import { carried, pieceCount, placementOfFen, placementOfNumbers } from "../../../host-server/page/board/placement.js";
import { spoken } from "../../../host-server/page/board/spoken.js";
import { SQUARES, indexOf, isLight, pathBetween, placeOf, squareByKey, squareIn } from "../../../host-server/page/board/squares.js";
import { START, numbersOf, placementOf } from "./messages.js";

test("squares are numbered from a1 to h8", () => {
  assert.deepEqual([SQUARES[0], SQUARES[7], SQUARES[56], SQUARES[63]], ["a1", "h1", "a8", "h8"]);
  assert.ok(SQUARES.every((square, index) => indexOf(square) === index));
  assert.deepEqual([isLight("a1"), isLight("h1"), isLight("d1")], [false, true, true]);
});

test("places are numbered as seen, from either side", () => {
  assert.deepEqual([squareIn(0, false), squareIn(63, false)], ["a8", "h1"]);
  assert.deepEqual([squareIn(0, true), squareIn(63, true)], ["h1", "a8"]);
  for (const isFlipped of [false, true]) {
    assert.ok(SQUARES.every((square) => squareIn(placeOf(square, isFlipped), isFlipped) === square));
  }
});

test("keys lead to the next square as seen, and not over the edge", () => {
  assert.deepEqual([squareByKey("e4", "ArrowUp", false), squareByKey("e4", "ArrowUp", true)], ["e5", "e3"]);
  assert.deepEqual([squareByKey("e4", "ArrowLeft", false), squareByKey("e4", "ArrowLeft", true)], ["d4", "f4"]);
  assert.deepEqual([squareByKey("e4", "Home", false), squareByKey("e4", "End", true)], ["a4", "a4"]);
  assert.deepEqual([squareByKey("h8", "ArrowUp", false), squareByKey("h8", "ArrowRight", false)], [null, null]);
  assert.equal(squareByKey("e4", "x", false), undefined);
});

test("a slid piece crosses the squares of the shortest path", () => {
  assert.deepEqual(pathBetween("f1", "c4"), ["e2", "d3", "c4"]);
  assert.deepEqual(pathBetween("g1", "f3"), ["f2", "f3"]);
});

test("placements are read from a FEN and from the relay's numbers", () => {
  for (const fen of [START, "8/5k2/8/3Pp3/8/8/8/R3K2R w KQ e6 0 9"]) {
    assert.equal(placementOfFen(fen), placementOf(fen));
    assert.equal(placementOfNumbers(numbersOf(fen)), placementOf(fen));
  }
  assert.equal(placementOfFen("").length, 64);
});

test("a carried piece replaces the one on its target", () => {
  const captured = carried(placementOf(START), { from: "d1", to: "d8" });
  assert.equal(captured, placementOf("rnbQkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR"));
  assert.deepEqual([pieceCount(placementOf(START)), pieceCount(captured)], [32, 31]);
});

test("moves are spoken in words", () => {
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

test("captured pieces are counted, promoted pawns are not", () => {
  const now = placementOf("rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPP1/RNBQKBNQ");
  const { captured, lead } = material(placementOf(START), now);
  assert.deepEqual(captured, { white: ["R"], black: ["p"] });
  assert.equal(lead, 4);
});
