// A position of chess with its legal moves, as a page like lichess.org/dgt keeps one: it reads the moves of the board in SAN against it.

/** @typedef {"white" | "black"} Side */

const FILES = "abcdefgh";

/** @type {Record<string, readonly (readonly [file: number, rank: number])[]>} */
const STEPS = {
  n: [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]],
  b: [[1, 1], [1, -1], [-1, -1], [-1, 1]],
  r: [[0, 1], [1, 0], [0, -1], [-1, 0]],
};
const ROYAL = [...(STEPS["b"] ?? []), ...(STEPS["r"] ?? [])];
STEPS["q"] = ROYAL;
STEPS["k"] = ROYAL;

/** @type {Record<string, string>} Which right a move from or to a corner or a king's square ends. */
const RIGHTS = { a1: "Q", h1: "K", e1: "KQ", a8: "q", h8: "k", e8: "kq" };

/** @param {string} letter */
const sideOf = (letter) => (letter === letter.toUpperCase() ? "white" : "black");

/**
 * @param {string} square
 * @param {number} files
 * @param {number} ranks
 * @returns {string | null} null beyond the edge
 */
function beside(square, files, ranks) {
  const [file, rank] = [FILES.indexOf(square[0] ?? "") + files, Number(square[1]) + ranks];
  return file >= 0 && file < 8 && rank >= 1 && rank <= 8 ? `${FILES[file]}${rank}` : null;
}

export class LocalPosition {
  /** @type {Map<string, string>} The pieces as letters, by square. */ #pieces = new Map();
  /** @type {Side} */ turn;
  #rights;
  #passed;
  #rest;
  #number;

  /** @param {string} fen */
  constructor(fen) {
    const [placement = "", turn, rights = "-", passed = "-", rest, number] = fen.split(" ");
    for (const [row, text] of placement.split("/").entries()) {
      const letters = text.replaceAll(/\d/g, (count) => ".".repeat(Number(count)));
      for (const [file, letter] of [...letters].entries()) if (letter !== ".") this.#pieces.set(`${FILES[file]}${8 - row}`, letter);
    }
    this.turn = turn === "b" ? "black" : "white";
    this.#rights = rights.replace("-", "");
    this.#passed = passed;
    this.#rest = Number(rest ?? 0);
    this.#number = Number(number ?? 1);
  }

