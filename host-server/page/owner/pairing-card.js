// One board that asks to be paired: its eight squares on a small board, and the owner's answer.

import { make, nameText, set, write } from "../common/dom.js";
import { t, tNodes } from "../language/language.js";
import { answerPairing } from "./requests.js";
import { SmallBoard } from "./small-board.js";

/** @typedef {import("./requests.js").Pairing} Pairing */

export class PairingCard {
  /**
   * @param {Pairing} pairing
   * @param {(words: string) => void} done
   */
  constructor(pairing, done) {
    this.id = pairing.id;
    const board = new SmallBoard();
    board.mark(pairing.squares);
    this.done = done;
    this.name = make("input", { id: `name-${pairing.id}`, required: true, maxlength: 32, autocomplete: "off", value: pairing.name });
    this.accept = make("button", { class: "main" }, t("owner.accept"));
    this.decline = make("button", { class: "plain", type: "button", onclick: () => this.#answer({ answer: "decline" }) }, t("owner.decline"));
    this.problem = make("p", { class: "problem", role: "alert" });
    const onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#answer({ answer: "accept", name: this.name.value });
    };
    this.root = make(
      "li",
      { class: "card pairing", "data-request": pairing.id },
      make("h2", {}, ...tNodes("owner.asks", { address: nameText(pairing.address) })),
      make("p", { class: "soft" }, nameText(pairing.software)),
      board.root,
      make("p", { class: "square-names" }, pairing.squares.join(" ")),
      make("p", {}, t("owner.compare")),
      make(
        "form",
        { onsubmit },
        make("div", { class: "field" }, make("label", { for: `name-${pairing.id}` }, t("owner.name")), this.name),
        make("div", { class: "row wrap" }, this.accept, this.decline),
      ),
      this.problem,
    );
  }

  /** @param {{ answer: "accept", name: string } | { answer: "decline" }} answer */
  async #answer(answer) {
    for (const button of [this.accept, this.decline]) set(button, "disabled", true);
    try {
      await answerPairing(this.id, answer);
      this.done(answer.answer === "accept" ? t("owner.accepted", { name: answer.name.trim() }) : t("owner.declined"));
    } catch (error) {
      write(this.problem, error instanceof Error ? error.message : String(error));
      for (const button of [this.accept, this.decline]) set(button, "disabled", false);
    }
  }
}
