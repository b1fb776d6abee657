// A button that copies a text and confirms it for a moment.

import { t } from "../language/language.js";
import { announce } from "./announce.js";
import { copy } from "./clipboard.js";
import { make, write } from "./dom.js";

const CONFIRMED_MS = 2000;

export class CopyButton {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /**
   * @param {string} label
   * @param {() => string | Promise<string>} text
   * @param {string} [className]
   */
  constructor(label, text, className = "plain") {
    this.text = text;
    this.label = label;
    this.words = make("span", {}, label);
    this.root = make("button", { type: "button", class: className, onclick: () => this.#copy() }, this.words);
  }

  async #copy() {
    const isCopied = await Promise.resolve()
      .then(this.text)
      .then(copy)
      .catch(() => false);
    const sentence = t(isCopied ? "copy.done" : "copy.failed");
    // The shorter confirmation keeps the width of the label: nothing beside it moves.
    this.words.style.minWidth = `${this.words.offsetWidth}px`;
    write(this.words, sentence);
    announce(sentence);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => write(this.words, this.label), CONFIRMED_MS);
  }
}
