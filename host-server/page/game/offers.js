// What the other player asks, and waits to be answered.

import { called, fill, make, set } from "../common/dom.js";
import { other } from "../board/squares.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {"draw" | "takeback" | "rematch"} Kind
 */

const WORDS = {
  draw: { asks: " offers a draw.", yes: "Accept", no: "Decline" },
  takeback: { asks: " would like to take back a move.", yes: "Allow", no: "Decline" },
  rematch: { asks: " would like to play again.", yes: "Play again", no: "No, thanks" },
};

export class OffersView {
  #shown = "";

  /** @param {(message: object) => void} say */
  constructor(say) {
    this.say = say;
    this.root = make("div", { class: "offers" });
  }

  /** @param {Match} match */
  render(match) {
    const { offers, color } = match;
    const them = color && other(color);
    /** @type {Kind[]} */
    const kinds = [];
    if (them && offers.draw === them) kinds.push("draw");
    if (them && offers.takeback?.color === them) kinds.push("takeback");
    if (them && offers.rematch === them) kinds.push("rematch");
    // While nobody would hear the answer, nobody is asked.
    set(this.root, "hidden", kinds.length === 0 || match.line.kind !== "open");
    const key = kinds.join();
    if (key === this.#shown) return;
    this.#shown = key;
    const name = (them && match.players[them]?.name) ?? "Your opponent";
    fill(this.root, ...kinds.map((kind) => this.#card(kind, name)));
  }

  /**
   * @param {Kind} kind
   * @param {string} name
   */
  #card(kind, name) {
    const { asks, yes, no } = WORDS[kind];
    return make(
      "div",
      { class: "offer", role: "group", "aria-label": kind, "data-offer": kind },
      make("p", {}, called(name), asks),
      make(
        "div",
        { class: "row" },
        make(
          "button",
          { type: "button", class: "main", onclick: () => this.say({ type: kind, action: "accept" }) },
          yes,
        ),
        make(
          "button",
          { type: "button", class: "plain", onclick: () => this.say({ type: kind, action: "decline" }) },
          no,
        ),
      ),
    );
  }
}
