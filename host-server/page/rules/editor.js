// A text field for a script, with the numbers of its lines. The Tab key indents by four spaces; after Escape it leaves the field.

import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";

const INDENT = "    ";

export class ScriptEditor {
  /** @param {() => void} changed called when the user has changed the text */
  constructor(changed) {
    this.isLeaving = false;
    this.numbers = make("div", { class: "line-numbers", "aria-hidden": "true" }, "1");
    this.field = make("textarea", {
      id: "script",
      class: "script",
      wrap: "off",
      rows: 18,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "aria-describedby": "script-help",
      oninput: () => {
        // The mistake may be corrected, and its line may be another one now.
        this.mark(null);
        changed();
      },
      onscroll: () => (this.numbers.scrollTop = this.field.scrollTop),
      onkeydown: this.#press,
    });
    this.root = make(
      "div",
      { class: "field" },
      make("label", { for: "script" }, t("rules.script")),
      make("div", { class: "editor" }, this.numbers, this.field),
      make("p", { id: "script-help", class: "soft" }, t("rules.help")),
    );
  }

  get text() {
    return this.field.value;
  }

  /** @param {string} text */
  set text(text) {
    this.field.value = text;
    this.field.scrollTop = 0;
    this.mark(null);
    this.#number();
  }

  /**
   * Marks a line as wrong and shows it, or none.
   *
   * @param {number | null} line counted from 1
   */
  mark(line) {
    set(this.field, "aria-invalid", line ? "true" : false);
    this.wrongLine = line;
    this.#number();
    if (!line) return;
    const lines = this.text.split("\n");
    const start = lines.slice(0, line - 1).reduce((length, text) => length + text.length + 1, 0);
    this.field.focus();
    this.field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    const height = this.field.scrollHeight / Math.max(lines.length, 1);
    this.field.scrollTop = Math.max(0, (line - 4) * height);
  }

  #number() {
    const count = this.text.split("\n").length;
    const lines = Array.from({ length: count }, (_, at) => (at + 1 === this.wrongLine ? `▶ ${at + 1}` : `${at + 1}`));
    write(this.numbers, lines.join("\n"));
    this.numbers.scrollTop = this.field.scrollTop;
  }

  #press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") this.isLeaving = true;
    else if (event.key === "Tab" && !event.shiftKey && !this.isLeaving) {
      event.preventDefault();
      this.field.setRangeText(INDENT, this.field.selectionStart, this.field.selectionEnd, "end");
      this.#number();
    } else this.isLeaving = false;
  };
}
