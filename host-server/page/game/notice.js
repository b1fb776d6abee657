// What the relay did not want to do, and why, for as long as it takes to read it; or what it was never told, for as long as it
// is away.

import { make, write } from "../common/dom.js";
import { UNSENT } from "./state.js";

const SHOWN_MS = 7000;

export class Notice {
  #shown = 0;
  #isUnsent = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #later;

  constructor() {
    this.root = make("p", { class: "wrong", "data-notice": true });
  }

  /** @param {import("./state.js").Match} match */
  render({ complaint, line }) {
    const isOpen = line.kind === "open";
    if (this.#isUnsent && isOpen) this.#show("", false);
    if (!complaint || complaint.number === this.#shown) return;
    this.#shown = complaint.number;
    const isUnsent = complaint.status === UNSENT;
    // Who was not let in at all reads it in the banner.
    if (!isOpen && !isUnsent) return;
    this.#show(complaint.sentence, isUnsent);
    if (!isUnsent) this.#later = setTimeout(() => this.#show("", false), SHOWN_MS);
  }

  /**
   * @param {string} sentence
   * @param {boolean} isUnsent
   */
  #show(sentence, isUnsent) {
    clearTimeout(this.#later);
    this.#isUnsent = isUnsent;
    write(this.root, sentence);
  }
}
