// Everything that can be done to a board beside playing on it.

import { announce } from "../common/announce.js";
import { make, set, write } from "../common/dom.js";

/** @typedef {import("./messages.js").BoardState} BoardState */

/**
 * @param {HTMLElement} card
 * @param {{ send: (touch: import("./messages.js").Touch) => void }} line
 * @param {() => void} turn
 */
export function makeMischief(card, line, turn) {
  let isSliding = false;
  let isFlickering = false;
  let network = true;
  let power = true;
  /** @type {boolean | null} */
  let hints = null;

  /**
   * @param {string} id
   * @param {string} label
   * @param {() => void} onclick
   */
  const button = (id, label, onclick) => make("button", { type: "button", class: "plain", id, onclick }, label);

  const slide = button("slide", "Slide", () => {
    isSliding = !isSliding;
    set(slide, "aria-pressed", String(isSliding));
    announce(isSliding ? "Pieces slide along the wood now" : "Pieces are lifted now");
  });
  set(slide, "aria-pressed", "false");
  const agree = button("hints", "Agree to hints", () => line.send({ type: "hints", on: !hints }));
  set(agree, "title", "Against somebody elsewhere, the lights show where a piece can go only if both agree");
  const flicker = button("flicker", "Flicker a magnet", () => arm(!isFlickering));
  set(flicker, "aria-pressed", "false");
  const networkPlug = button("network", "", () => line.send({ type: "network", plugged: !network }));
  const powerPlug = button("power", "", () => line.send({ type: "power", plugged: !power }));

  /** @param {boolean} on */
  function arm(on) {
    isFlickering = on;
    set(flicker, "aria-pressed", String(on));
    write(flicker, on ? "Now touch a square" : "Flicker a magnet");
    if (on) announce("Now touch the square whose magnet is to flicker");
  }

  const all = [
    make(
      "div",
      { class: "doing" },
      slide,
      button("set-up", "Set up the pieces", () => line.send({ type: "set_up" })),
      button("clear", "Clear the board", () => line.send({ type: "clear" })),
      button("turn", "Turn the board", turn),
      agree,
    ),
    make("h2", {}, "Mischief"),
    make(
      "div",
      { class: "doing" },
      button("knock-over", "Knock pieces over", () => line.send({ type: "knock_over" })),
      flicker,
      networkPlug,
      powerPlug,
    ),
  ];
  card.append(...all);

  return {
    get isSliding() {
      return isSliding;
    },
    /**
     * If a magnet is to flicker, it is the one of this square.
     *
     * @param {string} square
     */
    intercepts(square) {
      if (!isFlickering) return false;
      arm(false);
      line.send({ type: "flicker", square });
      announce(`The magnet on ${square} flickers`);
      return true;
    },
    /** @param {BoardState} state */
    show(state) {
      network = state.network;
      power = state.power;
      hints = state.hints;
      set(agree, "aria-pressed", String(hints === true));
      write(networkPlug, network ? "Pull the network plug" : "Plug the network in");
      write(powerPlug, power ? "Pull the power plug" : "Plug the power in");
      for (const [plug, isIn] of /** @type {const} */ ([[networkPlug, network], [powerPlug, power]])) {
        plug.classList.toggle("out", !isIn);
        set(plug, "hidden", !state.plugs);
      }
      for (const element of card.querySelectorAll("button")) {
        if (element.id !== "turn") set(element, "disabled", !state.touch);
      }
      // Firmware in an emulator has a console for that, and a board without power has nothing.
      set(agree, "disabled", !state.touch || hints === null);
    },
  };
}
