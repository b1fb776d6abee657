import assert from "node:assert/strict";
import { test } from "node:test";

import { EMPTY_DESK, carry, choose, follow, forget, look, promote, withPending } from "../../../host-server/page/game/choosing.js";
import { after, boardOf, e4, e5, init, start, state, told } from "./said.js";

const ours = after(init(), start(), state());
const theirs = after(init(), start(), state(), e4());

test("two touches are a move", () => {
  const chosen = choose(ours, EMPTY_DESK, "e2");
  assert.equal(chosen.selected, "e2");
  assert.deepEqual(choose(ours, chosen, "e4").pending, { from: "e2", to: "e4", ply: 0 });
});

test("a square where it cannot go, or the same again, is never mind", () => {
  const chosen = choose(ours, EMPTY_DESK, "e2");
  for (const square of ["e5", "e2"]) {
    const desk = choose(ours, chosen, square);
    assert.deepEqual([desk.selected, desk.pending], [null, null]);
  }
  assert.equal(choose(ours, chosen, "g1").selected, "g1");
  assert.equal(choose(ours, EMPTY_DESK, "e7").selected, null);
});

test("nothing more is chosen while a move is on its way", () => {
  const sent = carry(ours, EMPTY_DESK, { from: "e2", to: "e4" });
  assert.equal(choose(ours, sent, "g1").selected, null);
  assert.equal(carry(ours, sent, { from: "g1", to: "f3" }).pending?.from, "e2");
  assert.deepEqual(withPending(ours.board, sent), boardOf("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"));
});

test("a move that is refused comes back", () => {
  const sent = carry(ours, EMPTY_DESK, { from: "e2", to: "e4" });
  const refused = told(ours, { type: "error", status_code: 503, message: "no" }, 0);
  assert.equal(follow(ours, refused, sent).pending, null);
});

test("what is planned is played when it is our turn, if it can be", () => {
  const planned = carry(theirs, EMPTY_DESK, { from: "g1", to: "f3" });
  assert.deepEqual([planned.premove, planned.pending], [{ from: "g1", to: "f3" }, null]);
  const turn = told(theirs, e5(), 0);
  const desk = follow(theirs, turn, planned);
  assert.deepEqual([desk.premove, desk.pending], [null, { from: "g1", to: "f3", promotion: undefined, ply: 2 }]);
  const wrong = follow(theirs, turn, carry(theirs, EMPTY_DESK, { from: "a1", to: "a8" }));
  assert.deepEqual([wrong.premove, wrong.pending], [null, null]);
});

test("a plan is given up by a touch, or by saying so", () => {
  const planned = carry(theirs, EMPTY_DESK, { from: "g1", to: "f3" });
  assert.equal(choose(theirs, planned, "a5").premove, null);
  assert.equal(forget(planned).premove, null);
});

test("a pawn waits for what it becomes", () => {
  const match = after(init(), start(), state({ legal_moves: { a7: ["a8=qrbn"] }, fen: "4k3/P7/8/8/8/8/8/4K3 w - - 0 1" }));
  const waiting = carry(match, EMPTY_DESK, { from: "a7", to: "a8" });
  assert.deepEqual([waiting.promoting, waiting.pending], [{ from: "a7", to: "a8" }, null]);
  assert.deepEqual(promote(match, waiting, "knight").pending, { from: "a7", to: "a8", promotion: "knight", ply: 0 });
  assert.equal(promote(theirs, waiting, "knight").pending, null);
});

test("one looks back, and on", () => {
  const match = after(init(), start(), state(), e4(), e5());
  const back = look(match, EMPTY_DESK, "back");
  assert.equal(back.looking, 1);
  assert.equal(look(match, back, "first").looking, 0);
  assert.equal(look(match, look(match, back, "first"), "back").looking, 0);
  assert.equal(look(match, back, "on").looking, null);
  assert.equal(look(match, EMPTY_DESK, 1).looking, 1);
  // Who touches the board while looking back wants to see how it is.
  assert.deepEqual([choose(match, back, "d2").looking, choose(match, back, "d2").selected], [null, null]);
  // A move of the other's does not take one away from what one looks at.
  assert.equal(follow(theirs, match, { ...EMPTY_DESK, looking: 1 }).looking, 1);
});

test("spectators touch nothing", () => {
  const match = after(init({ color: "undefined", role: "spectator" }), start({ color: "undefined" }), state());
  assert.equal(choose(match, EMPTY_DESK, "e2").selected, null);
  assert.equal(carry(match, EMPTY_DESK, { from: "e2", to: "e4" }).pending, null);
});
