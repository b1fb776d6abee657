// A game whose rules the page does not know: everything comes from the relay.

import assert from "node:assert/strict";
import { test } from "node:test";

import { colorOf, pieceName } from "../../../host-server/page/board/pieces.js";
import { choose, isOurs, promote, NOTHING_SELECTED } from "../../../host-server/page/game/selection.js";
import { connectionChanged } from "../../../host-server/page/game/reducer.js";
import { isChess, positionAt, promotionChoices, targets } from "../../../host-server/page/game/state.js";
import { endingSentence } from "../../../host-server/page/game/words.js";
import { after, apply, init, start, state } from "./messages.js";

const EMPTY = ".".repeat(40);
const BEFORE = `xx......${EMPTY}......YY........`;
const AFTER = `x.......${".x......"}${".".repeat(32)}......YY........`;

/** @type {import("../../../host-server/page/board/pieces.js").Kinds} */
const PIECES = { x: { name: "runner", color: "white" }, Y: { name: "guard", color: "black", drawing: "R" } };

/** @param {object} fields */
function otherState(fields) {
  const { fen: _, ...message } = state({ ...fields });
  return message;
}

const opening = () =>
  otherState({
    placement: BEFORE,
    pieces: PIECES,
    choices: { z: { name: "zebra", drawing: "N" }, w: { name: "wall" } },
    legal_moves: { b1: ["b2", "c2=zw"] },
  });

const joined = () => {
  const match = after(init({ rules: "other" }), start(), opening());
  return connectionChanged(match, { kind: "open" }, 0);
};

test("pieces, sides and names come from the relay", () => {
  const match = joined();
  assert.equal(isChess(match), false);
  assert.equal(match.now.placement, BEFORE);
  assert.equal(colorOf("x", match.kinds), "white");
  assert.equal(pieceName("Y", match.kinds), "black guard");
  assert.equal(isOurs(match, "b1"), true);
  assert.equal(isOurs(match, "g7"), false);
});

test("targets and choices come from the relay", () => {
  const match = joined();
  assert.deepEqual(targets(match, "b1"), ["b2", "c2"]);
  assert.deepEqual(promotionChoices(match, "b1", "c2"), ["z", "w"]);
  const lifted = choose(match, NOTHING_SELECTED, "b1");
  assert.deepEqual(choose(match, lifted, "b2").pending, { from: "b1", to: "b2", ply: 0 });
  const choosing = choose(match, lifted, "c2");
  assert.deepEqual(choosing.promoting, { from: "b1", to: "c2" });
  assert.deepEqual(promote(match, choosing, "w").pending, { from: "b1", to: "c2", promotion: "w", ply: 0 });
});

test("a move changes the position, and the past can be reviewed", () => {
  const before = joined();
  const moved = otherState({
    placement: AFTER,
    pieces: PIECES,
    ply: 1,
    turn: "black",
    last_move: { uci: "b1b2", san: "b1b2", color: "white" },
    legal_moves: {},
  });
  const match = apply(before, moved, 1);
  assert.notEqual(match.now.id, before.now.id);
  assert.equal(positionAt(match, 0).placement, BEFORE);
  assert.equal(positionAt(match, 1).placement, AFTER);
  assert.deepEqual(match.choices, {});
});

test("a client that joins later gets every position", () => {
  const moves = [{ uci: "b1b2", san: "b1b2", color: /** @type {const} */ ("white"), placement: AFTER }];
  const late = otherState({ placement: AFTER, pieces: PIECES, ply: 1, turn: "black", start_placement: BEFORE, moves });
  const match = after(init({ rules: "other" }), start(), late);
  assert.equal(positionAt(match, 0).placement, BEFORE);
  assert.equal(positionAt(match, 1).placement, AFTER);
});

test("the rules of the game can end it", () => {
  const end = { type: "end_of_game", result: "white_win", winner_id: null, reason: "rules", result_text: "1-0", clock: null };
  const match = apply(joined(), /** @type {any} */ (end), 2);
  assert.equal(endingSentence(match), "You won by the rules of the game.");
});
