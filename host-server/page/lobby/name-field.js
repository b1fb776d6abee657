// What one is called. It is remembered.

import { make, set, write } from "../common/dom.js";
import { recall, remember } from "../common/memory.js";

/** As the relay has it. */
const LONGEST_BYTES = 32;

/** @param {string} id */
export function nameField(id) {
  const input = make("input", {
    id,
    name: "name",
    type: "text",
    autocomplete: "nickname",
    maxlength: LONGEST_BYTES,
    placeholder: "Guest",
    value: recall("local", "name") ?? "",
    "aria-describedby": `${id}-wrong`,
  });
  const wrong = make("p", { id: `${id}-wrong`, class: "wrong" });
  const root = make("div", { class: "field" }, make("label", { for: id }, "Your name"), input, wrong);
  const value = () => input.value.normalize("NFC").trim() || "Guest";
  return {
    root,
    value,
    /** Whether it is a name; if it is, it is remembered. */
    check() {
      const isLong = new TextEncoder().encode(value()).length > LONGEST_BYTES;
      // Those that turn or hide other characters, and those that are none.
      const isOdd = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(value());
      write(
        wrong,
        isLong ? "This name is too long." : isOdd ? "There are characters in this name that cannot be seen." : "",
      );
      set(input, "aria-invalid", isLong || isOdd ? "true" : false);
      if (isLong || isOdd) input.focus();
      else remember("local", "name", input.value.trim() || null);
      return !isLong && !isOdd;
    },
  };
}
