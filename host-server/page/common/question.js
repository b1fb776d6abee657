// A modal yes-or-no question.

import { t } from "../language/language.js";
import { make } from "./dom.js";

let asked = 0;

/**
 * @param {{ title: string, text?: string, yes: string, no?: string, isDangerous?: boolean }} question
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, yes, no = t("noun.cancel"), isDangerous = false }) {
  return new Promise((resolve) => {
    const id = `question-${++asked}`;
    const dialog = make(
      "dialog",
      { class: "question", "aria-labelledby": id },
      make("h2", { id }, title),
      text ? make("p", {}, text) : null,
      make(
        "div",
        { class: "row end" },
        make("button", { type: "button", class: "plain", onclick: () => dialog.close("no"), autofocus: isDangerous }, no),
        make(
          "button",
          {
            type: "button",
            class: isDangerous ? "grave" : "main",
            onclick: () => dialog.close("yes"),
            autofocus: !isDangerous,
          },
          yes,
        ),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
