import assert from "node:assert/strict";
import { test } from "node:test";

import { EMPTY } from "../../../host-server/page/board/pieces.js";
import { pieceOn } from "../../../host-server/page/board/placement.js";
import { SQUARES } from "../../../host-server/page/board/squares.js";
import { differing } from "../../../host-server/page/game/player-strip.js";
import { messageReaction, selectionReaction } from "../../../host-server/page/game/reactions.js";
import { connectionChanged } from "../../../host-server/page/game/reducer.js";
import { NOTHING_SELECTED, choose, drag, review } from "../../../host-server/page/game/selection.js";
import { newMatch } from "../../../host-server/page/game/state.js";
import { viewState } from "../../../host-server/page/game/view-state.js";
import { endingSentence, reviewSentence, statusSentence, unsentSentence } from "../../../host-server/page/game/words.js";
import { after, apply, AFTER_E4, e4, e5, init, placementOf, start, state } from "./messages.js";

/**
 * @param {string} reason
 * @param {string} result
 */
const end = (reason, result) => ({
  type: "end_of_game",
  result: "",
  winner_id: null,
  reason,
  result_text: result,
  clock: null,
});

const leave = (username = "Bo") => ({ type: "leave", user_id: "bo-id", username, role: "player", color: "black" });

test("endings are named in the words of chess", () => {
  const game = after(init(), start(), state());
  for (const [reason, result, sentence] of /** @type {[string, string, string][]} */ ([
    ["checkmate", "1-0", "You won by checkmate."],
    ["time", "0-1", "You lost on time."],
    ["resignation", "0-1", "You lost by resignation."],
    ["insufficient_material", "1/2-1/2", "Draw by insufficient material."],
    ["time_against_bare_king", "1/2-1/2", "Draw on time: insufficient material."],
    ["aborted", "*", "Game aborted."],
  ])) {
    assert.equal(endingSentence(apply(game, end(reason, result), 0)), sentence);
  }
});

test("the ending names the player who left, if the name is short", () => {
  const game = after(init(), start(), state());
  assert.equal(endingSentence(apply(apply(game, leave(), 0), end("disconnect", "1-0"), 0)), "You won: Bo left the game.");
  const long = apply(apply(game, leave("B".repeat(32)), 0), end("disconnect", "1-0"), 0);
  assert.equal(endingSentence(long), "You won: your opponent left the game.");
  const spectator = after(init({ color: "undefined", role: "spectator" }), start({ color: "undefined" }), leave(), end("disconnect", "1-0"));
  assert.equal(endingSentence(spectator), "White won: Bo left the game.");
});

test("a player who lost by absence did not leave", () => {
  const game = after(init(), start(), state());
  const away = { type: "presence", color: "black", here: false };
  const claimed = [away, leave(), end("disconnect", "1-0")].reduce((match, message) => apply(match, message, 0), game);
  assert.equal(endingSentence(claimed), "You won: Bo did not come back in time.");
  // The seat is kept for a while, and who still has it has not left.
  assert.equal(endingSentence(apply(game, end("disconnect", "0-1"), 0)), "You lost: you did not come back in time.");
});

test("a strip names the squares that a hand has to empty before those that it has to fill", () => {
  const placement = placementOf(AFTER_E4);
  const before = after(init(), start(), state()).now.placement;
  const occupied = SQUARES.filter((square) => pieceOn(before, square) !== EMPTY);
  assert.deepEqual(differing(placement, occupied), { from: ["e2"], to: ["e4"] });
});

test("the headline says whose move it is, and names a check", () => {
  assert.equal(statusSentence(after(init(), start(), state())), "Your move");
  assert.equal(statusSentence(after(init(), start(), e4())), "Waiting for Bo");
  assert.equal(statusSentence(after(init(), start(), state({ checked: ["e1"] }))), "Check! Your move");
});

test("the headline shows the state of the connection before the match is known", () => {
  const lost = connectionChanged(newMatch("abc"), { kind: "reconnecting", reason: "gone" }, 0);
  assert.equal(statusSentence(lost), "Connection lost, reconnecting");
  assert.equal(unsentSentence(lost), "Not sent: connection lost.");
  const refused = (/** @type {number} */ status) => connectionChanged(newMatch("abc"), { kind: "refused", status, reason: "" }, 0);
  assert.deepEqual([statusSentence(refused(404)), statusSentence(refused(409))], ["No such game", "Game not available"]);
});

test("a review names the move as the list of moves does", () => {
  const match = after(init(), start(), state(), e4(), e5());
  assert.deepEqual([1, 2, 0].map((ply) => reviewSentence(match, ply)), ["Reviewing 1. e4", "Reviewing 1… e5", "Reviewing the start position"]);
  const set = { ...match, start: { ...match.start, fen: "8/8/8/8/8/8/8/8 b - - 0 30" }, plies: match.plies.slice(1) };
  assert.equal(reviewSentence(set, 1), "Reviewing 30… e5");
});

test("a move is announced with its side, and sounds as a capture if a piece was captured", () => {
  const before = after(init(), start(), state());
  assert.deepEqual(messageReaction(before, apply(before, e4(), 0), /** @type {any} */ (e4())), { sound: "move", sentence: "White: pawn e4." });
  const capture = { ...e4(), board: Array(64).fill(0) };
  assert.equal(messageReaction(before, apply(before, capture, 0), /** @type {any} */ (capture))?.sound, "capture");
  const check = { ...e4(), checked: ["e8"] };
  assert.equal(messageReaction(before, apply(before, check, 0), /** @type {any} */ (check))?.sound, "check");
});

test("selections, premoves and reviews are announced", () => {
  const [ours, theirs] = [after(init(), start(), state()), after(init(), start(), state(), e4())];
  const sentence = (/** @type {typeof ours} */ match, /** @type {typeof NOTHING_SELECTED} */ selection) =>
    selectionReaction(match, NOTHING_SELECTED, selection)?.sentence;
  assert.equal(sentence(ours, choose(ours, NOTHING_SELECTED, "e2")), "Can go to e3, e4.");
  assert.equal(sentence(theirs, drag(theirs, NOTHING_SELECTED, { from: "g1", to: "f3" })), "Planned: g1 to f3. Escape cancels.");
  assert.equal(sentence(theirs, review(theirs, NOTHING_SELECTED, "first")), "The start position.");
  assert.equal(sentence(ours, NOTHING_SELECTED), undefined);
});

test("the board shows a pending move, or the reviewed position", () => {
  const match = after(init(), start(), state());
  const sent = drag(match, NOTHING_SELECTED, { from: "e2", to: "e4" });
  assert.equal(viewState(match, sent).shown.placement, placementOf(AFTER_E4));
  const played = after(init(), start(), state(), e4(), e5());
  const reviewed = viewState(played, { ...sent, review: 1 });
  assert.deepEqual([reviewed.shown.placement, reviewed.isReview, reviewed.shown.uci], [placementOf(AFTER_E4), true, "e2e4"]);
});

test("our side is below, unless the board is flipped", () => {
  const black = after(init({ color: "black" }), start({ color: "black" }), state());
  assert.equal(viewState(black, NOTHING_SELECTED).bottom, "black");
  assert.equal(viewState(black, { ...NOTHING_SELECTED, isFlipped: true }).bottom, "white");
});
