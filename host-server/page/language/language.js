// The texts of the page in the language of its user. en.js lists all of them; each other language is a file beside it.
//
// early.js has chosen the language and begun to load its file. Only that file is loaded.

/**
 * @typedef {Partial<Record<Intl.LDMLPluralRule, string>>} Plural a text that depends on the number `{count}`
 * @typedef {typeof import("./en.js").default} English
 * @typedef {keyof English} Key
 * @typedef {{ [K in Key]: English[K] extends string ? string : Plural }} Texts
 */

/** The languages by code, each in its own words. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  ru: "Русский",
  sk: "Slovenčina",
};

const PLACEHOLDER = /\{(\w+)\}/;

/** @type {Partial<Texts>} */
let texts = {};
let plurals = new Intl.PluralRules("en");

/**
 * @param {string} code
 * @param {Texts} chosen
 */
export function useTexts(code, chosen) {
  texts = chosen;
  plurals = new Intl.PluralRules(code);
}

/** Loads the texts of the language that early.js has chosen, and fills in those of the document. */
export async function loadTexts() {
  const { lang } = document.documentElement;
  useTexts(lang, (await import(`./${lang}.js`)).default);
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = t(keyOf(element, "data-text"));
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", t(keyOf(element, "data-label")));
  }
  for (const element of document.querySelectorAll("[data-wait]")) element.removeAttribute("data-wait");
}

/**
 * @param {Element} element
 * @param {string} attribute
 */
const keyOf = (element, attribute) => /** @type {Key} */ (element.getAttribute(attribute));

/**
 * A text, with values in the place of its `{placeholders}`. The value `count` also selects the plural.
 *
 * @param {Key} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const parts = pattern(key, values.count).split(PLACEHOLDER);
  return parts.map((part, at) => (at % 2 ? String(values[part] ?? "") : part)).join("");
}

/**
 * A text with elements in the place of its placeholders, as children of another element.
 *
 * @param {Key} key
 * @param {Record<string, Node | string>} nodes
 * @returns {(Node | string)[]}
 */
export function tNodes(key, nodes) {
  const parts = pattern(key).split(PLACEHOLDER);
  return parts.map((part, at) => (at % 2 ? (nodes[part] ?? "") : part)).filter((part) => part !== "");
}

/**
 * @param {Key} key
 * @param {string | number} [count]
 * @returns {string}
 */
function pattern(key, count) {
  const text = texts[key];
  if (text === undefined) throw new Error(`there is no text ${key}`);
  if (typeof text === "string") return text;
  return text[plurals.select(Number(count))] ?? text.other ?? "";
}
