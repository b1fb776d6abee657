// The names of genomes: those of the original game have the names of chess pieces, and others their hash. And what the relay says of DNA.

import { t } from "../language/language.js";

/** @type {Record<string, "p" | "n" | "b" | "r" | "q" | "k">} roles by the relay's names */
export const ROLES = { pawn: "p", knight: "n", bishop: "b", rook: "r", queen: "q", king: "k" };

/** As many letters with two cases as there are squares: the upper case is White's. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞΓΔΘΛΞΦΨΩ";

/**
 * Gives every kind of piece on the board a letter. A kind keeps its letter for as long as there is such a piece, so that drawings stay right;
 * mutations make ever new kinds, so letters of others are free again.
 *
 * @param {Map<string, string>} letters by kind
 * @param {string[]} kinds of the pieces on the board
 */
export function assignLetters(letters, kinds) {
  for (const kind of [...letters.keys()]) if (!kinds.includes(kind)) letters.delete(kind);
  const used = new Set(letters.values());
  const free = [...LETTERS].filter((letter) => !used.has(letter));
  for (const kind of kinds) if (!letters.has(kind)) letters.set(kind, free.shift() ?? "A");
}

/** @param {{ hash: string, name: string | null }} genome */
export function genomeName({ hash, name }) {
  const role = ROLES[name ?? ""];
  return role ? t(`role.${role}`) : hash;
}

/**
 * What the relay says of a codon, a fault or a move, by the codes of texts.
 *
 * @param {import("./requests.js").Said} said
 */
export function dnaText({ says, found = "", count = 0, onto, start, target, debuff }) {
  const text = (/** @type {import("./requests.js").Code | undefined} */ code) => (code ? t(`dna.${code}`) : "");
  return t(`dna.${says}`, { found, count, onto: text(onto), start: text(start), target: text(target), debuff: text(debuff) });
}
