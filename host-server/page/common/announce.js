// Announcements for screen readers, in the live regions of the document.

import { find, write } from "./dom.js";

let isOdd = false;

/**
 * @param {string} sentence
 * @param {"polite" | "assertive"} [how]
 */
export function announce(sentence, how = "polite") {
  // A screen reader repeats a sentence only if its text has changed.
  isOdd = !isOdd;
  write(find(how === "polite" ? "spoken" : "spoken-now"), sentence + (isOdd ? "\u00a0" : ""));
}
