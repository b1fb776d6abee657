// The field for the player's name, which the browser remembers.

import { make, set, write } from "../common/dom.js";
import { recall, remember } from "../common/memory.js";
import { t } from "../language/language.js";

/** The relay's limit for a name in UTF-8. */
const MAX_BYTES = 32;

export class NameField {
  /** @param {string} id */
  constructor(id) {
    this.input = make("input", {
      id,
      name: "name",
      type: "text",
      autocomplete: "nickname",
      maxlength: MAX_BYTES,
      placeholder: t("noun.guest"),
      value: recall("local", "name") ?? "",
      "aria-describedby": `${id}-wrong`,
    });
    this.input.addEventListener("input", () => {
      if (bytes(this.input.value) > MAX_BYTES) this.input.value = cut(this.input.value);
    });
    this.wrong = make("p", { id: `${id}-wrong`, class: "wrong" });
    this.root = make("div", { class: "field" }, make("label", { for: id }, t("name.label")), this.input, this.wrong);
  }

  get value() {
    return cut(this.input.value).normalize("NFC").trim() || t("noun.guest");
  }

  /** Shows what is wrong with the name, or remembers it. */
  check() {
    // Control and format characters, private and unpaired ones, and line separators.
    const isInvisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(this.value);
    write(this.wrong, isInvisible ? t("name.invisible") : "");
    set(this.input, "aria-invalid", isInvisible ? "true" : false);
    if (isInvisible) this.input.focus();
    else remember("local", "name", this.input.value.trim() || null);
    return !isInvisible;
  }
}

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text.normalize("NFC").trim()).length;

/**
 * The longest beginning of a name that the relay accepts.
 *
 * @param {string} name
 */
function cut(name) {
  const letters = [...name];
  while (bytes(letters.join("")) > MAX_BYTES) letters.pop();
  return letters.join("");
}
