// Pieces and squares by their letters and names. Here squares are counted as the wood counts them: a1 first.

import { picture } from "../common/dom.js";

/** All squares, a1 first and h8 last. */
export const SQUARES = Array.from({ length: 64 }, (_, i) => `${"abcdefgh"[i % 8]}${(i >> 3) + 1}`);

/** What pawns become, for which there are spare pieces. */
export const SPARES = ["Q", "R", "B", "N"];

/** @type {Record<string, string>} */
const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** @param {string} piece */
export const isWhite = (piece) => piece === piece.toUpperCase();

/** @param {string} piece */
export const nameOf = (piece) => `${isWhite(piece) ? "white" : "black"} ${NAMES[piece.toLowerCase()] ?? "piece"}`;

/**
 * A piece to be seen.
 *
 * @param {string} piece
 * @param {string} [className]
 */
export function drawn(piece, className = "piece") {
  const id = (isWhite(piece) ? "w" : "b") + piece.toLowerCase();
  const svg = picture(id, className);
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("data-piece", piece);
  return svg;
}

/** @param {string} square */
export const indexOf = (square) => "abcdefgh".indexOf(square[0] ?? "") + 8 * (Number(square[1]) - 1);

/**
 * The squares from one to another, as one pushes a piece: by the shortest way, without the first.
 *
 * @param {string} from
 * @param {string} to
 */
export function wayBetween(from, to) {
  const [start, end] = [indexOf(from), indexOf(to)];
  let [file, rank] = [start % 8, start >> 3];
  const way = [];
  while (file !== end % 8 || rank !== end >> 3) {
    file += Math.sign((end % 8) - file);
    rank += Math.sign((end >> 3) - rank);
    way.push(SQUARES[rank * 8 + file] ?? to);
  }
  return way;
}
