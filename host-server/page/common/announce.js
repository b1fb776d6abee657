// Says aloud what is seen, for those who listen to the page instead of looking at it.

import { find, write } from "./dom.js";

let isOdd = false;

/**
 * @param {string} sentence
 * @param {"polite" | "assertive"} [how]
 */
export function announce(sentence, how = "polite") {
  // The same words twice are only heard twice if something about them has changed.
  isOdd = !isOdd;
  write(find(how === "polite" ? "spoken" : "spoken-now"), sentence + (isOdd ? "\u00a0" : ""));
}
