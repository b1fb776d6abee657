// The form for entering a game by its code or its link.

import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";

/**
 * The code in a typed or pasted text.
 *
 * @param {string} text
 * @returns {string | null}
 */
export function codeIn(text) {
  const link = /\/g\/([A-Za-z0-9_]{1,32})(?:[/?#]|$)/.exec(text);
  const bare = /^[A-Za-z0-9_]{1,32}$/.exec(text.trim());
  return link?.[1] ?? bare?.[0] ?? null;
}

export class EnterForm {
  constructor() {
    this.field = make("input", {
      id: "enter-code",
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: 300,
      "aria-describedby": "enter-wrong",
    });
    this.wrong = make("p", { id: "enter-wrong", class: "wrong" });
    this.root = make(
      "form",
      { class: "card enter", "aria-labelledby": "enter-title", onsubmit: this.#enter },
      make("h2", { id: "enter-title" }, t("enter.title")),
      make("div", { class: "field" }, make("label", { for: "enter-code" }, t("enter.code")), this.field, this.wrong),
      make(
        "div",
        { class: "row" },
        make("button", { type: "submit", class: "main", value: "play" }, t("enter.join")),
        make("button", { type: "submit", class: "plain", value: "watch" }, t("enter.watch")),
      ),
    );
  }

  #enter = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const code = codeIn(this.field.value);
    write(this.wrong, code ? "" : t("enter.wrong"));
    set(this.field, "aria-invalid", code ? false : "true");
    const isWatching = event.submitter?.getAttribute("value") === "watch";
    if (code) location.assign(`/g/${code}${isWatching ? "?watch" : ""}`);
    else this.field.focus();
  };
}
