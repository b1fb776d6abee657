// Every text of the page exists in every language, is used, and is nowhere but in host-server/page/language/.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";

import { LANGUAGES, t, tNodes, useTexts } from "../../../host-server/page/language/language.js";

const { RELAY_SENTENCES, translated } = /** @type {any} */ (await import("../../../host-server/page/language/relay-sentences.js"));
const { CALIBRATION_STEPS, STATISTICS_LINES, faultsOf } = /** @type {any} */ (await import("../../../host-server/page/language/console-sentences.js"));

const PAGE = new URL("../../../host-server/page/", import.meta.url);

/** @typedef {Record<string, string | Record<string, string>>} Texts */

/**
 * @param {string} code
 * @returns {Promise<Texts>}
 */
const textsOf = async (code) => (await import(`../../../host-server/page/language/${code}.js`)).default;

const english = await textsOf("en");
const others = Object.keys(LANGUAGES).filter((code) => code !== "en");

/**
 * The modules and documents of the page, without their languages and comments.
 *
 * @param {string} ending
 */
async function sources(ending) {
  const files = (await readdir(PAGE, { recursive: true })).filter((name) => name.endsWith(ending));
  const own = files.filter((name) => !/^language\/\w\w\.js$/.test(name)).sort();
  assert.ok(own.length > 0);
  return Promise.all(own.map(async (name) => ({ name, text: await readFile(new URL(name, PAGE), "utf8") })));
}

/**
 * The forms of a text.
 *
 * @param {string | Record<string, string> | undefined} text
 * @returns {Record<string, string>}
 */
const formsOf = (text) => (typeof text === "object" ? text : { other: text ?? "" });

/** @param {string} form */
const placeholders = (form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test("the languages of the switch are those of early.js and of the files", async () => {
  const files = (await readdir(new URL("language/", PAGE))).filter((name) => /^\w\w\.js$/.test(name)).map((name) => name.slice(0, 2));
  const early = await readFile(new URL("early.js", PAGE), "utf8");
  const known = [...(/known = \[(.*)\]/.exec(early)?.[1] ?? "").matchAll(/"(\w\w)"/g)].map(([, code]) => code);
  assert.deepEqual(known, Object.keys(LANGUAGES));
  assert.deepEqual(files.sort(), Object.keys(LANGUAGES).sort());
});

for (const code of others) {
  test(`every text is there in ${code}, with its placeholders and plurals`, async () => {
    const texts = await textsOf(code);
    assert.deepEqual(Object.keys(texts), Object.keys(english));
    const rules = new Intl.PluralRules(code);
    const categories = [...new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)))].sort();
    for (const [key, text] of Object.entries(texts)) {
      const expected = placeholders(formsOf(english[key]).other ?? "");
      if (typeof english[key] === "object") assert.deepEqual(Object.keys(formsOf(text)).sort(), categories, key);
      for (const form of Object.values(formsOf(text))) {
        assert.deepEqual(placeholders(form), expected, key);
        assert.ok(form.trim() !== "", key);
        assert.equal(/^ /.test(form), /^ /.test(formsOf(english[key]).other ?? ""), `${key} begins like the English text`);
      }
    }
  });

  test(`the texts in ${code} are not those in English`, async () => {
    const texts = await textsOf(code);
    // Short ones may be the same word: "Chat", "offline", "{color}: {time}".
    const same = Object.keys(english).filter((key) => JSON.stringify(texts[key]) === JSON.stringify(english[key]));
    const long = same.filter((key) => Object.values(formsOf(english[key])).some((form) => (form.replaceAll(/\{\w+\}/g, "").match(/\p{L}{2,}/gu)?.length ?? 0) > 2));
    assert.deepEqual(long, []);
  });
}

