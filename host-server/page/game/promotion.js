// The dialog for the choice of a piece when a move promotes. The relay says which pieces there are to choose from.

import { drawPiece } from "../board/drawing.js";
import { pieceOf, roleName } from "../board/pieces.js";
import { make } from "../common/dom.js";
import { t } from "../language/language.js";
import { promotionChoices } from "./state.js";

/** @typedef {import("../board/colors.js").Color} Color */

const ORDER = "qnrb";

export class PromotionDialog {
  /** @type {HTMLDialogElement | null} */ #dialog = null;
  /** @type {string[]} */ #choices = [];

  /**
   * @param {HTMLElement} host over which it is shown
   * @param {import("./session.js").GameSession} session
   */
  constructor(host, session) {
    this.host = host;
    this.session = session;
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match, selection: { promoting } }) {
    if (promoting && match.color) this.#open(promotionChoices(match, promoting.from, promoting.to), match, match.color);
    else this.#dialog?.close();
  }

  /**
   * @param {string[]} choices
   * @param {import("./state.js").Match} match
   * @param {Color} color
   */
  #open(choices, match, color) {
    if (this.#dialog) return;
    // In the order of the wooden board.
    choices = choices.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
    this.#choices = choices;
    const name = (/** @type {string} */ choice) => match.choices[choice]?.name ?? roleName(choice);
    // Under other rules a choice is drawn as the piece of chess that the relay names, or as its letter.
    const drawing = (/** @type {string} */ choice) => {
      const kind = match.choices[choice];
      return kind ? drawPiece(choice, "choice-piece", { [choice]: { ...kind, color } }) : drawPiece(pieceOf(choice, color), "choice-piece");
    };
    // The click that belongs to the tap which opened the dialog is no choice: its finger was put down before.
    let isPressed = false;
    const dialog = make(
      "dialog",
      { class: "promotion", "aria-label": t("promotion.label"), onkeydown: this.#press, onclose: this.#close },
      make("h2", {}, t("promotion.title")),
      make(
        "div",
        { class: "choices" },
        ...choices.map((role) =>
          make(
            "button",
            {
              type: "button",
              class: "choice",
              "data-promotion": role,
              "aria-label": name(role),
              onclick: (/** @type {MouseEvent} */ event) => {
                if (isPressed || isOfKeyboard(event)) dialog.close(role);
              },
            },
            drawing(role),
            make("span", { "aria-hidden": "true" }, name(role)),
          ),
        ),
      ),
    );
    this.#dialog = dialog;
    // A click on the backdrop takes the move back.
    dialog.addEventListener("pointerdown", () => (isPressed = true));
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog && isPressed) dialog.close();
    });
    this.host.append(dialog);
    dialog.showModal();
    const box = this.host.getBoundingClientRect();
    dialog.style.left = `${within(box.left + box.width / 2, dialog.offsetWidth, innerWidth)}px`;
    dialog.style.top = `${within(box.top + box.height / 2, dialog.offsetHeight, innerHeight)}px`;
  }

  #press = (/** @type {KeyboardEvent} */ event) => {
    const role = this.#choices.find((one) => one === event.key || one === event.key.toLowerCase());
    const buttons = [...(this.#dialog?.querySelectorAll("button") ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    if (role) this.#dialog?.close(role);
    else if (event.key === "ArrowRight" || event.key === "ArrowDown") buttons[(at + 1) % buttons.length]?.focus();
    else if (event.key === "ArrowLeft" || event.key === "ArrowUp") buttons.at(at - 1)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  #close = () => {
    const promotion = this.#dialog?.returnValue || null;
    this.#dialog?.remove();
    this.#dialog = null;
    this.session.promote(promotion);
  };
}

/**
 * Whether a click comes from a key or from a screen reader, which press no pointer.
 *
 * @param {MouseEvent} click
 */
function isOfKeyboard({ detail }) {
  return detail === 0;
}

/**
 * The middle of something with a size that is as near to a wish as possible, and entirely in the window.
 *
 * @param {number} wish
 * @param {number} size
 * @param {number} windowSize
 */
function within(wish, size, windowSize) {
  const least = size / 2 + 8;
  return Math.max(least, Math.min(wish, windowSize - least));
}
