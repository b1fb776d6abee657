// Pieces: the letter, the name and the value of each role. The game page and the virtual board share it.
//
// A piece is a letter as in a FEN: upper case is White, lower case Black, and a full stop is an empty square. Values are for the
// display of captured material only. Under other rules than chess the relay says what a letter stands for.

import { t } from "../language/language.js";

/**
 * @typedef {import("./colors.js").Color} Color
 * @typedef {{ name: string, color: Color, drawing?: string }} Kind a kind of piece; drawn as a piece of chess, or as its letter
 * @typedef {Record<string, Kind>} Kinds what letters stand for under other rules than chess
 */

/** @type {Kinds} */
export const NO_KINDS = {};

export const EMPTY = ".";

/** @typedef {"q" | "r" | "b" | "n" | "p" | "k"} RoleLetter */

/** @type {Record<RoleLetter, number>} by letter, the most valuable first */
const VALUES = { q: 9, r: 5, b: 3, n: 3, p: 1, k: 0 };

/** The letters of all roles in the order in which pieces are listed. */
export const ROLE_LETTERS = /** @type {RoleLetter[]} */ (Object.keys(VALUES));

/**
 * @param {string} letter
 * @returns {RoleLetter | undefined}
 */
const roleOf = (letter) => ROLE_LETTERS.find((role) => role === letter.toLowerCase());

/**
 * @param {string} piece
 * @param {Kinds} kinds
 * @returns {Color | null}
 */
export function colorOf(piece, kinds = NO_KINDS) {
  if (piece === EMPTY) return null;
  const kind = kinds[piece];
  if (kind) return kind.color;
  return piece === piece.toUpperCase() ? "white" : "black";
}

/**
 * @param {string} role its letter in either case
 * @param {Color} color
 */
export const pieceOf = (role, color) => (color === "white" ? role.toUpperCase() : role.toLowerCase());

/** @param {string} role a letter in either case; one that is not known is its own name */
export function roleName(role) {
  const known = roleOf(role);
  return known ? t(`role.${known}`) : role;
}

/**
 * @param {string} piece
 * @param {Kinds} kinds
 */
export function pieceName(piece, kinds = NO_KINDS) {
  if (piece === EMPTY) return t("piece.none");
  const kind = kinds[piece];
  const role = roleOf(piece);
  if (!kind && role) return t(`piece.${/** @type {RoleLetter | Uppercase<RoleLetter>} */ (piece)}`);
  const name = kind?.name ?? piece;
  return t(colorOf(piece, kinds) === "white" ? "piece.of_white" : "piece.of_black", { name });
}

/** @param {string} piece */
export function valueOf(piece) {
  const role = roleOf(piece);
  return role ? VALUES[role] : 0;
}
