import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { ReconnectingSocket } from "../../../host-server/page/relay/socket.js";

/** @type {FakeWebSocket[]} The sockets that were opened, in order. */
let opened = [];

class FakeWebSocket {
  static OPEN = 1;
  readyState = 0;
  /** @type {string[]} */ sent = [];
  onopen = () => {};
  onclose = (/** @type {{ code: number }} */ _) => {};
  onmessage = (/** @type {{ data: unknown }} */ _) => {};

  /** @param {URL} url */
  constructor(url) {
    this.url = url;
    opened.push(this);
  }

  accept() {
    this.readyState = FakeWebSocket.OPEN;
    this.onopen();
  }

  /** @param {number} code */
  lose(code) {
    this.readyState = 3;
    this.onclose({ code });
  }

  /** @param {string} data */
  send(data) {
    this.sent.push(data);
  }

  close() {
    this.lose(1005);
  }
}

Object.assign(globalThis, {
  WebSocket: FakeWebSocket,
  location: { href: "https://chess.example/g/abc" },
  document: { hidden: false, addEventListener: () => {}, removeEventListener: () => {} },
  addEventListener: () => {},
  removeEventListener: () => {},
});

/** @type {unknown[][]} */
let events = [];

function connect() {
  /** @type {ReconnectingSocket} */
  const socket = new ReconnectingSocket({
    path: () => "/ws/panel",
    opened: () => events.push(["opened"]),
    received: (data) => events.push(["received", data]),
    lost: (code, wasOpen) => {
      events.push(["lost", code, wasOpen]);
      socket.retry();
    },
  });
  return socket;
}

const last = () => /** @type {FakeWebSocket} */ (opened.at(-1));

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  opened = [];
  events = [];
});

test("the address has the scheme of a WebSocket", () => {
  connect();
  assert.equal(last().url.href, "wss://chess.example/ws/panel");
});

test("delays grow exponentially up to a limit, with jitter", () => {
  connect();
  for (const delay of [300, 600, 1200, 2400, 4800, 8000, 8000]) {
    const attempts = opened.length;
    last().lose(1006);
    mock.timers.tick(Math.floor(delay * 0.8) - 1);
    assert.equal(opened.length, attempts, `too early for ${delay} ms`);
    mock.timers.tick(Math.ceil(delay * 0.4) + 1);
    assert.equal(opened.length, attempts + 1, `too late for ${delay} ms`);
  }
});

test("a working connection resets the delay", () => {
  const socket = connect();
  for (let failure = 0; failure < 5; failure += 1) {
    last().lose(1006);
    mock.timers.tick(10_000);
  }
  last().accept();
  socket.resetBackoff();
  last().lose(1006);
  const attempts = opened.length;
  mock.timers.tick(360);
  assert.equal(opened.length, attempts + 1);
});

test("an immediate retry replaces the scheduled one", () => {
  const socket = connect();
  last().lose(1006);
  socket.retryNow();
  assert.equal(opened.length, 2);
  socket.retryNow();
  mock.timers.tick(10_000);
  assert.equal(opened.length, 2);
});

test("messages are sent only over an open connection", () => {
  const socket = connect();
  assert.equal(socket.send({ type: "ping" }), false);
  last().accept();
  assert.equal(socket.send({ type: "ping" }), true);
  assert.deepEqual(last().sent, ['{"type":"ping"}']);
  last().onmessage({ data: "hello" });
  last().lose(1006);
  assert.deepEqual(events, [["opened"], ["received", "hello"], ["lost", 1006, true]]);
});

test("a dropped connection reconnects, a closed one does not", () => {
  const socket = connect();
  last().accept();
  socket.drop();
  mock.timers.tick(360);
  assert.equal(opened.length, 2);
  last().accept();
  socket.close();
  socket.retryNow();
  mock.timers.tick(10_000);
  assert.equal(opened.length, 2);
});
