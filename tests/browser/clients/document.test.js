// The examples in docs/protocol.md are true: each block marked `socketio`, `chezz` or `livechess` is played against a relay of its own.
//
// In an example "$name" is a text that is the same wherever it stands, and "..." is anything. In Socket.IO examples, white and black are
// the players whom the relay has given these colours, and $white and $black are the tokens of their seats. `relay opens` is POST /games.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { WebSocket } from "ws";

import { ChezzClient } from "../harness/chezz-client.js";
import { Inbox } from "../harness/inbox.js";
import { PanelClient } from "../harness/panel-client.js";
import { Relay } from "../harness/relay.js";
import { SocketIoClient } from "../harness/socketio-client.js";

const TEST_TIMEOUT_MS = 60_000;
const DOCUMENT = await readFile(new URL("../../../docs/protocol.md", import.meta.url), "utf8");

/**
 * The blocks with this mark, as lines. A long line continues in lines that start with a space.
 *
 * @param {string} mark
 */
function blocks(mark) {
  const found = [...DOCUMENT.matchAll(new RegExp(`\\n\`\`\`${mark}\\n([^]*?)\\n\`\`\`\\n`, "g"))];
  assert.ok(found.length > 0, `no examples of ${mark}`);
  return found.map(([, block = ""]) => block.replaceAll(/\n +/g, "").split("\n"));
}

/** Compares values with an example, and remembers what its placeholders stand for. */
class Known {
  /** @type {Map<string, string>} */ #values = new Map();

  /**
   * @param {string} name
   * @param {string} value
   */
  set(name, value) {
    this.#values.set(name, value);
  }

  /**
   * Replaces the placeholders of a text.
   *
   * @param {string} text
   */
  fill(text) {
    return text.replaceAll(/\$[a-z]+/g, (name) => this.#values.get(name) ?? name);
  }

  /**
   * @param {unknown} actual
   * @param {unknown} expected
   * @returns {unknown} the expected value with its placeholders replaced
   */
  resolve(actual, expected) {
    if (expected === "...") return actual;
    if (typeof expected === "string" && expected.startsWith("$")) {
      if (!this.#values.has(expected)) this.#values.set(expected, String(actual));
      return this.#values.get(expected);
    }
    if (Array.isArray(expected)) {
      const list = Array.isArray(actual) ? actual : [];
      return expected.map((value, at) => this.resolve(list[at], value));
    }
    if (expected && typeof expected === "object") {
      const object = /** @type {Record<string, unknown>} */ (actual ?? {});
      return Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, this.resolve(object[key], value)]));
    }
    return expected;
  }

  /**
   * @param {unknown} actual
   * @param {string} expected JSON
   * @param {string} line
   */
  check(actual, expected, line) {
    assert.deepEqual(actual, this.resolve(actual, JSON.parse(expected)), line);
  }
}

/**
 * Opens a room if the line says so.
 *
 * @param {string} line
 * @param {Relay} relay
 * @param {Known} known
 */
async function opens(line, relay, known) {
  const [, name, order] = /^relay opens (\$\w+) (.*)$/.exec(line) ?? [];
  if (!name) return false;
  const response = await fetch(`${relay.url}/games`, { method: "POST", ...(order && { body: order }) });
  known.set(name, (await response.json()).code);
  return true;
}

test("every Socket.IO example of the document is true", { timeout: TEST_TIMEOUT_MS }, async () => {
  for (const lines of blocks("socketio")) {
    const relay = await Relay.start();
    const known = new Known();
    /** @type {Map<string, SocketIoClient>} */
    const clients = new Map();
    const client = (/** @type {string} */ name) => {
      const found = clients.get(name) ?? new SocketIoClient(relay.url);
      clients.set(name, found);
      return found;
    };
    try {
      for (const line of lines) {
        if (await opens(line, relay, known)) continue;
        const [, leaver] = /^(\w+) disconnects$/.exec(line) ?? [];
        if (leaver) {
          const old = client(leaver);
          old.close();
          const next = new SocketIoClient(relay.url);
          for (const [name, each] of clients) if (each === old) clients.set(name, next);
          continue;
        }
        const [, name = "", verb, event = "", args = ""] = /^(\w+) (emits|receives) (\w+) (.*)$/.exec(line) ?? assert.fail(line);
        if (verb === "emits") {
          client(name).emit(event, ...JSON.parse(known.fill(args)));
        } else {
          const received = await client(name).first();
          assert.equal(received.event, event, line);
          known.check(received.args, args, line);
          if (event === "playerColor") {
            const color = received.args[0] === 0 ? "white" : "black";
            clients.set(color, client(name));
            known.set(`$${color}`, client(name).token);
          }
        }
      }
      for (const [name, each] of clients) assert.deepEqual(each.unread, [], name);
    } finally {
      for (const each of clients.values()) each.close();
      await relay.discard();
    }
  }
});

test("every chezz example of the document is true", { timeout: TEST_TIMEOUT_MS }, async () => {
  for (const lines of blocks("chezz")) {
    const relay = await Relay.start();
    const known = new Known();
    /** @type {Map<string, ChezzClient>} */
    const clients = new Map();
    try {
      for (const line of lines) {
        if (await opens(line, relay, known)) continue;
        const [, name = "", verb = "", rest = ""] = /^(\w+) (\w+) (.*)$/.exec(line) ?? assert.fail(line);
        const client = clients.get(name) ?? new ChezzClient(relay.url);
        clients.set(name, client);
        if (verb === "posts" || verb === "gets") {
          const [, path = "", status, body = ""] = /^(\S+) with (\d+) (.*)$/.exec(rest) ?? assert.fail(line);
          const response = await client.fetch(known.fill(path), { method: verb === "posts" ? "POST" : "GET" });
          assert.equal(String(response.status), status, line);
          known.check(await response.json(), body, line);
        } else if (verb === "plays") {
          await client.open(known.fill(rest));
        } else if (verb === "sends") {
          client.send(rest);
        } else if (verb === "receives") {
          known.check(await client.first(), rest, line);
        } else {
          assert.fail(line);
        }
      }
      for (const [name, each] of clients) assert.deepEqual(each.unread, [], name);
    } finally {
      for (const each of clients.values()) each.close();
      await relay.discard();
    }
  }
});

test("every LiveChess example of the document is true", { timeout: TEST_TIMEOUT_MS }, async () => {
  for (const lines of blocks("livechess")) {
    const relay = await Relay.start("--virtual-board=all", "--livechess=127.0.0.1:0");
    const known = new Known();
    const panel = await PanelClient.connect(relay.url);
    const boards = `http://${relay.livechess}/api/v1.0/eboards`;
    // The first scans of the board are on their way.
    while (!(await (await fetch(boards)).json())[0]?.board) await new Promise((resolve) => setTimeout(resolve, 50));
    const socket = new WebSocket(`ws://${relay.livechess}/api/v1.0`);
    /** @type {Inbox<unknown>} */
    const inbox = new Inbox();
    socket.on("message", (data) => inbox.push(JSON.parse(String(data))));
    await once(socket, "open");
    try {
      for (const line of lines) {
        const [, verb = "", rest = ""] = /^(page sends|page receives|hands make) (.*)$/.exec(line) ?? assert.fail(line);
        if (verb === "page sends") socket.send(known.fill(rest));
        else if (verb === "page receives") known.check(await inbox.next(() => true, "message"), rest, line);
        else await panel.move(rest);
      }
    } finally {
      socket.close();
      panel.close();
      await relay.discard();
    }
  }
});
