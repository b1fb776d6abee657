// What a board says is shown in the language of its user.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { LANGUAGES, useTexts } from "../../../host-server/page/language/language.js";
import { learn, translated } from "../../../host-server/page/virtual-board/sentences.js";

const SOURCES = new URL("../../../host-server/src/", import.meta.url);
const LANGUAGE_FILES = new URL("../../../host-server/page/language/", import.meta.url);

/** @param {string} code */
const textsOf = async (code) => (await import(new URL(`${code}.js`, LANGUAGE_FILES).href)).default;

/** The sentences that the tests of the relay expect of a board. */
async function spoken() {
  const rust = await readFile(new URL("words/tests.rs", SOURCES), "utf8");
  const literals = [...rust.replaceAll(/\\\n\s*/g, "").replaceAll(/starts_with\("[^"]*"/g, "").matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, literal = ""]) => literal);
  return [...new Set(literals.filter((literal) => /^[\p{L}\d].* .*[.?]$|^[012/-]+: |to move$/u.test(literal) && !literal.includes("{")))];
}

/** Texts in the code of the relay that become sentences. */
async function templates() {
  const sources = await Promise.all(["words.rs", "words/other_rules.rs"].map((name) => readFile(new URL(name, SOURCES), "utf8")));
  return sources.flatMap((rust) => [...rust.replaceAll(/\\\n\s*/g, "").matchAll(/"([A-Z][^"]* [^"]*[.?])"/g)].map(([, literal = ""]) => literal));
}

for (const code of Object.keys(LANGUAGES).filter((code) => code !== "en")) {
  test(`every sentence of a board is translated into ${code}`, async () => {
    learn(await textsOf("en"));
    useTexts(code, await textsOf(code));
    const sentences = await spoken();
    assert.ok(sentences.length > 25, `${sentences.length} sentences`);
    const english = /\b(?:the|piece|pieces|king|move|from|White|Black|Lifted|Remove|Missing)\b/;
    assert.deepEqual(sentences.filter((sentence) => english.test(translated(sentence)) || translated(sentence) === sentence), []);
  });
}

test("sentences have their values in the other language", async () => {
  learn(await textsOf("en"));
  useTexts("de", await textsOf("de"));
  assert.equal(translated("White to move"), "Weiß am Zug");
  assert.equal(translated("1/2-1/2: draw by threefold repetition"), "1/2-1/2: Remis (dreifache Stellungswiederholung)");
  assert.equal(translated("Lifted White's knight on g1: it may go to f3 or h3."), "Angehoben: Springer g1 (Weiß). Ziele sind f3 oder h3.");
  assert.equal(translated("Remove the piece on e5. Missing: Black's pawn on e7."), "Nimm die Figur auf e5 weg. Es fehlt: Bauer e7 (Schwarz).");
  assert.equal(translated("On a8 stands a white pawn, and the game has a white queen there."), "Auf a8 steht weißer Bauer, in der Partie steht dort weiße Dame.");
  const challenge = "Tabiya level 3 challenges you, 5+3: you would play White. Lift the king on e1 for a second to accept, the king on e8 to decline.";
  assert.match(translated(challenge), /^Tabiya Stufe 3 fordert dich heraus/);
  assert.equal(translated("Something new."), "Something new.");
});

test("every text of a sentence in the code of the relay is a text of the page", async () => {
  const english = await textsOf("en");
  const texts = Object.keys(english).filter((key) => key.startsWith("sentence.")).map((key) => english[key]);
  // Placeholders have other names in the code.
  const bare = (/** @type {string} */ text) => text.replaceAll(/\{[^}]*\}/g, "{}");
  const known = new Set(texts.map(bare));
  // The beginning and the parts of sentences that are put together.
  const composed = ["Lifted {}{}.", "{}, if the pieces rest as they are.", "Make the move of {} here: from {} to {}{}.", "Make the move of {} here: {}.",
    "Put the king back on {} to {} the challenge.", "On {} stands {}, and the game has {} there."];
  const missing = (await templates()).map(bare).filter((text) => !known.has(text) && !composed.includes(text));
  assert.deepEqual(missing, []);
});
