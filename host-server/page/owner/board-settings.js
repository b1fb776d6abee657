// The settings of a board. Name and challenges are stored by the relay, the others by the board.

import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { changeBoard } from "./requests.js";

/**
 * @typedef {import("./requests.js").BoardState} BoardState
 * @typedef {import("./requests.js").Challenges} Challenges
 * @typedef {(line: string) => Promise<{ answer: string, took_ms: number }>} Run
 */

/**
 * A choice between words.
 *
 * @param {string} id
 * @param {Record<string, string>} options
 */
const choice = (id, options) => make("select", { id }, ...Object.entries(options).map(([value, words]) => make("option", { value }, words)));

/**
 * @param {string} words
 * @param {HTMLElement} control
 */
const field = (words, control) => make("div", { class: "field" }, make("label", { for: control.id }, words), control);

/** Time controls that are offered. The console sets others, too. */
const CLOCKS = ["1+0", "3+2", "5+3", "10+5", "15+10", "30+20"];

const LEVELS = Array.from({ length: 10 }, (_, index) => index + 1);

export class BoardSettings {
  /**
   * @param {Run} run
   * @param {() => string} name
   * @param {(name: string) => Promise<string>} rename
   */
  constructor(run, name, rename) {
    this.run = run;
    this.boardName = name;
    this.name = make("input", { id: "name", type: "text", required: true, maxlength: 32, autocomplete: "off" });
    this.challenges = choice("challenges", { everyone: t("owner.everyone"), link: t("owner.link"), off: t("owner.challenges_off") });
    /** The settings of the board, by the word of the console. */
    this.controls = {
      brightness: make("input", { id: "brightness", type: "range", min: 0, max: 255 }),
      pace: choice("pace", { fast: t("owner.fast"), normal: t("owner.normal"), careful: t("owner.careful") }),
      rest: make("input", { id: "rest", type: "number", min: 0, max: 10000, step: 50 }),
      orientation: choice("orientation", { white: t("noun.white"), black: t("noun.black") }),
      hints: choice("hints", { off: t("owner.off"), on: t("owner.on") }),
      clock: choice("clock", { off: t("create.no_clock"), ...Object.fromEntries(CLOCKS.map((clock) => [clock, clock])) }),
    };
    /** The computer opponent: its level, and the colour that is left for the player. */
    this.computer = choice("computer", {
      off: t("control.no_computer"),
      ...Object.fromEntries(LEVELS.map((level) => [level, t("computer.level", { level })])),
    });
    this.color = choice("color", { white: t("noun.white"), black: t("noun.black") });
    this.done = make("p", { class: "soft", role: "status" });
    this.problem = make("p", { class: "problem", role: "alert" });
    const save = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#try(async () => {
        const renamed = await rename(this.name.value);
        if (this.isConnected) await this.#run(`set name ${renamed}`);
      });
    };
    set(this.challenges, "onchange", () =>
      this.#try(() => changeBoard(this.boardName(), { challenges: /** @type {Challenges} */ (this.challenges.value) })),
    );
    for (const [word, control] of Object.entries(this.controls)) {
      set(control, "onchange", () => this.#try(() => this.#run(`set ${word} ${control.value}`)));
    }
    const choose = () => this.#try(() => this.#run(`set ${this.computer.id} ${this.#opponent()}`));
    set(this.computer, "onchange", choose);
    set(this.color, "onchange", choose);
    const { brightness, pace, rest, orientation, hints, clock } = this.controls;
    this.ofBoard = make(
      "fieldset",
      { disabled: true },
      field(t("owner.brightness"), brightness),
      field(t("owner.pace"), pace),
      field(t("owner.rest"), rest),
      field(t("owner.orientation"), orientation),
      field(t("owner.hints"), hints),
      field(t("owner.clock"), clock),
      field(t("computer.title"), this.computer),
      field(t("computer.color"), this.color),
    );
    this.root = make(
      "section",
      { class: "card" },
      make("h2", {}, t("owner.settings")),
      make("form", { class: "row wrap rename", onsubmit: save }, field(t("owner.name"), this.name), make("button", { class: "plain" }, t("owner.rename"))),
      field(t("owner.challenges"), this.challenges),
      this.ofBoard,
      this.done,
      this.problem,
    );
  }

  isConnected = false;

  /** @param {BoardState} state */
  show({ name, challenges, live }) {
    this.isConnected = live !== null;
    if (!this.isConnected) this.disable();
    if (this.name !== document.activeElement) this.name.value = name;
    if (this.challenges !== document.activeElement) this.challenges.value = challenges;
  }

  /** Disables what the board stores, until it was read again. */
  disable() {
    set(this.ofBoard, "disabled", true);
  }

  /** Reads the settings of the board, and enables them: a change made before the answer would be overwritten by it. */
  async read() {
    const { answer } = await this.run("show");
    for (const line of answer.split("\r\n")) {
      const [word = "", value = "", color] = line.split(" ");
      if (word === "computer") this.#showComputer(value, color);
      const control = this.controls[/** @type {keyof typeof this.controls} */ (word)];
      if (!control || control === document.activeElement) continue;
      control.value = value;
      // A value that is not offered was set on the console.
      if (control instanceof HTMLSelectElement && control.value !== value) {
        control.append(make("option", { value }, value));
        control.value = value;
      }
    }
    set(this.ofBoard, "disabled", !this.isConnected);
  }

  /** The computer in the words of the console, which name its own colour. */
  #opponent() {
    set(this.color, "disabled", this.computer.value === "off");
    return this.computer.value === "off" ? "off" : `${this.computer.value} ${this.color.value === "white" ? "black" : "white"}`;
  }

  /**
   * @param {string} value
   * @param {string | undefined} color
   */
  #showComputer(value, color) {
    if (document.activeElement === this.computer || document.activeElement === this.color) return;
    this.computer.value = value;
    if (color) this.color.value = color === "white" ? "black" : "white";
    set(this.color, "disabled", value === "off");
  }

  /** @param {string} line */
  async #run(line) {
    const { answer } = await this.run(line);
    if (answer.trim() !== "done") throw new Error(answer.trim());
  }

  /** @param {() => Promise<unknown>} change */
  async #try(change) {
    write(this.done, "");
    write(this.problem, "");
    try {
      await change();
      write(this.done, t("owner.saved"));
    } catch (error) {
      write(this.problem, error instanceof Error ? error.message : String(error));
      if (this.isConnected) await this.read().catch(() => {});
    }
  }
}
