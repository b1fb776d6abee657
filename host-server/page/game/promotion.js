// What a pawn becomes.

import { make, picture } from "../common/dom.js";
import { NAMES } from "../board/squares.js";

/** @typedef {import("../board/squares.js").Color} Color */

const CHOICES = /** @type {const} */ (["q", "r", "b", "n"]);

/**
 * @param {HTMLElement} host beside which it is shown
 * @param {(promotion: string | null) => void} answer nothing, if it is not to move after all
 */
export function promotionDialog(host, answer) {
  /** @type {HTMLDialogElement | null} */
  let dialog = null;

  /** @param {Color} color */
  function open(color) {
    if (dialog) return;
    const choice = (/** @type {typeof CHOICES[number]} */ role) =>
      make(
        "button",
        {
          type: "button",
          class: "choice",
          "data-promotion": NAMES[role],
          "aria-label": NAMES[role],
          onclick: () => made.close(NAMES[role]),
        },
        picture(color.charAt(0) + role, "choice-piece"),
        make("span", { "aria-hidden": "true" }, NAMES[role]),
      );
    const made = make(
      "dialog",
      { class: "promotion", "aria-label": "Promote the pawn", onkeydown: press, onclose: close },
      make("h2", {}, "The pawn becomes a"),
      make("div", { class: "choices" }, ...CHOICES.map(choice)),
    );
    dialog = made;
    // Whoever clicks beside it has changed their mind.
    made.addEventListener("click", (event) => {
      if (event.target === made) made.close();
    });
    host.append(made);
    made.showModal();
    const box = host.getBoundingClientRect();
    made.style.left = `${box.left + box.width / 2}px`;
    made.style.top = `${Math.min(box.top + box.height / 2, innerHeight - 120)}px`;
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    const role = CHOICES.find((one) => one === event.key.toLowerCase());
    const buttons = [...(dialog?.querySelectorAll("button") ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    if (role) dialog?.close(NAMES[role]);
    else if (event.key === "ArrowRight" || event.key === "ArrowDown") buttons[(at + 1) % 4]?.focus();
    else if (event.key === "ArrowLeft" || event.key === "ArrowUp") buttons[(at + 3) % 4]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function close() {
    const promotion = dialog?.returnValue || null;
    dialog?.remove();
    dialog = null;
    answer(promotion);
  }

  return {
    /** @param {Color | null} color nothing, if no pawn waits */
    render(color) {
      if (color) open(color);
      else if (dialog) dialog.close();
    },
  };
}
