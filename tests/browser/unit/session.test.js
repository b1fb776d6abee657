import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import "./english.js";
import { GameSession } from "../../../host-server/page/game/session.js";
import { statusSentence } from "../../../host-server/page/game/words.js";
import { AFTER_E5, e4, init, start, state } from "./messages.js";

/** A socket that records what is sent. */
class FakeWebSocket {
  static OPEN = 1;
  /** @type {FakeWebSocket[]} */ static opened = [];
  readyState = FakeWebSocket.OPEN;
  /** @type {Record<string, unknown>[]} */ sent = [];
  /** @type {() => void} */ onopen = () => {};
  /** @type {(event: { data: string }) => void} */ onmessage = () => {};

  constructor() {
    FakeWebSocket.opened.push(this);
  }

  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }

  /** @type {(event: { code: number }) => void} */ onclose = () => {};

  close() {}

  /** @param {object} message */
  receive(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  moves() {
    return this.sent.filter(({ type }) => type === "move");
  }
}

Object.assign(globalThis, {
  WebSocket: FakeWebSocket,
  location: { href: "https://chess.example/g/abc" },
  document: { hidden: false, addEventListener: () => {}, removeEventListener: () => {} },
  addEventListener: () => {},
  removeEventListener: () => {},
});

const ignore = () => {};
const listener = { changed: ignore, received: ignore, selected: ignore, unsent: ignore, seated: ignore, left: ignore };
const MOVE = { type: "move", start: "e2", end: "e4", ply: 0 };
const NOT_STORED = { type: "error", status_code: 503, message: "The move was not stored." };

beforeEach(() => {
  FakeWebSocket.opened.length = 0;
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
});

/** A game in which we are to move. */
function ourGame() {
  const session = new GameSession("abc", { token: null, name: "Anna", watch: false }, listener);
  session.connect();
  const socket = FakeWebSocket.opened.at(-1) ?? assert.fail("no WebSocket was opened");
  socket.onopen();
  for (const message of [init(), start(), state()]) socket.receive(message);
  return { session, socket };
}

/** A game in which we have sent e2e4. */
function afterOurMove() {
  const { session, socket } = ourGame();
  session.choose("e2");
  session.choose("e4");
  assert.deepEqual(socket.moves(), [MOVE]);
  return socket;
}

test("a move that was not stored is sent again until it is", () => {
  const socket = afterOurMove();
  for (const count of [2, 3]) {
    socket.receive(NOT_STORED);
    assert.equal(socket.moves().length, count - 1, "not at once");
    mock.timers.tick(1000);
    assert.deepEqual(socket.moves(), Array(count).fill(MOVE));
  }
  socket.receive(e4());
  mock.timers.tick(5000);
  assert.equal(socket.moves().length, 3);
});

test("a move that was stored after all is not sent again", () => {
  const socket = afterOurMove();
  socket.receive(NOT_STORED);
  socket.receive(e4());
  mock.timers.tick(5000);
  assert.deepEqual(socket.moves(), [MOVE]);
});

test("the headline waits for the opponent from the moment the move is sent", () => {
  const { session, socket } = ourGame();
  assert.equal(statusSentence(session.match), "Your move");
  session.choose("e2");
  session.choose("e4");
  assert.equal(statusSentence(session.match), "Waiting for Bo");
  socket.receive({ type: "error", status_code: 400, message: "Not a legal move." });
  assert.equal(statusSentence(session.match), "Your move", "refused");
  session.choose("e2");
  session.choose("e4");
  socket.receive(e4());
  assert.equal(statusSentence(session.match), "Waiting for Bo", "confirmed");
});

test("a typed move that was not stored is sent again while the position is the same", () => {
  const typed = { type: "move", san: "e4", ply: 0 };
  const { session, socket } = ourGame();
  session.send(typed);
  socket.receive(NOT_STORED);
  assert.equal(statusSentence(session.match), "Waiting for Bo");
  mock.timers.tick(1000);
  assert.deepEqual(socket.moves(), [typed, typed]);
  socket.receive(NOT_STORED);
  socket.receive(e4());
  mock.timers.tick(5000);
  assert.equal(socket.moves().length, 2);
});

/** A game in which we have sent a message, and what was lost. */
function afterMessage(/** @type {object} */ message) {
  const { session, socket } = ourGame();
  socket.receive({ type: "pong", at: 0 });
  /** @type {object[]} */
  const lost = [];
  session.send(message, () => lost.push(message));
  return { session, socket, lost };
}

