// What is under the wood: what each reed reads, what the board believes, and what each light shows.

import { make, write } from "../common/dom.js";
import { SQUARES } from "./pieces.js";

/**
 * @param {HTMLElement} card
 * @param {{ count: number, colour: (i: number) => string | null }} glow
 */
export function makeUnderneath(card, glow) {
  const NOTHING = /** @type {boolean[]} */ (Array(64).fill(false));
  let [closed, settled] = [NOTHING, NOTHING];
  let isWaiting = false;
  const cells = SQUARES.map(() => make("span", { class: "cell" }));
  const order = Array.from({ length: 64 }, (_, i) => 8 * (7 - (i >> 3)) + (i % 8));
  const grid = make("div", { class: "cells", "aria-hidden": "true" }, ...order.map((i) => /** @type {Node} */ (cells[i])));
  const words = make("p", { class: "count" });
  const rate = make("p", { class: "count" });
  card.append(
    make("summary", {}, "Under the wood"),
    grid,
    words,
    rate,
    make("p", { class: "explained" }, "A dot is a reed that is closed, a ring is a square that the board believes to be occupied, and the colour is that of its light."),
  );

  function paint() {
    isWaiting = false;
    if (!(/** @type {HTMLDetailsElement} */ (card).open)) return;
    cells.forEach((cell, i) => {
      cell.classList.toggle("closed", closed[i]);
      cell.classList.toggle("settled", settled[i]);
      const colour = glow.colour(i);
      if (colour) cell.style.setProperty("--light", colour);
      else cell.style.removeProperty("--light");
    });
    const count = (/** @type {boolean[]} */ squares) => squares.filter(Boolean).length;
    write(words, `${count(closed)} reeds closed, ${count(settled)} squares believed occupied`);
  }

  function repaint() {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(paint);
  }
  card.addEventListener("toggle", repaint);

  let last = 0;
  setInterval(() => {
    write(rate, `${glow.count - last} light frames in the last second, ${glow.count} in all`);
    last = glow.count;
  }, 1000);

  return {
    /** @param {boolean[]} squares */
    reeds(squares) {
      closed = squares;
      repaint();
    },
    /** @param {boolean[]} squares */
    settled(squares) {
      settled = squares;
      repaint();
    },
    lights: repaint,
  };
}
