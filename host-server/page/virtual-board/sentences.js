// The sentences of a board in the language of its user. A board speaks English; en.js has each of its sentences as a text with placeholders, by
// which it is recognised here. A sentence that is not recognised stays in English.

import { playerName } from "../common/player-name.js";
import { t } from "../language/language.js";

/**
 * @typedef {import("../language/language.js").Key} Key
 * @typedef {(text: string) => string | null} Translate null if the text is not known
 */

const SQUARE = "[a-h][1-8]";
const SQUARES = `${SQUARE}(?:, ${SQUARE})*(?: (?:and|or) ${SQUARE})?`;

/** Texts of en.js by their words, such as those of sides, pieces and reasons. @type {Map<string, Key>} */
let keys = new Map();

/** @type {Translate} */
const known = (text) => {
  const key = keys.get(text);
  return key ? t(key) : null;
};

/** @type {Translate} */
const squares = (text) => text.replace(/ (and|or) /, (_, word) => ` ${t(word === "and" ? "sentence.and" : "sentence.or")} `);

/** @type {Translate} */
const pieces = (text) => {
  const named = [...text.matchAll(/([WB][a-z]{4})'s (\w+) on ([a-h][1-8])/g)].map(([, side = "", role = "", square = ""]) =>
    t("sentence.piece", { side: known(side) ?? side, role: known(role) ?? role, square }),
  );
  const last = named.pop();
  if (!last) return null;
  return named.length > 0 ? `${named.join(", ")} ${t("sentence.and")} ${last}` : last;
};

/** @type {Translate} */
const choices = (text) => text.replaceAll(/[a-z]{4,}/g, (role) => known(role) ?? role);

/** What stands in the place of a placeholder, and its translation. @type {Record<string, [string, Translate?]>} */
const PLACEHOLDERS = {
  side: ["[WB][a-z]{4}", known],
  from: [SQUARE],
  to: [SQUARE],
  king: [SQUARE],
  squares: [SQUARES, squares],
  targets: [SQUARES, squares],
  pieces: [".+?", pieces],
  choices: [".+", choices],
  found: ["(?:white|black) \\w+", known],
  expected: ["(?:white|black) \\w+", known],
  reason: ["(?:by|on) .+", known],
  result: ["[012/-]+"],
  number: ["\\d+"],
  san: ["\\S+"],
  name: [".+", playerName],
  time: ["[\\d.]+\\+\\d+"],
};

/** @type {{ key: Key, pattern: RegExp, names: string[] }[]} */
let sentences = [];

/**
 * Learns the sentences of boards.
 *
 * @param {Record<string, string | object>} english the texts of en.js
 */
export function learn(english) {
  const texts = Object.entries(english).flatMap(([key, text]) => (typeof text === "string" ? [{ key: /** @type {Key} */ (key), text }] : []));
  keys = new Map(texts.filter(({ key }) => /^(?:role|piece|reason|noun)\./.test(key)).map(({ key, text }) => [text, key]));
  sentences = texts
    .filter(({ key }) => key === `sentence.${key.slice(9)}` && !/\.(?:and|or|piece)$/.test(key))
    .map(({ key, text }) => {
      const parts = text.split(/\{(\w+)\}/);
      const names = parts.filter((_, at) => at % 2 === 1);
      const pattern = parts.map((part, at) => (at % 2 ? `(${PLACEHOLDERS[part]?.[0] ?? ".+"})` : part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")));
      return { key, pattern: new RegExp(`^${pattern.join("")}$`), names };
    });
}

/** Loads the sentences of boards, unless the page is in their language. */
export async function loadSentences() {
  if (document.documentElement.lang !== "en") learn((await import("../language/en.js")).default);
}

/**
 * @param {string} sentence
 * @returns {string | null}
 */
function recognised(sentence) {
  for (const { key, pattern, names } of sentences) {
    const found = pattern.exec(sentence);
    if (!found) continue;
    /** @type {Record<string, string>} */
    const values = {};
    const isKnown = names.every((name, at) => {
      const text = found[at + 1] ?? "";
      const value = (PLACEHOLDERS[name]?.[1] ?? String)(text);
      if (value !== null) values[name] = value;
      return value !== null;
    });
    if (isKnown) return t(key, values);
  }
  return null;
}

/**
 * What a board says, in the language of the user. It may be several sentences.
 *
 * @param {string} said
 * @returns {string}
 */
export function translated(said) {
  const whole = recognised(said);
  if (whole !== null) return whole;
  return said
    .split(/(?<=\.) /)
    .map((sentence) => recognised(sentence) ?? sentence)
    .join(" ");
}
