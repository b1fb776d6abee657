import assert from "node:assert/strict";
import { test } from "node:test";

import { connectionChanged } from "../../../host-server/page/game/reducer.js";
import {
  NOTHING_SELECTED,
  cancel,
  choose,
  drag,
  follow,
  promote,
  review,
  withPending,
} from "../../../host-server/page/game/selection.js";
import { after, apply, e4, e5, init, placementOf, start, state } from "./messages.js";

const ours = after(init(), start(), state());
const theirs = after(init(), start(), state(), e4());

test("choosing a piece and then a target makes a move", () => {
  const selected = choose(ours, NOTHING_SELECTED, "e2");
  assert.equal(selected.square, "e2");
  assert.deepEqual(choose(ours, selected, "e4").pending, { from: "e2", to: "e4", ply: 0 });
});

test("choosing an unreachable square, or the same one again, deselects", () => {
  const selected = choose(ours, NOTHING_SELECTED, "e2");
  for (const square of ["e5", "e2"]) {
    const next = choose(ours, selected, square);
    assert.deepEqual([next.square, next.pending], [null, null]);
  }
  assert.equal(choose(ours, selected, "g1").square, "g1");
  assert.equal(choose(ours, NOTHING_SELECTED, "e7").square, null);
});

test("nothing can be selected while a move is pending", () => {
  const sent = drag(ours, NOTHING_SELECTED, { from: "e2", to: "e4" });
  assert.equal(choose(ours, sent, "g1").square, null);
  assert.equal(drag(ours, sent, { from: "g1", to: "f3" }).pending?.from, "e2");
  assert.equal(withPending(ours.now.placement, sent), placementOf("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"));
});

test("a refused move is no longer pending, and one that could not be stored still is", () => {
  const online = connectionChanged(ours, { kind: "open" }, 0);
  const sent = drag(online, NOTHING_SELECTED, { from: "e2", to: "e4" });
  const refused = apply(online, { type: "error", status_code: 409, message: "no" }, 0);
  assert.equal(follow(online, refused, sent).pending, null);
  const unstored = apply(online, { type: "error", status_code: 503, message: "not stored" }, 0);
  assert.deepEqual(follow(online, unstored, sent).pending, sent.pending, "the session sends it again");
});

test("a premove is played on our turn if it is legal then", () => {
  const planned = drag(theirs, NOTHING_SELECTED, { from: "g1", to: "f3" });
  assert.deepEqual([planned.premove, planned.pending], [{ from: "g1", to: "f3" }, null]);
  const turn = apply(theirs, e5(), 0);
  const played = follow(theirs, turn, planned);
  assert.deepEqual([played.premove, played.pending], [null, { from: "g1", to: "f3", promotion: undefined, ply: 2 }]);
  const illegal = follow(theirs, turn, drag(theirs, NOTHING_SELECTED, { from: "a1", to: "a8" }));
  assert.deepEqual([illegal.premove, illegal.pending], [null, null]);
});

test("a premove that promotes takes the first choice of the relay", () => {
  const planned = drag(theirs, NOTHING_SELECTED, { from: "g1", to: "f3" });
  const turn = apply(theirs, { ...e5(), legal_moves: { g1: ["f3=nq"] } }, 0);
  assert.equal(follow(theirs, turn, planned).pending?.promotion, "n");
});

test("a premove is cancelled by choosing a square, or explicitly", () => {
  const planned = drag(theirs, NOTHING_SELECTED, { from: "g1", to: "f3" });
  assert.equal(choose(theirs, planned, "a5").premove, null);
  assert.equal(cancel(planned).premove, null);
});

test("a promotion waits for one of the offered pieces", () => {
  const match = after(init(), start(), state({ legal_moves: { a7: ["a8=qrbn"] }, fen: "4k3/P7/8/8/8/8/8/4K3 w - - 0 1" }));
  const waiting = drag(match, NOTHING_SELECTED, { from: "a7", to: "a8" });
  assert.deepEqual([waiting.promoting, waiting.pending], [{ from: "a7", to: "a8" }, null]);
  assert.deepEqual(promote(match, waiting, "n").pending, { from: "a7", to: "a8", promotion: "n", ply: 0 });
  assert.equal(promote(match, waiting, "k").pending, null);
  assert.equal(promote(theirs, waiting, "n").pending, null);
});

test("every position can be reviewed", () => {
  const match = after(init(), start(), state(), e4(), e5());
  const back = review(match, NOTHING_SELECTED, "back");
  assert.equal(back.review, 1);
  assert.equal(review(match, back, "first").review, 0);
  assert.equal(review(match, review(match, back, "first"), "back").review, 0);
  assert.equal(review(match, back, "on").review, null);
  assert.equal(review(match, NOTHING_SELECTED, 1).review, 1);
});

test("choosing a square ends a review, a move of the opponent does not", () => {
  const match = after(init(), start(), state(), e4(), e5());
  const back = review(match, NOTHING_SELECTED, "back");
  assert.deepEqual([choose(match, back, "d2").review, choose(match, back, "d2").square], [null, null]);
  assert.equal(follow(theirs, match, { ...NOTHING_SELECTED, review: 1 }).review, 1);
});

test("spectators cannot select or move pieces", () => {
  const match = after(init({ color: "undefined", role: "spectator" }), start({ color: "undefined" }), state());
  assert.equal(choose(match, NOTHING_SELECTED, "e2").square, null);
  assert.equal(drag(match, NOTHING_SELECTED, { from: "e2", to: "e4" }).pending, null);
});