test("every text is used, and every used text is there", async () => {
  const modules = await sources(".js");
  const documents = await sources(".html");
  /** @type {Set<string>} */
  const used = new Set();
  for (const { name, text } of modules) {
    // Keys as string literals, and `prefix.${...}` for all keys with this prefix.
    for (const [, key = ""] of text.matchAll(/"([a-z_]+\.[A-Za-z_]+)"/g)) if (key in english) used.add(key);
    for (const [, prefix = ""] of text.matchAll(/`([a-z_]+\.)\$\{/g)) {
      for (const key of Object.keys(english)) if (key.startsWith(prefix)) used.add(key);
    }
    for (const [, key = ""] of text.matchAll(/\bt(?:Nodes)?\("([^"]*)"/g)) assert.ok(key in english, `${name}: ${key}`);
  }
  for (const { name, text } of documents) {
    for (const [, key = ""] of text.matchAll(/data-(?:text|label)="([^"]*)"/g)) {
      assert.ok(key in english, `${name}: ${key}`);
      used.add(key);
    }
  }
  assert.deepEqual(Object.keys(english).filter((key) => !used.has(key)), []);
});

/** Where the relay has the sentences that players see, how they are written there, and in which sentence they are sent. */
const SAID = [
  { file: "room/refusal.rs", pattern: /#\[error\("([^"]*)"\)\]/g },
  { file: "relay.rs", pattern: /#\[error\("([^"]*)"\)\]/g },
  { file: "relay/room_handle.rs", pattern: /#\[error\("([^"]*)"\)\]/g },
  { file: "boards/reservation.rs", pattern: /#\[error\("([^"]*)"\)\]/g },
  { file: "store.rs", from: "fn for_clients", pattern: /=> "([^"]*)"/g },
  { file: "dialect/games/creation.rs", from: "fn board_error", pattern: /"([^"]*)"/g },
  { file: "dialect/json_error.rs", pattern: /format!\("([^"]*)"\)/g },
  { file: "dialect/chessata/request.rs", from: "fn read_notation", pattern: /format_args!\("([^"]*)"\)/g },
  { file: "dialect/laboratory.rs", pattern: /format!\("([^"]*)"\)/g },
  { file: "dialect/games/creation.rs", from: "fn deal", pattern: /format!\("([^"]*)"\)/g },
  { file: "dialect/games/creation.rs", from: "fn wrong", pattern: /"([^"]*)"/g },
  { file: "genome/deal.rs", pattern: /#\[error\("(\{0[^"]*)"/g, sent: "The field {field} is wrong: {}." },
  { file: "../../rules/src/genome/setup.rs", from: "impl fmt::Display for SetupError", pattern: /"([^"]*)"/g, sent: "The field {field} is wrong: {}." },
  { file: "../../rules/src/genome/genes.rs", pattern: /write!\(f, "([^"]*)"/g, sent: "The field {field} is wrong: {}." },
  { file: "../../rules/src/genome/genes.rs", pattern: /write!\(f, "([^"]*)"/g, sent: "Refused: {}." },
  { file: "../../rules/src/genome/dna.rs", pattern: /write!\(f, "([^"]*)"/g, sent: "Refused: {}." },
  { file: "genome/laboratory.rs", pattern: /#\[error\("(the piece [^"]*)"\)\]/g, sent: "Refused: {}." },
  { file: "virtual_board/pieces.rs", pattern: /#\[error\("([^"]*)"/g },
  { file: "virtual_board/board_task.rs", from: "fn handle_command", pattern: /"([^"]*)"/g },
  { file: "virtual_board/socket.rs", from: "fn handle_message", pattern: /"([^"]*)"/g },
  { file: "virtual_board/external.rs", from: "pub fn apply", pattern: /"([^"]*)"/g },
  { file: "virtual_board/panels.rs", from: "pub(super) async fn touch", pattern: /"([^"]*)"/g },
  { file: "virtual_board/touch.rs", from: "fn read", pattern: /"([^"]*)"/g },
  { file: "server/limits.rs", from: "impl fmt::Display for RetryAfter", pattern: /"([^"]*)"/g },
];

/** The dialect of the page has another sentence in its place. */
const NOT_SENT = ["{} is an illegal move."];

/** @param {string} sentence */
const withoutNames = (sentence) => sentence.replaceAll(/\{[^}]*\}/g, "{}");

test("the relay's refusals are in the language files", async () => {
  const known = Object.keys(RELAY_SENTENCES).map(withoutNames);
  for (const { file, from = "", pattern, sent = "{}" } of SAID) {
    const rust = await readFile(new URL(`../src/${file}`, PAGE), "utf8");
    // To the end of the function, or to the tests.
    const part = rust.slice(rust.indexOf(from)).split(from ? /\n {0,4}\}\n/ : "#[cfg(test)]\nmod tests {")[0];
    const said = [...(part ?? "").matchAll(pattern)].map(([, said = ""]) => withoutNames(sent.replace("{}", said))).filter((sentence) => sentence !== "{}");
    assert.ok(said.length > 0, file);
    assert.deepEqual(said.filter((sentence) => !known.includes(sentence) && !NOT_SENT.includes(sentence)), [], file);
  }
});

test("a sentence of the relay has the same words in English, but for a few", () => {
  const others = Object.entries(RELAY_SENTENCES).filter(([sentence, key]) => english[String(key)] !== sentence).map(([, key]) => key);
  assert.deepEqual([...new Set(others)].sort(), [
    "banner.no_seat",
    "error.ambiguous",
    "error.cannot_move",
    "error.hash_taken",
    "error.invalid_dna",
    "error.king_file",
    "error.no_claim",
    "error.no_hash",
    "error.no_king",
    "error.no_moves",
    "error.not_a_move",
    "error.over",
    "error.refused",
    // That of the Chessata document is not about squares.
    "error.same_square",
    "error.store_full",
    "error.too_many_codons",
    "error.too_many_genomes",
    "error.too_many_requests",
    "error.unavailable",
    "virtual.hand_empty",
    "virtual.hand_full",
    "virtual.impossible",
    "virtual.not_beside",
    "virtual.not_local",
    "virtual.on_console",
    "virtual.too_fast",
  ]);
});

test("the names and moves in a sentence of the relay are in its translation", async () => {
  useTexts("de", /** @type {any} */ (await textsOf("de")));
  assert.equal(translated("The board (A) {x} accepts no challenges."), "Das Brett (A) {x} nimmt keine Herausforderungen an.");
  assert.equal(translated("Not a move: ambiguous: b1d2 or f3d2."), "Mehrdeutig: b1d2 oder f3d2.");
  assert.equal(translated("Not a move: no legal move matches."), "Das ist kein Zug.");
  assert.equal(translated("Too many requests: try again in a second."), "Zu viele Anfragen. Versuch es gleich noch einmal.");
  assert.equal(translated("Refused: the piece on d5 cannot move to h8."), "Die Figur auf d5 kann nicht nach h8 ziehen.");
  assert.equal(translated("Refused: the seed has 16 hexadecimal digits."), "Der Server lehnt das ab.");
  assert.equal(translated("hand 3 is empty"), "diese Hand ist leer");
  assert.equal(translated("e4 is empty"), "e4 ist leer");
  assert.equal(translated("Something else."), "Something else.");
  useTexts("en", /** @type {any} */ (english));
});

test("what the board says about its calibration is in the language files", async () => {
  const folder = new URL("../../board/src/", PAGE);
  const files = ["calibration/calibrator.rs", "calibration/wiring.rs", "console/run.rs"];
  const rust = await Promise.all(files.map(async (name) => (await readFile(new URL(name, folder), "utf8")).split("#[cfg(test)]")[0]));
  const said = [...rust.join("").matchAll(/"calibrate: ([^"]*)"/g)].map(([, words]) => words ?? "");
  assert.deepEqual([...new Set(said)].sort(), Object.keys(CALIBRATION_STEPS).sort());
});

test("the board prints every line of the statistics", async () => {
  const files = ["board/src/console/report.rs", "firmware/src/tasks/main_loop.rs"];
  const rust = await Promise.all(files.map((name) => readFile(new URL(`../../${name}`, PAGE), "utf8")));
  const literals = [...rust.join("").matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replaceAll(/\{[^}]*\}/g, "1"));
  const lines = literals.flatMap((text) => text.split("\\r\\n"));
  const missing = STATISTICS_LINES.filter((/** @type {[RegExp, string]} */ [pattern]) => !lines.some((line) => pattern.test(line)));
  assert.deepEqual(missing, []);
});

test("a self-test is good only if its wires are", () => {
  const good = ". . . . . . . .\r\nswitches: x closed, ? weak magnet\r\nrng good\r\njournal good\r\n";
  assert.deepEqual(faultsOf(good), []);
  assert.deepEqual(faultsOf(`${good}all 16 wires are sound\r\n`), []);
  const wires = ["file g touches file h", "e4: the diode is the wrong way round"];
  assert.deepEqual(faultsOf(`${good}${wires.join("\r\n")}\r\n`), wires);
  const bad = "rng BAD: returns the same number every time";
  assert.deepEqual(faultsOf(good.replace("rng good", bad)), [bad]);
});

/** A literal with two words, or with one capitalised word. */
const PROSE = /\p{L}{2,}[,.:]? \p{L}|^\p{Lu}\p{Ll}+/u;

/** What looks like prose and is none: names of keys, moves, styles. */
const CODE = [/^(Arrow\w*|Home|End|Escape|Enter|Delete|Backspace|Tab|Tabiya)$/, /^O-O/, /^Nf3$/, /^(translate|rgb|scale)\(/, /^\(prefers-/, /^rnbqkbnr\//];

test("no module has a text of its own", async () => {
  const found = [];
  for (const { name, text } of await sources(".js")) {
    // The sentences of the relay and of the console are compared with their sources.
    if (["language/relay-sentences.js", "language/console-sentences.js"].includes(name)) continue;
    const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/(^|\s)\/\/.*$/gm, "$1");
    for (const line of code.split("\n")) {
      // Errors for developers, and lists of class names.
      if (/new Error\(|console\./.test(line)) continue;
      const bare = line.replaceAll(/class(Name)?(: | = |", )[^,}]*/g, "");
      for (const [, double, template] of bare.matchAll(/"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)) {
        const literal = (double ?? template ?? "").replaceAll(/\$\{[^}]*\}/g, "");
        const isProse = PROSE.test(literal) && !CODE.some((one) => one.test(literal));
        if (isProse && !KNOWN.includes(literal)) found.push(`${name}: ${literal}`);
      }
    }
  }
  assert.deepEqual(found, []);
});

/** Class names and selectors, commands of the console, and the languages in their own words. */
const KNOWN = [
  "set name ",
  "calibrate stop",
  "calibrate reset",
  "calibrate status",
  "piece carried",
  "piece elsewhere",
  "small-piece again",
  "input, textarea, select, dialog",
  "a, button, summary",
  ...Object.values(LANGUAGES),
];

test("no document has a text of its own, but for browsers without JavaScript", async () => {
  for (const { name, text } of await sources(".html")) {
    const shown = text
      .replaceAll(/<noscript>[\s\S]*?<\/noscript>/g, "")
      .replaceAll(/<title>[^<]*<\/title>/g, "")
      .replaceAll("&nbsp;", "")
      .replace("<span>Tabiya</span>", "");
    const texts = [...shown.matchAll(/>([^<]*\p{L}[^<]*)</gu)].map(([, words]) => words);
    const labels = [...shown.matchAll(/(?:aria-label|title|alt|placeholder)="([^"]*)"/g)].map(([, words]) => words);
    assert.deepEqual([...texts, ...labels], [], name);
  }
});

test("placeholders are filled with values or elements, and numbers select the plural", async () => {
  useTexts("ru", /** @type {any} */ (await textsOf("ru")));
  assert.deepEqual([1, 3, 5, 21].map((count) => t("time.minutes", { count })), ["1 минута", "3 минуты", "5 минут", "21 минута"]);
  useTexts("en", /** @type {any} */ (english));
  assert.equal(t("status.reviewing", { move: "2. Nf3" }), "Reviewing 2. Nf3");
  assert.deepEqual(tNodes("offer.draw", { name: "Ben" }), ["Ben", " offers a draw."]);
  // A value is never read as a placeholder.
  assert.equal(t("announce.left", { name: "{name}" }), "{name} has left.");
});
