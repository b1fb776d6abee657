// The form for a game against the computer: level or engine, colour, time control, and on which board the player sits.

import { make, set, write } from "../common/dom.js";
import { recall, remember } from "../common/memory.js";
import { t } from "../language/language.js";
import { RequestError, computers, openComputerGame, waitingBoards } from "../relay/http.js";
import { keepSeat } from "../relay/seat.js";
import { keepChallenge } from "./challenge.js";

/** @typedef {{ value: string, label: string }} Choice */

const LEVELS = 10;
const DEFAULT_LEVEL = "3";

/** Minutes + seconds per move. */
const CLOCKS = ["3+2", "5+3", "10+5", "30+20"];

export class ComputerForm {
  constructor() {
    this.opponent = choice("computer-opponent", t("computer.opponent"), levels(), recall("local", "computer") ?? DEFAULT_LEVEL);
    this.color = choice("computer-color", t("computer.color"), colors(), recall("local", "color") ?? "random");
    this.clock = choice("computer-clock", t("computer.clock"), clocks(), recall("local", "computer-clock") ?? "none");
    this.place = choice("computer-place", t("computer.place"), [here()], "");
    this.wrong = make("p", { class: "wrong", role: "alert" });
    this.button = make("button", { type: "submit", class: "main" }, t("computer.button"));
    this.root = make(
      "form",
      { class: "card computer", "aria-labelledby": "computer-title", onsubmit: this.#play, onfocusin: this.#refresh },
      make("h2", { id: "computer-title" }, t("computer.title")),
      make("div", { class: "fields" }, this.opponent.root, this.color.root, this.clock.root, this.place.root),
      this.wrong,
      this.button,
    );
    computers().then(
      ({ engines }) => this.opponent.offer([...levels(), ...engines.map((name) => ({ value: `engine ${name}`, label: name }))]),
      () => {},
    );
    this.#refresh();
  }

  /** Looks for boards that are free. */
  #refresh = async () => {
    try {
      const boards = await waitingBoards();
      this.place.offer([here(), ...boards.map(({ name }) => ({ value: name, label: t("computer.on_board", { name }) }))]);
    } catch {
      // The list of boards says that the relay cannot be reached.
    }
  };

  #play = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    write(this.wrong, "");
    const [opponent, color, clock, place] = [this.opponent, this.color, this.clock, this.place].map(({ input }) => input.value);
    if (!opponent || !color || !clock) return;
    remember("local", "computer", opponent);
    remember("local", "color", color);
    remember("local", "computer-clock", clock);
    const computer = opponent.startsWith("engine ") ? { engine: opponent.slice(7) } : { level: Number(opponent) };
    const [minutes = NaN, seconds = NaN] = clock.split("+").map(Number);
    set(this.button, "disabled", true);
    try {
      const { code, token, asked } = await openComputerGame({
        computer,
        color: /** @type {"white" | "black" | "random"} */ (color),
        clock: clock === "none" ? null : { base_ms: minutes * 60_000, increment_ms: seconds * 1000 },
        ...(place ? { board: place } : { name: recall("local", "name") ?? t("noun.guest") }),
      });
      if (token) keepSeat(code, token);
      if (asked) keepChallenge(code, place ?? "");
      location.assign(`/g/${code}${place ? "?watch" : ""}`);
    } catch (error) {
      write(this.wrong, error instanceof RequestError ? error.message : t("computer.failed"));
      set(this.button, "disabled", false);
    }
  };
}

/** @returns {Choice[]} */
function levels() {
  const label = (/** @type {number} */ level) =>
    t(level === 1 ? "computer.first_level" : level === LEVELS ? "computer.last_level" : "computer.level", { level });
  return Array.from({ length: LEVELS }, (_, at) => ({ value: String(at + 1), label: label(at + 1) }));
}

/** @returns {Choice[]} */
function colors() {
  return [
    { value: "white", label: t("computer.white") },
    { value: "black", label: t("computer.black") },
    { value: "random", label: t("computer.random") },
  ];
}

/** @returns {Choice[]} */
function clocks() {
  return [{ value: "none", label: t("computer.no_clock") }, ...CLOCKS.map((value) => ({ value, label: value }))];
}

/** @returns {Choice} */
function here() {
  return { value: "", label: t("computer.here") };
}

/**
 * A list of which one is chosen.
 *
 * @param {string} id
 * @param {string} label
 * @param {readonly Choice[]} choices
 * @param {string} chosen
 */
function choice(id, label, choices, chosen) {
  const input = make("select", { id });
  let wanted = chosen;
  input.addEventListener("change", () => (wanted = input.value));
  let shown = "";
  const offer = (/** @type {readonly Choice[]} */ list) => {
    const key = JSON.stringify(list);
    if (key === shown) return;
    shown = key;
    input.replaceChildren(...list.map(({ value, label }) => make("option", { value }, label)));
    input.value = list.some(({ value }) => value === wanted) ? wanted : (list[0]?.value ?? "");
  };
  offer(choices);
  return { input, offer, root: make("div", { class: "field" }, make("label", { for: id }, label), input) };
}
