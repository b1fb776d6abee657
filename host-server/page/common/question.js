// A question that has to be answered before it goes on.

import { make } from "./dom.js";

let asked = 0;

/**
 * @param {{ title: string, text?: string, yes: string, no?: string, isGrave?: boolean }} question
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, yes, no = "Cancel", isGrave = false }) {
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
        make("button", { type: "button", class: "plain", onclick: () => dialog.close("no"), autofocus: isGrave }, no),
        make(
          "button",
          {
            type: "button",
            class: isGrave ? "grave" : "main",
            onclick: () => dialog.close("yes"),
            autofocus: !isGrave,
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
