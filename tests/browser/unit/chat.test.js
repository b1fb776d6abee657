import assert from "node:assert/strict";
import { test } from "node:test";

import "./english.js";
import { addedLines } from "../../../host-server/page/game/chat.js";

const line = (/** @type {string} */ text, id = "bo-id") => ({ name: "Bo", text, id, color: /** @type {const} */ ("black"), isOurs: false });

test("lines that were missed while the connection was lost are new, and those that the relay repeats are not", () => {
  const known = [line("a"), line("b")];
  assert.deepEqual(addedLines(known, [line("a"), line("b"), line("c")]), [line("c")]);
  assert.deepEqual(addedLines(known, [line("a"), line("b")]), []);
  // The relay has dropped the oldest line.
  assert.deepEqual(addedLines(known, [line("b"), line("c"), line("d")]), [line("c"), line("d")]);
  assert.deepEqual(addedLines([], known), known);
});

test("lines that appear between others, or are hidden, make the list another one", () => {
  assert.equal(addedLines([line("s", "sam-id"), line("a")], [line("a")]), null);
  assert.equal(addedLines([line("a"), line("b")], [line("a"), line("s", "sam-id"), line("b")]), null);
  assert.equal(addedLines([line("a"), line("s", "sam-id")], [line("a")]), null);
});
