// The computer opponent of the virtual board: its level, and the colour of the player. For a wooden board it is set with a king.

import { make, set } from "../common/dom.js";
import { t } from "../language/language.js";

const LEVELS = 10;

export class ComputerChoice {
  /** @param {(touch: import("../relay/panel-messages.js").Touch) => void} send */
  constructor(send) {
    const label = (/** @type {number} */ level) =>
      t(level === 1 ? "computer.first_level" : level === LEVELS ? "computer.last_level" : "computer.level", { level });
    const levels = Array.from({ length: LEVELS }, (_, at) => make("option", { value: String(at + 1) }, label(at + 1)));
    const choose = () =>
      send({
        type: "computer",
        level: Number(this.level.value) || null,
        color: this.color.value === "black" ? "black" : "white",
      });
    this.level = make("select", { id: "computer-level", onchange: choose }, make("option", { value: "" }, t("control.no_computer")), ...levels);
    this.color = make(
      "select",
      { id: "computer-color", onchange: choose },
      make("option", { value: "white" }, t("computer.white")),
      make("option", { value: "black" }, t("computer.black")),
    );
    this.root = make(
      "div",
      { class: "opponent" },
      make("label", { for: "computer-level" }, t("computer.title")),
      make("label", { for: "computer-color" }, t("computer.color")),
      this.level,
      this.color,
    );
  }

  /** @param {import("../relay/panel-messages.js").BoardState} state */
  show({ computer, touch }) {
    // Unknown without power, and in emulated firmware, which is asked on its console.
    for (const input of [this.level, this.color]) set(input, "disabled", !touch || computer === null);
    if (!computer) return;
    this.level.value = computer.on ? String(computer.level) : "";
    this.color.value = computer.color;
  }
}
