// Captured pieces and the difference in material, for display. They are inferred from two placements, so a promoted piece that was
// captured counts as a pawn.

import { ROLE_LETTERS, colorOf, pieceOf, valueOf } from "./pieces.js";

/**
 * @typedef {import("./colors.js").Color} Color
 * @typedef {import("./placement.js").Placement} Placement
 * @typedef {{ captured: Record<Color, string[]>, lead: number }} Material the pieces that each side has lost, the most valuable
 *   first; and by how much White is ahead
 */

/**
 * @param {Placement} start
 * @param {Placement} now
 * @returns {Material}
 */
export function material(start, now) {
  const lead = [...now].reduce((sum, piece) => sum + (colorOf(piece) === "black" ? -1 : 1) * valueOf(piece), 0);
  return { captured: { white: lost(start, now, "white"), black: lost(start, now, "black") }, lead };
}

/**
 * @param {Placement} start
 * @param {Placement} now
 * @param {Color} color
 */
function lost(start, now, color) {
  const count = (/** @type {Placement} */ placement, /** @type {string} */ piece) => placement.split(piece).length - 1;
  const missing = ROLE_LETTERS.map((role) => pieceOf(role, color)).map((piece) => ({
    piece,
    count: count(start, piece) - count(now, piece),
  }));
  // A surplus of a piece comes from promoted pawns, which were not captured.
  const promoted = missing.reduce((sum, { count }) => sum + Math.max(0, -count), 0);
  return missing.flatMap(({ piece, count }) =>
    Array(Math.max(0, piece.toLowerCase() === "p" ? count - promoted : count)).fill(piece),
  );
}
