// The buttons of the virtual board: setting up and flipping it, and the disturbances that a wooden board has to survive.

import { announce } from "../common/announce.js";
import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { ComputerChoice } from "./computer-choice.js";

/**
 * @typedef {import("../relay/panel-messages.js").BoardState} BoardState
 * @typedef {import("../relay/panel-messages.js").Touch} Touch
 */

export class Controls {
  /** Whether pieces are slid and not lifted. */
  isSliding = false;
  /** Whether the next square that is touched gets a flickering magnet. */
  #isArmed = false;
  /** @type {BoardState | null} */ #state = null;

  /**
   * @param {HTMLElement} card
   * @param {(touch: Touch) => void} send
   * @param {() => void} flip
   */
  constructor(card, send, flip) {
    this.card = card;
    this.send = send;
    this.slide = button("slide", t("control.slide"), () => this.#toggleSliding());
    set(this.slide, "aria-pressed", "false");
    this.flicker = button("flicker", t("control.flicker"), () => this.#arm(!this.#isArmed));
    set(this.flicker, "aria-pressed", "false");
    this.network = button("network", "", () => send({ type: "network", plugged: !this.#state?.network }));
    this.power = button("power", "", () => send({ type: "power", plugged: !this.#state?.power }));
    this.computer = new ComputerChoice(send);
    card.append(
      make(
        "div",
        { class: "buttons" },
        this.slide,
        button("set-up", t("control.set_up"), () => send({ type: "set_up" })),
        button("clear", t("control.clear"), () => send({ type: "clear" })),
        button("flip", t("action.flip"), flip),
      ),
      this.computer.root,
      make("h2", {}, t("control.disturb")),
      make(
        "div",
        { class: "buttons" },
        button("knock-over", t("control.knock_over"), () => send({ type: "knock_over" })),
        this.flicker,
        this.network,
        this.power,
      ),
    );
  }

  #toggleSliding() {
    this.isSliding = !this.isSliding;
    set(this.slide, "aria-pressed", String(this.isSliding));
    announce(t(this.isSliding ? "control.slides" : "control.lifts"));
  }

  /** @param {boolean} isArmed */
  #arm(isArmed) {
    this.#isArmed = isArmed;
    set(this.flicker, "aria-pressed", String(isArmed));
    write(this.flicker, t(isArmed ? "control.flicker_where" : "control.flicker"));
    if (isArmed) announce(t("control.flicker_which"));
  }

  /**
   * Lets the magnet on a square flicker, if that was asked for.
   *
   * @param {string} square
   * @returns {boolean} whether it was
   */
  intercept(square) {
    if (!this.#isArmed) return false;
    this.#arm(false);
    this.send({ type: "flicker", square });
    announce(t("control.flickers", { square }));
    return true;
  }

  /** @param {BoardState} state */
  show(state) {
    this.#state = state;
    this.computer.show(state);
    this.#showPlug(this.network, state.network, t(state.network ? "control.pull_network" : "control.plug_network"));
    this.#showPlug(this.power, state.power, t(state.power ? "control.pull_power" : "control.plug_power"));
    for (const element of this.card.querySelectorAll("button")) {
      if (element.id !== "flip") set(element, "disabled", !state.touch);
    }
  }

  /**
   * @param {HTMLButtonElement} plug
   * @param {boolean} isPlugged
   * @param {string} label
   */
  #showPlug(plug, isPlugged, label) {
    write(plug, label);
    plug.classList.toggle("out", !isPlugged);
    set(plug, "hidden", !this.#state?.plugs);
  }
}

/**
 * @param {string} id
 * @param {string} label
 * @param {() => void} onclick
 */
function button(id, label, onclick) {
  return make("button", { type: "button", class: "plain", id, onclick }, label);
}
