// The calibration of a board, step by step: the board asks for a piece on the squares of the diagonal, on h1 and on lights, and works out its wiring.

import { make, set, write } from "../common/dom.js";
import { CALIBRATION_STEPS } from "../language/console-sentences.js";
import { t } from "../language/language.js";
import { SmallBoard } from "./small-board.js";

/** Milliseconds between two questions how far the calibration is. */
const INTERVAL = 400;

export class Calibration {
  #isRunning = false;

  /** @param {import("./board-settings.js").Run} run */
  constructor(run) {
    this.run = run;
    const scopes = { "": t("owner.scope_all"), switches: t("owner.scope_switches"), lights: t("owner.scope_lights") };
    this.scope = make("select", { id: "scope" }, ...Object.entries(scopes).map(([value, words]) => make("option", { value }, words)));
    const button = (/** @type {string} */ words, /** @type {() => string} */ line) =>
      make("button", { class: "plain", type: "button", onclick: () => this.#do(line()) }, words);
    this.start = button(t("owner.calibrate"), () => `calibrate ${this.scope.value}`.trim());
    this.stop = button(t("owner.stop"), () => "calibrate stop");
    this.reset = button(t("owner.reset"), () => "calibrate reset");
    this.step = make("p", { class: "step", role: "status" });
    this.board = new SmallBoard();
    this.board.mark([], t("owner.no_squares"));
    this.root = make(
      "section",
      { class: "card" },
      make("h2", {}, t("owner.calibration")),
      make("p", {}, t("owner.calibration_lead")),
      make("div", { class: "field" }, make("label", { for: "scope" }, t("owner.scope")), this.scope),
      make("div", { class: "row wrap" }, this.start, this.stop, this.reset),
      this.step,
      this.board.root,
    );
    this.show(null);
  }

  /** @param {import("./requests.js").LiveBoard | null} live */
  show(live) {
    set(this.start, "disabled", live === null || this.#isRunning);
    set(this.scope, "disabled", live === null || this.#isRunning);
    set(this.stop, "disabled", live === null || !this.#isRunning);
    set(this.reset, "disabled", live === null || this.#isRunning);
  }

  /** @param {string} line */
  async #do(line) {
    try {
      await this.run(line);
      if (this.#isRunning) return;
      this.#isRunning = true;
      while (await this.#follow()) await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    } catch (error) {
      write(this.step, error instanceof Error ? error.message : String(error));
      this.board.mark([], t("owner.no_squares"));
    }
    this.#isRunning = false;
  }

  /** Shows the current step. Returns whether there are more. */
  async #follow() {
    const { answer } = await this.run("calibrate status");
    const text = answer.trim().replace(/^calibrate: /, "");
    const step = CALIBRATION_STEPS[text];
    const square = step?.square;
    write(this.step, step ? t(step.key, square ? { square } : {}) : text);
    this.board.mark(square ? [square] : [], square ?? t("owner.no_squares"));
    return step !== undefined && !step.isOver;
  }
}
