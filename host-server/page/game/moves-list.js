// All moves of the game, and the way back through them.

import { make, picture, set } from "../common/dom.js";
import { spoken } from "../board/spoken.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {"first" | "back" | "on" | "now"} Step
 */

export class MovesList {
  /** @type {string[]} */ #shown = [];
  /** @type {HTMLButtonElement[]} */ #buttons = [];
  #current = -1;
  #isSecond = false;

  /** @param {(where: Step | number) => void} look */
  constructor(look) {
    this.look = look;
    this.list = make("ol", { class: "moves", "aria-label": "Moves", tabindex: 0 });
    this.empty = make("p", { class: "soft" }, "No move yet.");
    const step = (/** @type {Step} */ where, /** @type {string} */ sign, /** @type {string} */ label) =>
      make(
        "button",
        {
          type: "button",
          class: "quiet square",
          "aria-label": label,
          title: label,
          "data-look": where,
          onclick: () => look(where),
        },
        picture(`sign-${sign}`),
      );
    this.steps = [
      step("first", "first", "First position"),
      step("back", "back", "Previous position"),
      step("on", "on", "Next position"),
      step("now", "last", "Current position"),
    ];
    this.root = make(
      "section",
      { class: "card moves-card", "aria-labelledby": "moves-title" },
      make(
        "div",
        { class: "card-head" },
        make("h2", { id: "moves-title" }, "Moves"),
        make("div", { class: "steps", role: "group", "aria-label": "Review" }, ...this.steps),
      ),
      make("div", { class: "moves-box" }, this.empty, this.list),
    );
  }

  /**
   * @param {Match} match
   * @param {number | null} looking
   */
  render(match, looking) {
    const begin = match.startFen.split(" ");
    const first = { number: Number(begin[5]) || 1, isSecond: begin[1] === "b" };
    const sans = match.plies.map(({ san }) => san);
    set(this.empty, "hidden", sans.length > 0);
    let same = 0;
    while (same < sans.length && same < this.#shown.length && sans[same] === this.#shown[same]) same += 1;
    if (same < this.#shown.length || this.#isSecond !== first.isSecond)
      this.#cut(this.#isSecond === first.isSecond ? same : (same = 0));
    this.#isSecond = first.isSecond;
    for (let ply = same; ply < sans.length; ply++) this.#add(ply, sans[ply] ?? "", first);
    this.#shown = sans;
    this.#mark((looking ?? sans.length) - 1);
    const here = looking ?? sans.length;
    this.steps.forEach((button, at) => set(button, "disabled", at < 2 ? here === 0 : looking === null));
  }

  /** @param {number} length */
  #cut(length) {
    for (const button of this.#buttons.splice(length)) {
      const row = button.parentElement;
      button.remove();
      if (row && !row.querySelector("button")) row.remove();
    }
    this.#current = -1;
  }

  /**
   * @param {number} ply
   * @param {string} san
   * @param {{ number: number, isSecond: boolean }} first
   */
  #add(ply, san, first) {
    const half = ply + (first.isSecond ? 1 : 0);
    const button = make(
      "button",
      {
        type: "button",
        class: "move",
        "data-ply": ply + 1,
        "aria-label": `${san}, ${spoken(san)}`,
        onclick: () => this.look(ply + 1),
      },
      san,
    );
    if (half % 2 === 0 || ply === 0) {
      const number = make("span", { class: "number" }, `${first.number + (half >> 1)}.`);
      this.list.append(make("li", {}, number, half % 2 ? make("span", { class: "gap" }, "…") : null, button));
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
      // Only the list scrolls, never the page.
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