test("the connection is probed after a message, and a message is lost with it until the relay has answered", () => {
  const resign = { type: "resign" };
  const silent = afterMessage(resign);
  const pings = () => silent.socket.sent.filter(({ type }) => type === "ping").length;
  assert.equal(pings(), 1);
  mock.timers.tick(1000);
  assert.equal(pings(), 2);
  mock.timers.tick(3000);
  assert.equal(silent.session.match.connection.kind, "reconnecting");
  assert.deepEqual(silent.lost, [resign]);
  assert.equal(silent.session.match.error?.sentence, "Not sent: connection lost.");

  const answered = afterMessage(resign);
  mock.timers.tick(1000);
  answered.socket.receive({ type: "pong", at: 1 });
  answered.socket.onclose({ code: 1006 });
  assert.equal(answered.session.match.connection.kind, "reconnecting");
  assert.deepEqual([answered.lost, answered.session.match.error], [[], null]);
});

test("a move is late after a second, and the connection is given up when its probe is not answered for three more", () => {
  const { session, socket } = ourGame();
  socket.receive({ type: "pong", at: 0 });
  session.choose("e2");
  session.choose("e4");
  const seen = () => [session.match.unconfirmed, socket.sent.filter(({ type }) => type === "ping").length, session.match.connection.kind];
  assert.deepEqual(seen(), ["sent", 1, "open"]);
  mock.timers.tick(999);
  assert.deepEqual(seen(), ["sent", 1, "open"]);
  mock.timers.tick(1);
  assert.deepEqual(seen(), ["late", 2, "open"]);
  mock.timers.tick(2999);
  assert.deepEqual(seen(), ["late", 2, "open"]);
  mock.timers.tick(1);
  assert.deepEqual(seen(), ["late", 2, "reconnecting"]);
});

/** The connection is lost after our move, and the relay has this state when it is back. */
function afterReconnect(/** @type {object} */ found) {
  const { session, socket } = ourGame();
  session.choose("e2");
  session.choose("e4");
  socket.onclose({ code: 1006 });
  mock.timers.tick(1000);
  const again = FakeWebSocket.opened.at(-1) ?? assert.fail("it does not reconnect");
  again.onopen();
  for (const message of [init(), start(), found]) again.receive(message);
  return { session, again };
}

test("a move is sent again after a reconnect, once, if the position is still the same", () => {
  const { session, again } = afterReconnect(state());
  assert.deepEqual([again.moves(), session.match.unconfirmed !== null], [[MOVE], true]);
  again.receive(state());
  assert.equal(again.moves().length, 1);
  again.receive(e4());
  assert.deepEqual([again.moves().length, session.match.unconfirmed], [1, null]);
});

test("a move is not sent again after a reconnect if it has arrived, or the position is another one", () => {
  const other = state({ fen: AFTER_E5, ply: 2 });
  for (const found of [e4(), other, state({ game: 2 })]) {
    const { session, again } = afterReconnect(found);
    assert.deepEqual([again.moves(), session.match.unconfirmed], [[], null]);
  }
});

test("a ping that was sent before a message does not answer for it", () => {
  const { session, socket } = ourGame();
  session.send({ type: "resign" });
  socket.receive({ type: "pong", at: 0 });
  socket.onclose({ code: 1006 });
  assert.equal(session.match.error?.sentence, "Not sent: connection lost.");
});

test("the seat is given up when the relay has confirmed it", () => {
  let left = 0;
  const session = new GameSession("abc", { token: null, name: "Anna", watch: false }, { ...listener, left: () => (left += 1) });
  session.connect();
  const socket = FakeWebSocket.opened[0] ?? assert.fail("no WebSocket was opened");
  socket.onopen();
  for (const message of [init(), start(), state()]) socket.receive(message);
  session.leave();
  for (const ms of [1000, 3000]) mock.timers.tick(ms);
  assert.equal(session.match.connection.kind, "reconnecting", "the relay is silent");
  assert.equal(left, 0);
  mock.timers.tick(1000);
  const again = FakeWebSocket.opened[1] ?? assert.fail("it does not reconnect");
  again.onopen();
  for (const message of [init(), start(), state()]) again.receive(message);
  assert.equal(left, 0, "a reconnect does not leave");
  session.leave();
  again.receive({ type: "close", message: "You have left." });
  again.onclose({ code: 1000 });
  assert.equal(left, 1);
});
