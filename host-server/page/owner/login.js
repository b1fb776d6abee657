// The form for the password of the owner.

import { make } from "../common/dom.js";
import { t } from "../language/language.js";
import { keepPassword } from "./requests.js";

/**
 * @param {() => void} entered
 */
export function loginForm(entered) {
  const password = make("input", { id: "password", type: "password", required: true, autocomplete: "current-password" });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    keepPassword(password.value);
    entered();
  };
  return make(
    "form",
    { class: "card", hidden: true, onsubmit },
    make("div", { class: "field" }, make("label", { for: "password" }, t("owner.password")), password),
    make("button", { class: "main" }, t("owner.enter")),
  );
}
