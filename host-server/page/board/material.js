// What is gone from the board, and who has more left.

/** @typedef {import("./squares.js").Color} Color */

const VALUES = [0, 1, 5, 3, 3, 9, 0];

/**
 * @param {readonly number[]} start
 * @param {readonly number[]} now
 * @returns {{ taken: Record<Color, number[]>, ahead: number }} the pieces of each side that are gone, the heaviest first;
 *   and by how much White is ahead
 */
export function material(start, now) {
  const ahead = now.reduce((sum, piece) => sum + Math.sign(piece) * (VALUES[Math.abs(piece)] ?? 0), 0);
  return { taken: { white: gone(start, now, 1), black: gone(start, now, -1) }, ahead };
}

/**
 * @param {readonly number[]} start
 * @param {readonly number[]} now
 * @param {1 | -1} side
 */
function gone(start, now, side) {
  const count = (/** @type {readonly number[]} */ board, /** @type {number} */ piece) =>
    board.filter((one) => one === piece).length;
  const missing = [0, 1, 2, 3, 4, 5, 6].map((role) => (role ? count(start, side * role) - count(now, side * role) : 0));
  // More of a piece than there were: so many pawns were not taken, but promoted.
  const promoted = missing.reduce((sum, n, role) => sum + (role > 1 && n < 0 ? -n : 0), 0);
  missing[1] = Math.max(0, (missing[1] ?? 0) - promoted);
  return [5, 2, 4, 3, 1].flatMap((role) => Array(Math.max(0, missing[role] ?? 0)).fill(side * role));
}
