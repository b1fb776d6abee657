import { announce } from "./announce.js";
import { copy } from "./clipboard.js";
import { make, write } from "./dom.js";

/**
 * A button that copies something, and says for a moment that it has.
 *
 * @param {string} label
 * @param {() => string | Promise<string>} what
 * @param {string} [className]
 */
export function copyButton(label, what, className = "plain") {
  const words = make("span", {}, label);
  const button = make("button", { type: "button", class: className, onclick: run }, words);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later;
  async function run() {
    const done = await Promise.resolve()
      .then(what)
      .then(copy)
      .catch(() => false);
    const sentence = done ? "Copied" : "Could not copy";
    // What it says for a moment may be shorter, and nothing beside it is to move.
    words.style.minWidth = `${words.offsetWidth}px`;
    write(words, sentence);
    announce(sentence);
    clearTimeout(later);
    later = setTimeout(() => write(words, label), 2000);
  }
  return button;
}
