// A small board with marked squares, White at the bottom.

import { make, set } from "../common/dom.js";

export class SmallBoard {
  /** @type {Map<string, HTMLElement>} */ #cells = new Map();

  constructor() {
    for (const rank of "87654321") {
      for (const [file, letter] of [..."abcdefgh"].entries()) {
        const name = letter + rank;
        const shade = (file + Number(rank)) % 2 === 0 ? "light" : "dark";
        this.#cells.set(name, make("span", { "data-square": name, "data-shade": shade }));
      }
    }
    this.root = make("div", { class: "small-board", role: "img" }, ...this.#cells.values());
  }

  /**
   * Marks exactly these squares.
   *
   * @param {readonly string[]} names
   * @param {string} label the squares in words
   */
  mark(names, label = names.join(" ")) {
    for (const [name, cell] of this.#cells) set(cell, "data-lit", names.includes(name));
    set(this.root, "aria-label", label);
  }
}