  get placement() {
    const rows = [8, 7, 6, 5, 4, 3, 2, 1].map((rank) => {
      const letters = [...FILES].map((file) => this.#pieces.get(`${file}${rank}`) ?? ".");
      return letters.join("").replaceAll(/\.+/g, (gap) => String(gap.length));
    });
    return rows.join("/");
  }

  get fen() {
    const isTaken = this.legal().some((move) => move.slice(2, 4) === this.#passed && this.#at(move).toLowerCase() === "p");
    return [this.placement, this.turn[0], this.#rights || "-", isTaken ? this.#passed : "-", this.#rest, this.#number].join(" ");
  }

  /** @param {string} move */
  #at(move) {
    return this.#pieces.get(move.slice(0, 2)) ?? "";
  }

  /** The legal moves in UCI. */
  legal() {
    return this.#moves().filter((move) => !this.play(move).#isAttacked(this.turn));
  }

  /** Every move but for check, which only castling heeds. */
  #moves() {
    /** @type {string[]} */
    const moves = [];
    for (const [from, letter] of this.#pieces) {
      if (sideOf(letter) !== this.turn) continue;
      const kind = letter.toLowerCase();
      if (kind === "p") moves.push(...this.#pawnMoves(from));
      else for (const to of this.#reach(from, kind)) moves.push(from + to);
    }
    const rank = this.turn === "white" ? 1 : 8;
    for (const [right, empty, path] of /** @type {const} */ ([["k", "fg", "efg"], ["q", "bcd", "edc"]])) {
      const isAllowed = this.#rights.includes(this.turn === "white" ? right.toUpperCase() : right);
      const isFree = [...empty].every((file) => !this.#pieces.has(`${file}${rank}`));
      const isSafe = [...path].every((file) => !this.#isAttacked(this.turn, `${file}${rank}`));
      if (isAllowed && isFree && isSafe) moves.push(`e${rank}${path[2]}${rank}`);
    }
    return moves;
  }

  /**
   * The squares that a piece other than a pawn reaches.
   *
   * @param {string} from
   * @param {string} kind
   */
  #reach(from, kind) {
    const reached = [];
    for (const [files, ranks] of STEPS[kind] ?? []) {
      let to = beside(from, files, ranks);
      while (to !== null) {
        const there = this.#pieces.get(to);
        if (there === undefined || sideOf(there) !== sideOf(this.#pieces.get(from) ?? "")) reached.push(to);
        if (there !== undefined || kind === "n" || kind === "k") break;
        to = beside(to, files, ranks);
      }
    }
    return reached;
  }

  /** @param {string} from */
  #pawnMoves(from) {
    const ahead = this.turn === "white" ? 1 : -1;
    const targets = [];
    const [one, two] = [beside(from, 0, ahead), beside(from, 0, 2 * ahead)];
    if (one && !this.#pieces.has(one)) {
      targets.push(one);
      if (two && from[1] === (ahead === 1 ? "2" : "7") && !this.#pieces.has(two)) targets.push(two);
    }
    for (const to of [beside(from, -1, ahead), beside(from, 1, ahead)]) {
      const there = to === null ? undefined : this.#pieces.get(to);
      if (to && (there === undefined ? to === this.#passed : sideOf(there) !== this.turn)) targets.push(to);
    }
    return targets.flatMap((to) => (/[18]$/.test(to) ? [..."qrbn"].map((letter) => from + to + letter) : [from + to]));
  }

  /**
   * Whether the other side attacks the king of this one, or another square.
   *
   * @param {Side} side
   * @param {string} [square]
   */
  #isAttacked(side, square) {
    const king = side === "white" ? "K" : "k";
    const target = square ?? [...this.#pieces].find(([, letter]) => letter === king)?.[0] ?? "";
    for (const [from, letter] of this.#pieces) {
      if (sideOf(letter) === side) continue;
      const kind = letter.toLowerCase();
      const ahead = side === "black" ? 1 : -1;
      const reached = kind === "p" ? [beside(from, -1, ahead), beside(from, 1, ahead)] : this.#reach(from, kind);
      if (reached.includes(target)) return true;
    }
    return false;
  }

  /**
   * The position after a move that is legal.
   *
   * @param {string} move in UCI
   */
  play(move) {
    const [from, to, letter] = [move.slice(0, 2), move.slice(2, 4), this.#at(move)];
    const isPawn = letter.toLowerCase() === "p";
    const after = new LocalPosition(`8/8/8/8/8/8/8/8 ${this.turn === "white" ? "b" : "w"} - -`);
    after.#pieces = new Map(this.#pieces);
    after.#pieces.delete(from);
    after.#pieces.set(to, move[4] ? (this.turn === "white" ? move[4].toUpperCase() : move[4]) : letter);
    // The pawn that is taken en passant, and the rook that castles.
    if (isPawn && to === this.#passed) after.#pieces.delete(`${to[0]}${from[1]}`);
    if (letter.toLowerCase() === "k" && from[0] === "e" && /[cg]/.test(to[0] ?? "")) {
      const [corner, beyond] = to[0] === "g" ? ["h", "f"] : ["a", "d"];
      after.#pieces.set(`${beyond}${to[1]}`, this.#pieces.get(`${corner}${to[1]}`) ?? "");
      after.#pieces.delete(`${corner}${to[1]}`);
    }
    const ended = `${RIGHTS[from] ?? ""}${RIGHTS[to] ?? ""}`;
    after.#rights = [...this.#rights].filter((right) => !ended.includes(right)).join("");
    const ranks = Number(to[1]) - Number(from[1]);
    after.#passed = isPawn && Math.abs(ranks) === 2 ? `${from[0]}${Number(from[1]) + ranks / 2}` : "-";
    after.#rest = isPawn || this.#pieces.has(to) ? 0 : this.#rest + 1;
    after.#number = this.#number + (this.turn === "black" ? 1 : 0);
    return after;
  }

  /**
   * A legal move in SAN, without the sign of a check.
   *
   * @param {string} move in UCI
   */
  san(move, legal = this.legal()) {
    const [from, to, letter] = [move.slice(0, 2), move.slice(2, 4), this.#at(move).toUpperCase()];
    if (letter === "K" && from[0] === "e" && /[cg]/.test(to[0] ?? "")) return to[0] === "g" ? "O-O" : "O-O-O";
    const takes = this.#pieces.has(to) || (letter === "P" && from[0] !== to[0]) ? "x" : "";
    if (letter === "P") return `${takes && from[0]}${takes}${to}${move[4] ? `=${move[4].toUpperCase()}` : ""}`;
    const others = legal.filter((other) => other.slice(2, 4) === to && !other.startsWith(from) && this.#at(other) === this.#at(move));
    const isOn = (/** @type {number} */ part) => others.some((other) => other[part] === from[part]);
    const origin = others.length === 0 ? "" : !isOn(0) ? from[0] : !isOn(1) ? from[1] : from;
    return `${letter}${origin}${takes}${to}`;
  }

  /**
   * The legal move that a text means.
   *
   * @param {string} text in SAN
   * @returns {string | null} in UCI
   */
  read(text) {
    const plain = text.replace(/[+#]$/, "");
    const legal = this.legal();
    return legal.find((move) => this.san(move, legal) === plain) ?? null;
  }
}
