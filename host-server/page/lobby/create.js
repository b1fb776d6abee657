// A new game: who plays which side, and how time is counted.

import { make, picture, set, write } from "../common/dom.js";
import { recall, remember } from "../common/memory.js";
import { Refusal, openGame } from "../relay/http.js";
import { keepSeat } from "../relay/seat.js";
import { nameField } from "./name-field.js";

/** Minutes and seconds a move, as players say them. */
const PRESETS = [
  { value: "none", label: "No clock" },
  { value: "1+0", label: "1+0" },
  { value: "3+2", label: "3+2" },
  { value: "5+3", label: "5+3" },
  { value: "10+5", label: "10+5" },
  { value: "15+10", label: "15+10" },
  { value: "30+20", label: "30+20" },
  { value: "custom", label: "Other …" },
];

const COLORS = /** @type {const} */ ([
  { value: "white", label: "White", drawing: "wk" },
  { value: "random", label: "Random", drawing: null },
  { value: "black", label: "Black", drawing: "bk" },
]);

/**
 * @param {string} name
 * @param {string} value
 * @param {boolean} checked
 * @param {string} className
 * @param {...import("../common/dom.js").Child} content
 */
function option(name, value, checked, className, ...content) {
  return make(
    "label",
    { class: className },
    make("input", { type: "radio", name, value, checked }),
    make("span", {}, ...content),
  );
}

export function createCard() {
  const name = nameField("create-name");
  const color = recall("local", "color") ?? "random";
  const clock = recall("local", "clock") ?? "5+3";
  const isPreset = PRESETS.some(({ value }) => value === clock);
  const [ownBase = "5", ownIncrement = "3"] = isPreset ? [] : clock.split("+");
  const number = (
    /** @type {string} */ id,
    /** @type {string} */ label,
    /** @type {string} */ value,
    /** @type {object} */ limits,
  ) =>
    make(
      "div",
      { class: "field" },
      make("label", { for: id }, label),
      make("input", { id, type: "number", inputmode: "decimal", value, required: true, ...limits }),
    );
  const base = number("clock-base", "Minutes each", ownBase, { min: 0.1, max: 1440, step: "any" });
  const increment = number("clock-increment", "Seconds added a move", ownIncrement, { min: 0, max: 3600, step: "any" });
  const custom = make("div", { class: "row custom-clock" }, base, increment);
  const wrong = make("p", { class: "wrong", role: "alert" });
  const button = make("button", { type: "submit", class: "main wide" }, "Create game");
  const chosen = (/** @type {string} */ group) =>
    /** @type {HTMLInputElement | null} */ (form.querySelector(`input[name="${group}"]:checked`))?.value ?? "";

  const form = make(
    "form",
    { class: "card create", "aria-labelledby": "create-title", novalidate: true, onsubmit: create, onchange: show },
    make("h2", { id: "create-title" }, "New game"),
    name.root,
    make(
      "fieldset",
      { class: "field" },
      make("legend", {}, "You play"),
      make(
        "div",
        { class: "colors" },
        ...COLORS.map(({ value, label, drawing }) =>
          option(
            "color",
            value,
            color === value,
            "color",
            drawing
              ? picture(drawing, "choice-piece")
              : make(
                  "span",
                  { class: "both", "aria-hidden": "true" },
                  picture("wk", "choice-piece"),
                  picture("bk", "choice-piece"),
                ),
            make("span", {}, label),
          ),
        ),
      ),
    ),
    make(
      "fieldset",
      { class: "field" },
      make("legend", {}, "Minutes and seconds a move"),
      make(
        "div",
        { class: "chips" },
        ...PRESETS.map(({ value, label }) =>
          option("clock", value, isPreset ? clock === value : value === "custom", "chip", label),
        ),
      ),
      custom,
    ),
    make(
      "label",
      { class: "check" },
      make("input", { type: "checkbox", id: "countdown", checked: recall("local", "countdown") === "on" }),
      make("span", {}, "Count down five seconds before the game begins"),
    ),
    wrong,
    button,
  );
  show();
  return form;

  function show() {
    set(custom, "hidden", chosen("clock") !== "custom");
  }

  /** The clock as it was chosen; nothing is none, and `undefined` is nonsense. */
  function readClock() {
    const preset = chosen("clock");
    if (preset === "none") return { text: preset, clock: null };
    const fields = [...custom.querySelectorAll("input")];
    const text = preset === "custom" ? fields.map((field) => String(field.valueAsNumber)).join("+") : preset;
    const [minutes = NaN, seconds = NaN] = text.split("+").map(Number);
    const rule = { base_ms: Math.round(minutes * 60_000), increment_ms: Math.round(seconds * 1000) };
    const isSensible =
      rule.base_ms >= 1000 && rule.base_ms <= 86_400_000 && rule.increment_ms >= 0 && rule.increment_ms <= 3_600_000;
    return isSensible ? { text, clock: rule } : undefined;
  }

  /** @param {SubmitEvent} event */
  async function create(event) {
    event.preventDefault();
    write(wrong, "");
    if (!name.check()) return;
    const clock = readClock();
    if (!clock) {
      write(wrong, "A clock has from one second to a day for each player, and adds up to an hour a move.");
      custom.querySelector("input")?.focus();
      return;
    }
    const side = /** @type {"white" | "black" | "random"} */ (chosen("color") || "random");
    remember("local", "color", side);
    remember("local", "clock", clock.text);
    const counts = /** @type {HTMLInputElement | null} */ (form.querySelector("#countdown"))?.checked ?? false;
    remember("local", "countdown", counts ? "on" : null);
    set(button, "disabled", true);
    try {
      const order = { name: name.value(), color: side, clock: clock.clock, countdown_ms: counts ? 5000 : 0 };
      const { code, token } = await openGame(order);
      keepSeat(code, token);
      location.assign(`/g/${code}`);
    } catch (refusal) {
      write(wrong, refusal instanceof Refusal ? refusal.message : "Something went wrong. Try again.");
      set(button, "disabled", false);
    }
  }
}
