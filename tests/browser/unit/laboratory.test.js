import assert from "node:assert/strict";
import { test } from "node:test";

import { assignLetters } from "../../../host-server/page/laboratory/names.js";

test("every kind of piece on a full board has a letter of its own, also after many mutations", () => {
  /** @type {Map<string, string>} */
  const letters = new Map();
  let kinds = Array.from({ length: 64 }, (_, number) => `kind ${number}`);
  for (let mutation = 0; mutation < 200; mutation += 1) {
    assignLetters(letters, kinds);
    const both = [...letters.values()].flatMap((letter) => [letter, letter.toLowerCase()]);
    assert.equal(new Set(both).size, 128);
    assert.ok(both.every((letter) => letter.length === 1));
    const kept = letters.get(kinds[1] ?? "");
    kinds = [...kinds.slice(1), `mutation ${mutation}`];
    assignLetters(letters, kinds);
    assert.equal(letters.get(kinds[0] ?? ""), kept, "a kind keeps its letter");
  }
});
