import assert from "node:assert/strict";
import { test } from "node:test";

import { messageReaction } from "../../../host-server/page/game/reactions.js";
import { connectionChanged, messageUnsent, unconfirmedChanged } from "../../../host-server/page/game/reducer.js";
import { isAtStake, isOurTurn, isTimed, newMatch, positionAt, promotionChoices, shownTargets, targets } from "../../../host-server/page/game/state.js";
import { after, AFTER_E4, AFTER_E5, apply, e4, e5, init, placementOf, start, START, state } from "./messages.js";

test("a game collects its moves", () => {
  const match = after(init(), start(), state(), e4(), e5());
  assert.equal(match.color, "white");
  assert.deepEqual(match.plies.map(({ san }) => san), ["e4", "e5"]);
  assert.deepEqual([match.now.placement, match.start.placement], [placementOf(AFTER_E5), placementOf(START)]);
  assert.ok(isOurTurn(match));
  assert.deepEqual(targets(match, "d2"), ["d3", "d4"]);
  assert.deepEqual(targets(match, "a1"), []);
});

test("a game is at stake when both players have moved, also if the second move is not confirmed", () => {
  const moved = after(init(), start(), state(), e4());
  assert.deepEqual([isAtStake(moved), isAtStake(apply(moved, e5(), 0))], [false, true]);
  assert.ok(isAtStake(unconfirmedChanged(moved, "sent")));
});

test("a piece that is selected for a premove shows where it could go, in the position that the relay was asked about", () => {
  const asked = after(init(), start(), state(), e4(), { type: "premoves", ply: 1, moves: { g1: ["f3", "h3"] } });
  assert.ok(!isOurTurn(asked));
  assert.deepEqual([shownTargets(asked, "g1"), shownTargets(asked, "a1")], [["f3", "h3"], []]);
  assert.deepEqual(targets(asked, "g1"), [], "they are not legal moves");
  // An answer about another position does not count.
  assert.deepEqual(shownTargets(after(init(), start(), state(), e4(), { type: "premoves", ply: 0, moves: { g1: ["f3"] } }), "g1"), []);
  const ours = apply(asked, e5(), 0);
  assert.deepEqual(shownTargets(ours, "d2"), targets(ours, "d2"));
});

test("a late joiner gets every position", () => {
  const moves = [
    { uci: "e2e4", san: "e4", color: "white", fen: AFTER_E4, checked: ["e8"] },
    { uci: "e7e5", san: "e5", color: "black", fen: AFTER_E5 },
  ];
  const match = after(init(), start(), { ...e5(), start: START, moves });
  const first = positionAt(match, 1);
  assert.deepEqual([first.placement, first.uci, first.checked], [placementOf(AFTER_E4), "e2e4", ["e8"]]);
  assert.deepEqual([positionAt(match, 0).fen, positionAt(match, 0).placement], [START, placementOf(START)]);
  assert.deepEqual([positionAt(match, null).fen, positionAt(match, null).checked], [AFTER_E5, []]);
});

test("a game can start from any position", () => {
  const fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  const match = after(init(), start(), state({ fen, start: fen, moves: [] }));
  assert.equal(match.start.placement, placementOf(fen));
  assert.equal(positionAt(match, 0).placement, placementOf(fen));
});

test("a takeback removes moves", () => {
  const match = after(init(), start(), state(), e4(), e5(), e4());
  assert.deepEqual(match.plies.map(({ san }) => san), ["e4"]);
  assert.deepEqual(after(init(), start(), state(), e4(), state()).plies, []);
});

test("a move that its player's board corrects is not called a takeback", () => {
  const moved = after(init(), start(), state(), e4(), e5());
  const corrected = apply(moved, { type: "corrected", color: "black" }, 0);
  assert.equal(corrected.news?.sentence, "Bo corrects the move.");
  const without = apply(corrected, e4(), 0);
  assert.deepEqual([without.plies.length, without.news?.sentence], [1, "Bo corrects the move."]);
  const react = /** @type {any} */ (messageReaction);
  assert.deepEqual(react(corrected, without, e4()), { sound: "move" });
  // The own board says it itself; what is taken back later is a takeback again.
  const own = apply(apply(after(init(), start(), state(), e4()), { type: "corrected", color: "white" }, 0), state(), 0);
  assert.equal(own.news, null);
  const again = apply(apply(without, e5(), 0), e4(), 0);
  assert.equal(again.news?.sentence, "Takeback accepted.");
  assert.deepEqual(react(apply(without, e5(), 0), again, e4()), { sound: "move", sentence: "Takeback accepted." });
});

test("a rematch starts without moves", () => {
  const match = after(init(), start(), state(), e4(), start({ game: 2, color: "black" }), state({ game: 2 }));
  assert.deepEqual([match.plies, match.color, match.game, match.ending], [[], "black", 2, null]);
});

test("the ending names the winner although the loser has left", () => {
  const end = { type: "end_of_game", result: "disconnect", winner_id: "anna-id", reason: "disconnect", result_text: "1-0", clock: null };
  const leave = { type: "leave", user_id: "bo-id", username: "Bo", role: "player", color: "black" };
  const match = after(init(), start(), state(), leave, end);
  assert.deepEqual([match.ending?.winner, match.phase, match.players.black, match.legal], ["white", "over", null, {}]);
  assert.deepEqual(match.left, { black: "Bo" });
});

