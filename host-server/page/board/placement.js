// Placements: which piece stands on which square, in one form for everything that the relay sends.

import { EMPTY } from "./pieces.js";
import { indexOf } from "./squares.js";

/** @typedef {string} Placement 64 letters, a1 first; see pieces.js */

/** @type {Placement} */
export const EMPTY_BOARD = EMPTY.repeat(64);

/** The letters of the roles that the relay numbers from 1. */
const NUMBERED = ".prnbqk";

/**
 * The placement of a FEN, which begins with the eighth rank.
 *
 * @param {string} fen
 * @returns {Placement}
 */
export function placementOfFen(fen) {
  const letters = (fen.split(" ")[0] ?? "").replaceAll(/\d/g, (count) => EMPTY.repeat(Number(count)));
  return fromEighthRank(letters.replaceAll("/", "").padEnd(64, EMPTY).slice(0, 64));
}

/**
 * The placement of the `board` of a game state: 64 numbers, a8 first, negative for Black.
 *
 * @param {readonly number[]} numbers
 * @returns {Placement}
 */
export function placementOfNumbers(numbers) {
  const letters = numbers.map((number) => {
    const letter = NUMBERED.charAt(Math.abs(number)) || EMPTY;
    return number > 0 ? letter.toUpperCase() : letter;
  });
  return fromEighthRank(letters.join(""));
}

/** @param {string} letters 64 letters, a8 first */
function fromEighthRank(letters) {
  return Array.from({ length: 8 }, (_, rank) => letters.slice((7 - rank) * 8, (8 - rank) * 8)).join("");
}

/**
 * @param {Placement} placement
 * @param {string} square
 */
export const pieceOn = (placement, square) => placement.charAt(indexOf(square)) || EMPTY;

/** @param {Placement} placement */
export const pieceCount = (placement) => [...placement].filter((piece) => piece !== EMPTY).length;

/**
 * The placement after a piece was carried from one square to another. What else a move does is the relay's to say.
 *
 * @param {Placement} placement
 * @param {{ from: string, to: string }} route
 * @returns {Placement}
 */
export function carried(placement, { from, to }) {
  const pieces = [...placement];
  pieces[indexOf(to)] = pieceOn(placement, from);
  pieces[indexOf(from)] = EMPTY;
  return pieces.join("");
}
