// The fields of a game under other rules: colour, time control, and whether the opponent joins by the link or at a wooden board.

import { make } from "../common/dom.js";
import { recall, remember } from "../common/memory.js";
import { t } from "../language/language.js";
import { waitingBoards } from "../relay/http.js";

/** Minutes + seconds per move. */
const CLOCKS = ["3+2", "5+3", "10+5", "15+10", "30+20"];

const POLL_MS = 5000;

export class TermsFields {
  #shown = "[]";

  /** @param {string} prefix of the ids of the fields */
  constructor(prefix) {
    const color = recall("local", "color") ?? "random";
    this.color = select(`${prefix}-color`, ["white", "random", "black"].map((value) => option(value, t(`create.${/** @type {"white"} */ (value)}`), color)));
    this.clock = select(`${prefix}-clock`, [option("none", t("create.no_clock")), ...CLOCKS.map((value) => option(value, value))]);
    this.opponent = select(`${prefix}-opponent`, [option("", t("create.by_link"))]);
    this.roots = [
      field(t("create.color"), this.color),
      field(t("create.clock"), this.clock),
      field(t("computer.opponent"), this.opponent),
    ];
    setInterval(this.#listBoards, POLL_MS);
    document.addEventListener("visibilitychange", this.#listBoards);
    this.#listBoards();
  }

  /** Offers the boards that are free, and changes nothing while they are the same. */
  #listBoards = async () => {
    if (document.hidden) return;
    const boards = (await waitingBoards().catch(() => [])).filter(({ set_up: isSetUp }) => isSetUp);
    const key = JSON.stringify(boards);
    if (key === this.#shown) return;
    this.#shown = key;
    const chosen = this.opponent.value;
    const options = boards.map(({ name }) => option(name, t("challenge.board", { name }), chosen));
    this.opponent.replaceChildren(option("", t("create.by_link")), ...options);
  };

  /** What was chosen, as a part of an order. */
  order() {
    const color = /** @type {"white" | "black" | "random"} */ (this.color.value);
    remember("local", "color", color);
    const [base = 0, increment = 0] = this.clock.value.split("+").map(Number);
    const clock = this.clock.value === "none" ? null : { base_ms: base * 60_000, increment_ms: increment * 1000 };
    return { color, clock, ...(this.opponent.value ? { board: this.opponent.value } : {}) };
  }
}

/**
 * @param {string} value
 * @param {string} label
 * @param {string} [chosen]
 */
function option(value, label, chosen) {
  return make("option", { value, selected: value === chosen }, label);
}

/**
 * @param {string} id
 * @param {HTMLOptionElement[]} options
 */
function select(id, options) {
  return make("select", { id }, ...options);
}

/**
 * @param {string} label
 * @param {HTMLSelectElement} input
 */
function field(label, input) {
  return make("div", { class: "field" }, make("label", { for: input.id }, label), input);
}
