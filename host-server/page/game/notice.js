// What the relay did not want to do, and why, for as long as it takes to read it.

import { make, write } from "../common/dom.js";

const SHOWN_MS = 7000;

export class Notice {
  #shown = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #later;

  constructor() {
    this.root = make("p", { class: "wrong", "data-notice": true });
  }

  /** @param {import("./state.js").Match} match */
  render({ complaint, line }) {
    if (!complaint || complaint.number === this.#shown) return;
    this.#shown = complaint.number;
    // Who was not let in at all reads it in the banner.
    if (line.kind !== "open") return;
    write(this.root, complaint.sentence);
    clearTimeout(this.#later);
    this.#later = setTimeout(() => write(this.root, ""), SHOWN_MS);
  }
}
