// What stands where, as FEN writes it.

const LETTERS = "prnbqk";

/** The pieces at the start of a game. */
export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/**
 * The first field of a FEN as 64 numbers, a8 first.
 *
 * @param {string} fen
 * @returns {number[]}
 */
export function placement(fen) {
  /** @type {number[]} */
  const board = [];
  for (const letter of fen.split(" ")[0] ?? "") {
    const small = letter.toLowerCase();
    const role = LETTERS.indexOf(small) + 1;
    if (role > 0) board.push(letter === small ? -role : role);
    else if (letter >= "1" && letter <= "8") board.push(...Array(Number(letter)).fill(0));
  }
  while (board.length < 64) board.push(0);
  return board.slice(0, 64);
}
