import assert from "node:assert/strict";
import { test } from "node:test";

import { GameConnection } from "../../../host-server/page/relay/game-connection.js";
import "./english.js";

/** @type {{ url: URL, protocols: string[] }[]} The sockets that were opened, in order. */
const opened = [];

class FakeWebSocket {
  /**
   * @param {URL} url
   * @param {string[]} protocols
   */
  constructor(url, protocols) {
    opened.push({ url, protocols });
  }

  close() {}
}

Object.assign(globalThis, {
  WebSocket: FakeWebSocket,
  location: { href: "https://chess.example/g/abc" },
  document: { hidden: false, addEventListener: () => {}, removeEventListener: () => {} },
  addEventListener: () => {},
  removeEventListener: () => {},
});

const listener = { received: () => {}, pinged: () => {}, changed: () => {}, seated: () => {} };

test("the token of a seat is a subprotocol and not in the URL", () => {
  new GameConnection("abc", { token: "s-3_cret", name: "Anna", watch: false }, listener).close();
  const { url, protocols } = opened[0] ?? assert.fail("no WebSocket was opened");
  assert.deepEqual(protocols, ["tabiya", "tabiya.token.s-3_cret"]);
  assert.ok(!url.href.includes("s-3_cret"));
  assert.equal(url.pathname, "/ws/api/player/abc/");
});

test("a client without a token offers no subprotocol", () => {
  opened.length = 0;
  new GameConnection("abc", { token: null, name: "Sam", watch: true }, listener).close();
  const { url, protocols } = opened[0] ?? assert.fail("no WebSocket was opened");
  assert.deepEqual(protocols, []);
  assert.equal(url.searchParams.get("watch"), "1");
});
