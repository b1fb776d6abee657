// The list of moves, and the buttons to review them.

import { make, picture, set } from "../common/dom.js";
import { spoken } from "../board/spoken.js";
import { t } from "../language/language.js";
import { isChess, moveNumber } from "./state.js";

/**
 * @typedef {import("./state.js").Ply} Ply
 * @typedef {import("./selection.js").ReviewStep} ReviewStep
 */

export class MovesList {
  /** @type {readonly Ply[]} */ #shown = [];
  /** @type {HTMLButtonElement[]} */ #buttons = [];
  #firstNumber = 1;
  #current = -1;

  /** @param {import("./session.js").GameSession} session */
  constructor(session) {
    this.session = session;
    this.list = make("ol", { class: "moves", "aria-label": t("moves.title"), tabindex: 0 });
    this.empty = make("p", { class: "soft" }, t("moves.none"));
    const step = (/** @type {ReviewStep} */ where, /** @type {string} */ icon, /** @type {string} */ label) =>
      make(
        "button",
        {
          type: "button",
          class: "quiet square",
          "aria-label": label,
          title: label,
          "data-review": where,
          onclick: () => session.review(where),
        },
        picture(`sign-${icon}`),
      );
    this.steps = [
      step("first", "first", t("moves.first")),
      step("back", "back", t("moves.back")),
      step("on", "on", t("moves.on")),
      step("now", "last", t("moves.now")),
    ];
    this.root = make(
      "section",
      { class: "card moves-card", "aria-labelledby": "moves-title" },
      make(
        "div",
        { class: "card-head" },
        make("h2", { id: "moves-title" }, t("moves.title")),
        make("div", { class: "steps", role: "group", "aria-label": t("moves.review") }, ...this.steps),
      ),
      make("div", { class: "moves-box" }, this.empty, this.list),
    );
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match, selection }) {
    const { plies } = match;
    set(this.root, "hidden", match.game === 0);
    set(this.empty, "hidden", plies.length > 0);
    const number = moveNumber(match.start.fen);
    let same = 0;
    while (same < plies.length && plies[same]?.san === this.#shown[same]?.san && number === this.#firstNumber) same += 1;
    this.#firstNumber = number;
    this.#cut(same);
    for (const [at, ply] of plies.entries()) if (at >= same) this.#add(at, ply);
    this.#shown = plies;
    const here = selection.review ?? plies.length;
    this.#mark(here - 1);
    this.steps.forEach((button, at) => set(button, "disabled", at < 2 ? here === 0 : selection.review === null));
  }

  /** @param {number} length */
  #cut(length) {
    for (const button of this.#buttons.splice(length)) {
      const row = button.parentElement;
      button.remove();
      if (row && !row.querySelector("button")) row.remove();
      this.#current = -1;
    }
  }

  /**
   * @param {number} at
   * @param {Ply} ply
   */
  #add(at, { san, color }) {
    const button = make(
      "button",
      {
        type: "button",
        class: "move",
        "data-ply": at + 1,
        "aria-label": isChess(this.session.match) ? `${san}, ${spoken(san)}` : san,
        onclick: () => this.session.review(at + 1),
      },
      san,
    );
    if (color === "white" || at === 0) {
      const number = make("span", { class: "number" }, `${this.#firstNumber + this.list.childElementCount}.`);
      const gap = color === "black" ? make("span", { class: "gap" }, "…") : null;
      this.list.append(make("li", {}, number, gap, button));
    } else {
      this.list.lastElementChild?.append(button);
    }
    this.#buttons.push(button);
  }

  /** @param {number} at */
  #mark(at) {
    if (at === this.#current && this.#buttons[at]?.hasAttribute("aria-current")) return;
    for (const button of this.#buttons) set(button, "aria-current", false);
    const current = this.#buttons[at];
    this.#current = at;
    if (current) {
      set(current, "aria-current", "true");
      // `scrollIntoView` would scroll the page as well.
      const box = current.parentElement ?? current;
      const { scrollTop, clientHeight } = this.list;
      if (box.offsetTop < scrollTop) this.list.scrollTop = box.offsetTop;
      else if (box.offsetTop + box.offsetHeight > scrollTop + clientHeight) {
        this.list.scrollTop = box.offsetTop + box.offsetHeight - clientHeight;
      }
    } else {
      this.list.scrollTop = 0;
    }
  }
}
