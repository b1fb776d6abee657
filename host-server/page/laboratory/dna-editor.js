// The field for DNA. Codons have the colour of their meaning, and the fault is underlined, in a copy of the text behind the field.

import { fill, make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { dnaText } from "./names.js";

export class DnaEditor {
  /** @param {() => void} edited */
  constructor(edited) {
    this.input = make("textarea", {
      id: "dna",
      class: "dna-input",
      rows: 5,
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "characters",
      autocorrect: "off",
      maxlength: 1000,
      "aria-describedby": "dna-verdict",
      oninput: () => {
        this.#paint([], null);
        edited();
      },
      onscroll: () => (this.paper.scrollTop = this.input.scrollTop),
    });
    this.paper = make("div", { class: "dna-paper", "aria-hidden": "true" });
    this.verdict = make("p", { id: "dna-verdict", class: "verdict", role: "status" });
    this.codons = make("ol", { class: "codons", tabindex: 0, role: "list", "aria-label": t("lab.codons") });
    this.root = make(
      "div",
      { class: "field dna" },
      make("label", { for: "dna" }, t("lab.dna")),
      make("div", { class: "dna-field" }, this.paper, this.input),
      this.verdict,
      this.codons,
    );
  }

  get value() {
    return this.input.value;
  }

  set value(text) {
    this.input.value = text;
    this.#paint([], null);
  }

  /**
   * Shows what the relay says about the text, if that is still the text.
   *
   * @param {import("./requests.js").Seen} seen
   */
  render({ codons, error, hash }) {
    this.#paint(codons, error);
    write(this.verdict, error ? t("lab.fault", { number: error.at + 1, message: dnaText(error) }) : t("lab.valid", { hash: hash ?? "" }));
    set(this.verdict, "data-wrong", error !== null);
    set(this.input, "aria-invalid", error ? "true" : false);
    const text = [...this.value];
    const letters = (/** @type {import("./requests.js").Codon} */ { at, len }) =>
      text.slice(at, at + len).join("").replaceAll(/\s/g, "");
    fill(
      this.codons,
      ...codons.map((codon) =>
        make("li", {}, make("code", { class: "codon", "data-meaning": codon.meaning }, letters(codon)), ` ${dnaText(codon)}`),
      ),
    );
  }

  /**
   * @param {import("./requests.js").Codon[]} codons
   * @param {import("./requests.js").Fault | null} fault
   */
  #paint(codons, fault) {
    // The relay counts characters, and not the units of JavaScript strings.
    const text = [...this.value];
    /** @type {(Node | string)[]} */
    const parts = [];
    let done = 0;
    const add = (/** @type {number} */ at, /** @type {number} */ end, /** @type {Record<string, string>} */ mark) => {
      parts.push(text.slice(done, at).join(""), make("span", mark, text.slice(at, end).join("")));
      done = end;
    };
    for (const { at, len, meaning } of codons) add(at, at + len, { "data-meaning": meaning });
    if (fault) {
      // Something that is missing at the end is shown as a space.
      add(fault.at, fault.at + fault.len, { class: "fault" });
      if (fault.len === 0) parts.push(make("span", { class: "fault" }, "\u00a0"));
    }
    parts.push(text.slice(done).join(""), "\n");
    fill(this.paper, ...parts);
    this.paper.scrollTop = this.input.scrollTop;
  }
}