test("offers are kept until they are declined or a move is made", () => {
  const draw = { type: "offer", kind: "draw", color: "black" };
  const takeback = { type: "offer", kind: "takeback", color: "black", plies: 2 };
  const match = after(init(), start(), e4(), draw, takeback);
  assert.deepEqual(match.offers, { draw: "black", takeback: { color: "black", plies: 2 }, rematch: null });
  assert.equal(apply(match, { type: "offer_declined", kind: "takeback" }, 0).offers.takeback, null);
  assert.equal(apply(match, e5(), 0).offers.draw, null);
});

test("the time to return is counted by our own clock", () => {
  const gone = { type: "presence", color: "black", here: false, grace_ms: 60000 };
  const match = apply(after(init(), start()), gone, 5000);
  assert.deepEqual([match.players.black?.here, match.players.black?.awayUntil], [false, 65000]);
});

test("spectators do not become players", () => {
  const join = { type: "join", user_id: "sam-id", username: "Sam", role: "spectator", color: "undefined" };
  const match = after(init(), start(), join, { type: "watching", count: 3 });
  assert.deepEqual([match.players.white?.name, match.players.black?.name, match.watching], ["Anna", "Bo", 3]);
});

test("the number of spectators comes with every init", () => {
  assert.equal(after(init()).watching, 0);
  const match = after(init({ watching: 2 }), start());
  assert.equal(match.watching, 2);
  assert.equal(apply(match, init(), 0).watching, 0);
});

test("the occupancy of a wooden board is kept until its player leaves", () => {
  const occupancy = { type: "occupancy", color: "black", occupied: ["a1"], in_hand: ["e7"], astray: [] };
  const match = after(init(), start(), occupancy);
  assert.deepEqual(match.occupancy.black, { occupied: ["a1"], inHand: ["e7"], misplaced: [] });
  const leave = { type: "leave", user_id: "bo-id", username: "Bo", role: "player", color: "black" };
  assert.equal(apply(match, leave, 0).occupancy.black, undefined);
});

test("the occupancy of a wooden board moves with its player in a rematch", () => {
  const occupancy = { type: "occupancy", color: "black", occupied: ["a1"], in_hand: [], astray: [] };
  const { white, black } = start().players;
  const again = start({ game: 2, color: "black", players: { white: black, black: white } });
  const match = after(init(), start(), occupancy, again);
  assert.deepEqual([match.occupancy.white?.occupied, match.occupancy.black], [["a1"], undefined]);
});

test("errors are numbered, so that a repeated one is shown again", () => {
  const error = { type: "error", status_code: 405, message: "Illegal move." };
  const match = after(init(), error, error);
  assert.deepEqual(match.error, { sentence: "Illegal move.", status: 405, number: 2 });
});

test("an unsent message is an error and changes nothing else", () => {
  const match = after(init(), start(), state());
  const unsent = messageUnsent(match, "Not sent: connection lost.");
  assert.deepEqual(unsent.error, { sentence: "Not sent: connection lost.", status: 0, number: 1 });
  assert.equal(messageUnsent(unsent, "Again.").error?.number, 2);
  assert.deepEqual({ ...unsent, error: null }, match);
});

test("promotion choices are those of the relay", () => {
  const match = after(init(), start(), state({ legal_moves: { a7: ["a8=qrbn", "b8=qrbn"], e1: ["e2"] } }));
  assert.deepEqual(promotionChoices(match, "a7", "b8"), ["q", "r", "b", "n"]);
  assert.deepEqual([promotionChoices(match, "e1", "e2"), targets(match, "a7")], [[], ["a8", "b8"]]);
});

test("an attempt to connect does not end the state of reconnecting", () => {
  const lost = connectionChanged(newMatch("abc"), { kind: "reconnecting", reason: "gone" }, 0);
  assert.equal(connectionChanged(lost, { kind: "connecting" }, 0).connection.kind, "reconnecting");
  assert.equal(connectionChanged(lost, { kind: "open" }, 0).connection.kind, "open");
});

test("a player whose connection is lost sees the time to return", () => {
  const open = connectionChanged(after(init({ grace_ms: 60_000 }), start(), state()), { kind: "open" }, 0);
  const lost = connectionChanged(open, { kind: "reconnecting", reason: "gone" }, 5000);
  assert.equal(lost.returnBy, 65_000);
  const still = connectionChanged(lost, { kind: "reconnecting", reason: "still gone" }, 9000);
  assert.equal(still.returnBy, 65_000);
  assert.equal(connectionChanged(still, { kind: "open" }, 10_000).returnBy, null);
});

test("time matters only while a clock, a countdown or an absence runs", () => {
  const idle = after(init(), start(), state());
  assert.equal(isTimed(idle), false);
  const clock = { white_ms: 1000, black_ms: 1000, running: "white", at: 0 };
  assert.equal(isTimed(apply(idle, state({ clock }), 0)), true);
  assert.equal(isTimed(apply(idle, state({ clock: { ...clock, running: null } }), 0)), false);
  assert.equal(isTimed(apply(idle, { type: "countdown", ms: 5000 }, 0)), true);
  const gone = { type: "presence", color: "black", here: false, grace_ms: 60_000 };
  assert.equal(isTimed(apply(idle, gone, 0)), true);
  assert.equal(isTimed(apply(apply(idle, gone, 0), { type: "presence", color: "black", here: true }, 0)), false);
  const end = { type: "end_of_game", result: "surrender", winner_id: null, reason: "resignation", result_text: "1-0", clock: null };
  assert.equal(isTimed(apply(apply(idle, gone, 0), end, 0)), false);
});

test("an unknown message changes nothing", () => {
  const match = after(init());
  assert.equal(apply(match, { type: "something_new", x: 1 }, 0), match);
});
