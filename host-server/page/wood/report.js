// Who plays, whether the relay is there, and how to challenge whoever sits here.

import { copyButton } from "../common/copy-button.js";
import { called, fill, make } from "../common/dom.js";

/** @typedef {import("./messages.js").BoardState} BoardState */

/** @param {BoardState} state */
function connection(state) {
  if (!state.power) return ["off", "No power"];
  if (!state.network) return ["off", "The network plug is out"];
  if (state.online === null) return ["", "Firmware in an emulator"];
  return state.online ? ["on", "Connected to the relay"] : ["off", "Looking for the relay"];
}

/** @param {Pick<BoardState, "seat" | "white" | "black">} state */
function players(state) {
  const side = (/** @type {"white" | "black"} */ color) => {
    const name = state[color];
    const here = state.seat === "both" || state.seat === color;
    return make(
      "div",
      { class: "player" },
      make("dt", {}, make("span", { class: `disc ${color}`, "aria-hidden": "true" }), color === "white" ? "White" : "Black"),
      make("dd", {}, name ? called(name) : here ? "whoever sits here" : "nobody yet", here ? make("span", { class: "here" }, "here") : null),
    );
  };
  return make("dl", { class: "players" }, side("white"), side("black"));
}

/** @param {BoardState} state */
function challenge(state) {
  if (state.relay) {
    return make("p", { class: "challenge" }, "Its relay is at ", make("a", { href: state.relay, target: "_blank", rel: "noopener" }, state.relay), ".");
  }
  if (!state.code) return null;
  const path = `/g/${encodeURIComponent(state.code)}`;
  const link = new URL(path, location.href).href;
  return make(
    "div",
    { class: "challenge" },
    make("p", {}, "To play against this board, open its address in another window, or send it to somebody:"),
    make("p", { class: "address" }, make("a", { href: path, target: "_blank", rel: "noopener", id: "challenge" }, link.replace(/^https?:\/\//, ""))),
    copyButton("Copy the address", () => link),
  );
}

/**
 * @param {HTMLElement} card
 */
export function makeReport(card) {
  let shown = "";
  /** @type {Pick<BoardState, "seat" | "white" | "black"> | null} Who plays, as far as was ever known. */
  let table = null;
  return {
    /** @param {BoardState} state */
    show(state) {
      const { power, network, online, plies, seat, white, black, code, relay } = state;
      // While a game is on its way to the board, and while it has no power, the one before has its place.
      if (plies !== null) table = { seat, white, black };
      // What changes with every touch is elsewhere; a button that somebody is about to press stays.
      const key = JSON.stringify([power, network, online, table, code, relay]);
      if (key === shown) return;
      shown = key;
      const [light, words] = connection(state);
      fill(
        card,
        make("p", { class: "connection", id: "connection" }, make("span", { class: `signal ${light}`, "aria-hidden": "true" }), words ?? ""),
        table && players(table),
        challenge(state),
      );
    },
  };
}
