import assert from "node:assert/strict";
import { test } from "node:test";

import { isOurTurn, lament, lineChanged, newMatch, promotes, seenAt, targets } from "../../../host-server/page/game/state.js";
import { after, AFTER_E4, AFTER_E5, boardOf, e4, e5, init, start, state, told } from "./said.js";

test("a game begins, and its moves are known", () => {
  const match = after(init(), start(), state(), e4(), e5());
  assert.equal(match.color, "white");
  assert.deepEqual(match.plies.map(({ san }) => san), ["e4", "e5"]);
  assert.deepEqual(match.board, boardOf(AFTER_E5));
  assert.ok(isOurTurn(match));
  assert.deepEqual(targets(match, "d2"), ["d3", "d4"]);
  assert.deepEqual(targets(match, "a1"), []);
});

test("who comes later gets every position, and can look at each", () => {
  const moves = [
    { uci: "e2e4", san: "e4", fen: AFTER_E4 },
    { uci: "e7e5", san: "e5", fen: AFTER_E5 },
  ];
  const match = after(init(), start(), { ...e5(), moves });
  assert.deepEqual(seenAt(match, 1).board, boardOf(AFTER_E4));
  assert.equal(seenAt(match, 1).uci, "e2e4");
  assert.equal(seenAt(match, 0).fen.split(" ")[0], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
  assert.equal(seenAt(match, null).fen, AFTER_E5);
});

test("a game from elsewhere begins elsewhere", () => {
  const fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  const match = after(init(), start(), state({ fen, start: fen, moves: [] }));
  assert.deepEqual(match.startBoard, boardOf(fen));
  assert.deepEqual(seenAt(match, 0).board, boardOf(fen));
});

test("what is taken back is gone", () => {
  const match = after(init(), start(), state(), e4(), e5(), e4());
  assert.deepEqual(match.plies.map(({ san }) => san), ["e4"]);
  assert.deepEqual(after(init(), start(), state(), e4(), state()).plies, []);
});

test("a rematch begins with nothing", () => {
  const match = after(init(), start(), state(), e4(), start({ game: 2, color: "black" }), state({ game: 2 }));
  assert.deepEqual([match.plies, match.color, match.game, match.ending], [[], "black", 2, null]);
});

test("the end says who has won, also if the loser has gone", () => {
  const end = { type: "end_of_game", result: "disconnect", winner_id: "anna-id", reason: "disconnect", result_text: "1-0", clock: null };
  const leave = { type: "leave", user_id: "bo-id", username: "Bo", role: "player", color: "black" };
  const match = after(init(), start(), state(), leave, end);
  assert.deepEqual([match.ending?.winner, match.phase, match.players.black, match.legal], ["white", "over", null, {}]);
});

test("offers come and go", () => {
  const draw = { type: "offer", kind: "draw", color: "black" };
  const takeback = { type: "offer", kind: "takeback", color: "black", plies: 2 };
  const match = after(init(), start(), e4(), draw, takeback);
  assert.deepEqual(match.offers, { draw: "black", takeback: { color: "black", plies: 2 }, rematch: null });
  assert.equal(told(match, { type: "offer_declined", kind: "takeback" }, 0).offers.takeback, null);
  assert.equal(told(match, e5(), 0).offers.draw, null);
});

test("presence has an end by our own clock", () => {
  const gone = { type: "presence", color: "black", here: false, grace_ms: 60000 };
  const match = told(after(init(), start()), gone, 5000);
  assert.deepEqual([match.players.black?.here, match.players.black?.awayUntil], [false, 65000]);
});

test("spectators of a match are no players", () => {
  const join = { type: "join", user_id: "sam-id", username: "Sam", role: "spectator", color: "undefined" };
  const match = after(init(), start(), join, { type: "watching", count: 3 });
  assert.deepEqual([match.players.white?.name, match.players.black?.name, match.watching], ["Anna", "Bo", 3]);
});

test("how many watch is known from the beginning, and anew by whoever comes back", () => {
  assert.equal(after(init()).watching, 0);
  const match = after(init({ watching: 2 }), start());
  assert.equal(match.watching, 2);
  assert.equal(told(match, init(), 0).watching, 0);
});

test("the wood of a board is shown until it leaves", () => {
  const wood = { type: "wood", color: "black", occupied: ["a1"], in_hand: ["e7"], astray: [] };
  const match = after(init(), start(), wood);
  assert.deepEqual(match.wood.black, { occupied: ["a1"], inHand: ["e7"], astray: [] });
  const leave = { type: "leave", user_id: "bo-id", username: "Bo", role: "player", color: "black" };
  assert.equal(told(match, leave, 0).wood.black, undefined);
});

test("the wood of a board goes with its player when the colours change", () => {
  const wood = { type: "wood", color: "black", occupied: ["a1"], in_hand: [], astray: [] };
  const { white, black } = start().players;
  const again = start({ game: 2, color: "black", players: { white: black, black: white } });
  const match = after(init(), start(), wood, again);
  assert.deepEqual([match.wood.white?.occupied, match.wood.black], [["a1"], undefined]);
});

test("complaints are counted, so that the same one twice is seen twice", () => {
  const error = { type: "error", status_code: 405, message: "Illegal move." };
  const match = after(init(), error, error);
  assert.deepEqual(match.complaint, { sentence: "Illegal move.", status: 405, number: 2 });
});

test("what was not sent is a complaint of our own, and leaves the rest as it is", () => {
  const match = after(init(), start(), state());
  const sad = lament(match, "Not sent: the relay is away.");
  assert.deepEqual(sad.complaint, { sentence: "Not sent: the relay is away.", status: 0, number: 1 });
  assert.equal(lament(sad, "Again.").complaint?.number, 2);
  assert.deepEqual({ ...sad, complaint: null }, match);
});

test("who agrees to hints is known from the beginning", () => {
  const players = { white: { user_id: "anna-id", username: "Anna", here: true, hints: true }, black: null };
  const match = after(init({ players }));
  assert.deepEqual(match.hintsBy, { white: true, black: false });
  const both = told(match, { type: "hints", color: "black", on: true, agreed: true }, 0);
  assert.deepEqual([both.hintsBy, both.hints], [{ white: true, black: true }, true]);
});

test("a pawn that promotes is known by the relay's word", () => {
  const match = after(init(), start(), state({ legal_moves: { a7: ["a8=qrbn", "b8=qrbn"], e1: ["e2"] } }));
  assert.deepEqual([promotes(match, "a7", "b8"), promotes(match, "e1", "e2"), targets(match, "a7")], [true, false, ["a8", "b8"]]);
});

test("to try again is still to be away", () => {
  const away = lineChanged(newMatch("abc"), { kind: "away", retryAt: 1, why: "gone" });
  assert.equal(lineChanged(away, { kind: "connecting" }).line.kind, "away");
  assert.equal(lineChanged(away, { kind: "open" }).line.kind, "open");
});

test("what nobody knows changes nothing", () => {
  const match = after(init());
  assert.equal(told(match, { type: "something_new", x: 1 }, 0), match);
});
