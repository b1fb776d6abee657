// Squares: their names, their indices, and where each one is seen on the screen. The game page and the virtual board share them.
//
// An index is counted as in the firmware: a1 is 0, b1 is 1, h8 is 63. A place is counted as seen: 0 is the top left corner, 63 the
// bottom right one. A flipped board has Black below.

const FILES = "abcdefgh";

/** The names of all squares by index. */
export const SQUARES = Array.from({ length: 64 }, (_, index) => FILES.charAt(index % 8) + ((index >> 3) + 1));

/** @param {string} square */
export const indexOf = (square) => FILES.indexOf(square.charAt(0)) + 8 * (Number(square.charAt(1)) - 1);

/** @param {string} square */
export function isLight(square) {
  const index = indexOf(square);
  return ((index >> 3) + index) % 2 === 1;
}

/**
 * @param {string} square
 * @param {boolean} isFlipped
 */
export const placeOf = (square, isFlipped) => mirrored(indexOf(square), isFlipped);

/**
 * @param {number} place
 * @param {boolean} isFlipped
 */
export const squareIn = (place, isFlipped) => SQUARES[mirrored(place, isFlipped)] ?? "a1";

/**
 * From an index to a place, and from a place to an index: ranks are mirrored, or files if the board is flipped.
 *
 * @param {number} number
 * @param {boolean} isFlipped
 */
const mirrored = (number, isFlipped) => number ^ (isFlipped ? 7 : 56);

/** All names of ranks or files, as they are seen from the top or from the left. */
export const seenRanks = (/** @type {boolean} */ isFlipped) => [...(isFlipped ? "12345678" : "87654321")];
export const seenFiles = (/** @type {boolean} */ isFlipped) => [...(isFlipped ? "hgfedcba" : FILES)];

/**
 * The square at a point of the window, if there is one.
 *
 * @param {DOMRect} board the box of the 64 squares
 * @param {number} x
 * @param {number} y
 * @param {boolean} isFlipped
 */
export function squareAtPoint(board, x, y, isFlipped) {
  const column = Math.floor(((x - board.left) / board.width) * 8);
  const row = Math.floor(((y - board.top) / board.height) * 8);
  return column < 0 || column > 7 || row < 0 || row > 7 ? null : squareIn(row * 8 + column, isFlipped);
}

/** @type {Record<string, readonly [number, number]>} columns and rows by arrow key */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * Where a key leads from a square: an arrow key to the next square as seen, Home and End to the ends of the row.
 *
 * @param {string} square
 * @param {string} key
 * @param {boolean} isFlipped
 * @returns {string | null | undefined} `null` at the edge of the board, `undefined` for any other key
 */
export function squareByKey(square, key, isFlipped) {
  const place = placeOf(square, isFlipped);
  const [column, row] = [place % 8, place >> 3];
  if (key === "Home") return squareIn(row * 8, isFlipped);
  if (key === "End") return squareIn(row * 8 + 7, isFlipped);
  const arrow = ARROWS[key];
  if (!arrow) return undefined;
  const [x, y] = [column + arrow[0], row + arrow[1]];
  return x < 0 || x > 7 || y < 0 || y > 7 ? null : squareIn(y * 8 + x, isFlipped);
}

/**
 * The squares that a piece crosses when it is pushed the shortest way, without the first.
 *
 * @param {string} from
 * @param {string} to
 */
export function pathBetween(from, to) {
  const [start, end] = [indexOf(from), indexOf(to)];
  let [file, rank] = [start % 8, start >> 3];
  const path = [];
  while (file !== end % 8 || rank !== end >> 3) {
    file += Math.sign((end % 8) - file);
    rank += Math.sign((end >> 3) - rank);
    path.push(SQUARES[rank * 8 + file] ?? to);
  }
  return path;
}

/**
 * How far apart two squares are, in squares.
 *
 * @param {string} a
 * @param {string} b
 */
export function distance(a, b) {
  const [i, j] = [indexOf(a), indexOf(b)];
  return Math.hypot((i % 8) - (j % 8), (i >> 3) - (j >> 3));
}
