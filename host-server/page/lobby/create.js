// The form for a new game: name, colour, time control and countdown.

import { drawPiece } from "../board/drawing.js";
import { make, set, write } from "../common/dom.js";
import { recall, remember } from "../common/memory.js";
import { t } from "../language/language.js";
import { RequestError, waitingBoards } from "../relay/http.js";
import { startGame } from "./challenge.js";
import { NameField } from "./name-field.js";

/** Time controls as players write them: minutes + seconds per move. */
const PRESETS = ["none", "1+0", "3+2", "5+3", "10+5", "15+10", "30+20", "custom"];

const COLORS = /** @type {const} */ ([
  { value: "white", label: "create.white", pieces: ["K"] },
  { value: "random", label: "create.random", pieces: ["K", "k"] },
  { value: "black", label: "create.black", pieces: ["k"] },
]);

const COUNTDOWN_MS = 5000;
const POLL_MS = 5000;
const MAX_BASE_MS = 86_400_000;
const MAX_INCREMENT_MS = 3_600_000;

export class CreateForm {
  /** The board that is challenged; empty for a game with a link. */
  #board = "";
  #offered = "";

  constructor() {
    const color = recall("local", "color") ?? "random";
    const clock = recall("local", "clock") ?? "5+3";
    const isPreset = PRESETS.includes(clock);
    const [minutes = "5", seconds = "3"] = isPreset ? [] : clock.split("+");
    this.name = new NameField("create-name");
    this.minutes = numberField("clock-base", t("create.minutes"), minutes, { min: 0.1, max: 1440 });
    this.seconds = numberField("clock-increment", t("create.seconds"), seconds, { min: 0, max: 3600 });
    this.custom = make("div", { class: "row custom-clock" }, this.minutes.root, this.seconds.root);
    this.opponent = make("select", {
      id: "create-opponent",
      onfocus: () => this.#findBoards(),
      onchange: () => (this.#board = this.opponent.value),
    });
    this.#board = new URLSearchParams(location.search).get("board") ?? "";
    this.countdown = make("input", { type: "checkbox", id: "countdown", checked: recall("local", "countdown") === "on" });
    this.wrong = make("p", { class: "wrong", role: "alert" });
    this.button = make("button", { type: "submit", class: "main wide" }, t("create.button"));
    this.root = make(
      "form",
      {
        class: "card create",
        "aria-labelledby": "create-title",
        novalidate: true,
        tabindex: this.#board ? -1 : null,
        onsubmit: this.#create,
        onchange: () => this.#render(),
      },
      make("h2", { id: "create-title" }, t("create.title")),
      this.name.root,
      make("div", { class: "field" }, make("label", { for: "create-opponent" }, t("challenge.opponent")), this.opponent),
      make(
        "fieldset",
        { class: "field" },
        make("legend", {}, t("create.color")),
        make("div", { class: "colors" }, ...COLORS.map((option) => colorOption(option, color === option.value))),
      ),
      make(
        "fieldset",
        { class: "field" },
        make("legend", {}, t("create.clock")),
        make(
          "div",
          { class: "chips" },
          ...PRESETS.map((value) =>
            option("clock", value, isPreset ? clock === value : value === "custom", "chip", presetLabel(value)),
          ),
        ),
        this.custom,
      ),
      make(
        "label",
        { class: "check" },
        this.countdown,
        make("span", {}, t("create.countdown")),
      ),
      this.wrong,
      this.button,
    );
    this.#offer(this.#board ? [this.#board] : []);
    this.#render();
    if (this.#board) this.#beginChallenge();
  }

  /** The user comes from a board in the lobby. */
  #beginChallenge() {
    this.#findBoards();
    setInterval(() => document.hidden || this.#findBoards(), POLL_MS);
    // The form is in the document after this task.
    queueMicrotask(() => {
      this.root.scrollIntoView();
      this.root.focus({ preventScroll: true });
    });
  }

  async #findBoards() {
    // The list of boards says that the relay cannot be reached.
    const boards = await waitingBoards().catch(() => null);
    if (boards) this.#offer(boards.flatMap(({ name, set_up: isSetUp }) => (isSetUp ? [name] : [])));
  }

  /** @param {readonly string[]} free the boards that can be challenged. A chosen one that cannot be any more stays chosen, and says so */
  #offer(free) {
    const key = JSON.stringify(free);
    if (key === this.#offered) return;
    this.#offered = key;
    const chosen = this.#board;
    const boards = free.includes(chosen) || !chosen ? free : [chosen, ...free];
    const options = boards.map((name) =>
      make("option", { value: name }, t(free.includes(name) ? "challenge.board" : "boards.not_free", { name })),
    );
    this.opponent.replaceChildren(make("option", { value: "" }, t("challenge.anyone")), ...options);
    this.opponent.value = chosen;
  }

  #render() {
    set(this.custom, "hidden", this.#chosen("clock") !== "custom");
    write(this.button, t(this.#board ? "boards.challenge" : "create.button"));
  }

  /** @param {string} group */
  #chosen(group) {
    const input = this.root.querySelector(`input[name="${group}"]:checked`);
    return input instanceof HTMLInputElement ? input.value : "";
  }

  /** The chosen time control: its clock is `null` for none, and it is `undefined` if it is out of range. */
  #timeControl() {
    const preset = this.#chosen("clock");
    if (preset === "none") return { text: preset, clock: null };
    const { minutes, seconds } = this;
    const text = preset === "custom" ? `${minutes.input.valueAsNumber}+${seconds.input.valueAsNumber}` : preset;
    const [base = NaN, increment = NaN] = text.split("+").map(Number);
    const clock = { base_ms: Math.round(base * 60_000), increment_ms: Math.round(increment * 1000) };
    const isInRange =
      clock.base_ms >= 1000 &&
      clock.base_ms <= MAX_BASE_MS &&
      clock.increment_ms >= 0 &&
      clock.increment_ms <= MAX_INCREMENT_MS;
    return isInRange ? { text, clock } : undefined;
  }

  #create = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    write(this.wrong, "");
    if (!this.name.check()) return;
    const timeControl = this.#timeControl();
    if (!timeControl) {
      write(this.wrong, t("create.clock_range"));
      this.minutes.input.focus();
      return;
    }
    const color = /** @type {"white" | "black" | "random"} */ (this.#chosen("color") || "random");
    const hasCountdown = this.countdown.checked;
    remember("local", "color", color);
    remember("local", "clock", timeControl.text);
    remember("local", "countdown", hasCountdown ? "on" : null);
    set(this.button, "disabled", true);
    try {
      const board = this.#board;
      const order = { name: this.name.value, color, clock: timeControl.clock, countdown_ms: hasCountdown ? COUNTDOWN_MS : 0 };
      await startGame({ ...order, ...(board && { board }) });
    } catch (error) {
      write(this.wrong, error instanceof RequestError ? error.message : t("create.failed"));
      set(this.button, "disabled", false);
    }
  };
}

/** @param {string} preset */
function presetLabel(preset) {
  return preset === "none" ? t("create.no_clock") : preset === "custom" ? t("create.other_clock") : preset;
}

/**
 * @param {string} id
 * @param {string} label
 * @param {string} value
 * @param {{ min: number, max: number }} limits
 */
function numberField(id, label, value, limits) {
  const input = make("input", { id, type: "number", inputmode: "decimal", value, required: true, step: "any", ...limits });
  return { input, root: make("div", { class: "field" }, make("label", { for: id }, label), input) };
}

/**
 * @param {typeof COLORS[number]} option
 * @param {boolean} isChecked
 */
function colorOption({ value, label, pieces }, isChecked) {
  const drawings = pieces.map((piece) => drawPiece(piece, "choice-piece"));
  const drawing = drawings.length > 1 ? make("span", { class: "both", "aria-hidden": "true" }, ...drawings) : drawings[0];
  return option("color", value, isChecked, "color", drawing, make("span", {}, t(label)));
}

/**
 * @param {string} name
 * @param {string} value
 * @param {boolean} isChecked
 * @param {string} className
 * @param {...import("../common/dom.js").Child} content
 */
function option(name, value, isChecked, className, ...content) {
  return make(
    "label",
    { class: className },
    make("input", { type: "radio", name, value, checked: isChecked }),
    make("span", {}, ...content),
  );
}
