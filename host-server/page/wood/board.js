// The board to be seen: squares that can be named and focused, and what stands on them.

import { make, set } from "../common/dom.js";
import { SQUARES, drawn, indexOf, nameOf } from "./pieces.js";

/**
 * @typedef {import("./messages.js").Wood} Wood
 */

/**
 * @param {HTMLElement} frame
 * @param {HTMLElement} plank
 */
export function makeBoard(frame, plank) {
  let isTurned = false;
  let standing = ".".repeat(64);
  const squares = SQUARES.map((square, i) => {
    const isLight = (i + (i >> 3)) % 2 === 1;
    return make("button", {
      type: "button",
      class: `spot ${isLight ? "light" : "dark"}`,
      "data-square": square,
      tabindex: square === "e2" ? 0 : -1,
      "aria-label": `${square}, empty`,
    });
  });
  const letters = {
    files: make("div", { class: "letters files", "aria-hidden": "true" }),
    ranks: make("div", { class: "letters ranks", "aria-hidden": "true" }),
  };
  frame.append(letters.files, letters.ranks);
  const glow = plank.querySelector("canvas");

  function arrange() {
    const order = Array.from({ length: 64 }, (_, i) => (isTurned ? 8 * (i >> 3) + (7 - (i % 8)) : 8 * (7 - (i >> 3)) + (i % 8)));
    plank.replaceChildren(...order.map((i) => /** @type {Node} */ (squares[i])));
    if (glow) plank.append(glow);
    const files = [..."abcdefgh"];
    const ranks = [..."87654321"];
    letters.files.replaceChildren(...(isTurned ? files.reverse() : files).map((letter) => make("span", {}, letter)));
    letters.ranks.replaceChildren(...(isTurned ? ranks.reverse() : ranks).map((letter) => make("span", {}, letter)));
  }
  arrange();

  /** @param {number} i */
  function label(i) {
    const element = squares[i];
    const piece = standing[i] ?? ".";
    if (element) set(element, "aria-label", `${SQUARES[i]}, ${piece === "." ? "empty" : nameOf(piece)}`);
  }

  return {
    /** @param {Wood} wood */
    show(wood) {
      for (let i = 0; i < 64; i += 1) {
        const piece = wood.standing[i] ?? ".";
        if (piece === standing[i]) continue;
        squares[i]?.querySelector("svg")?.remove();
        if (piece !== ".") squares[i]?.append(drawn(piece));
      }
      const before = standing;
      standing = wood.standing;
      for (let i = 0; i < 64; i += 1) if (before[i] !== standing[i]) label(i);
      const others = wood.hands.filter((held) => !held.mine && held.from);
      for (const element of squares) element.querySelector(".elsewhere")?.remove();
      for (const held of others) {
        const element = squares[indexOf(held.from ?? "")];
        if (element && !element.querySelector("svg")) element.append(drawn(held.piece, "piece elsewhere"));
      }
    },
    /** @param {string} square */
    at(square) {
      const piece = standing[indexOf(square)] ?? ".";
      return piece === "." ? null : piece;
    },
    /** @param {string} square */
    element(square) {
      return squares[indexOf(square)] ?? null;
    },
    /**
     * The square at a place of the screen; nothing beside the board.
     *
     * @param {number} x
     * @param {number} y
     */
    squareAt(x, y) {
      const box = plank.getBoundingClientRect();
      const [column, row] = [Math.floor(((x - box.left) / box.width) * 8), Math.floor(((y - box.top) / box.height) * 8)];
      if (column < 0 || column > 7 || row < 0 || row > 7) return null;
      return SQUARES[isTurned ? 8 * row + (7 - column) : 8 * (7 - row) + column] ?? null;
    },
    /** @param {string} square */
    centre(square) {
      const box = this.element(square)?.getBoundingClientRect() ?? plank.getBoundingClientRect();
      return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    },
    /** How wide a square is, in pixels. */
    get size() {
      return plank.getBoundingClientRect().width / 8;
    },
    /** @param {boolean} turned */
    turn(turned) {
      if (turned === isTurned) return;
      isTurned = turned;
      const focused = document.activeElement;
      arrange();
      if (focused instanceof HTMLElement && plank.contains(focused)) focused.focus();
    },
    get isTurned() {
      return isTurned;
    },
    /** @param {string[]} weak squares whose magnets are weak */
    mark(weak) {
      squares.forEach((element, i) => element.classList.toggle("weak", weak.includes(SQUARES[i] ?? "")));
    },
  };
}

/** @typedef {ReturnType<typeof makeBoard>} Board */
