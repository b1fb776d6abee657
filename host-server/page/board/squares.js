// Squares and pieces by their names. The relay counts squares from a8 to h1, as one reads.

/**
 * @typedef {"white" | "black"} Color
 * @typedef {"p" | "r" | "n" | "b" | "q" | "k"} Role
 */

/** All squares, a8 first and h1 last. */
export const SQUARES = Array.from({ length: 64 }, (_, i) => "abcdefgh".charAt(i % 8) + (8 - (i >> 3)));

/** @param {string} square */
export const indexOf = (square) => (8 - Number(square[1])) * 8 + "abcdefgh".indexOf(square[0] ?? "");

const ROLES = /** @type {const} */ (["p", "r", "n", "b", "q", "k"]);

/** @type {Record<Role, string>} */
export const NAMES = { p: "pawn", r: "rook", n: "knight", b: "bishop", q: "queen", k: "king" };

/**
 * @param {number} piece as the relay writes it
 * @returns {Color | null}
 */
export function colorOf(piece) {
  return piece === 0 ? null : piece > 0 ? "white" : "black";
}

/**
 * @param {number} piece
 * @returns {Role | null}
 */
export function roleOf(piece) {
  return ROLES[Math.abs(piece) - 1] ?? null;
}

/**
 * The name of a piece's drawing, like `wn`.
 *
 * @param {number} piece
 */
export function drawingOf(piece) {
  const role = roleOf(piece);
  return role && (piece > 0 ? "w" : "b") + role;
}

/**
 * @param {number} piece
 */
export function spokenPiece(piece) {
  const role = roleOf(piece);
  return role ? `${colorOf(piece)} ${NAMES[role]}` : "empty";
}

/** @param {Color} color */
export const other = (color) => (color === "white" ? "black" : "white");
