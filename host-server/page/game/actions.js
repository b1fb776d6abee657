// What a player can do besides moving.

import { make, picture, set } from "../common/dom.js";
import { ask } from "../common/question.js";
import { isPlaying } from "./state.js";

/** @typedef {import("./state.js").Match} Match */

export class Actions {
  /** @type {Match | null} */ #match = null;

  /**
   * @param {(message: object) => void} say
   * @param {{ turn: () => void, leave: () => void }} local
   */
  constructor(say, local) {
    const button = (
      /** @type {string} */ name,
      /** @type {string} */ sign,
      /** @type {import("../common/dom.js").Child} */ label,
      /** @type {() => void} */ run,
      /** @type {string} */ kind = "plain",
    ) =>
      make(
        "button",
        { type: "button", class: kind, "data-action": name, onclick: run },
        picture(`sign-${sign}`),
        label,
      );

    this.takeback = button("takeback", "undo", "Take back", () => say({ type: "takeback", action: "ask" }));
    this.draw = button("draw", "draw", eitherLabel("Offer draw", "Offered"), () => say({ type: "draw", action: "offer" }));
    this.claim = button("claim", "draw", "Claim draw", () =>
      say({ type: "draw", action: this.#match?.claims[0] === "fifty" ? "claim_fifty" : "claim_threefold" }),
    );
    this.abort = button("abort", "cross", "Call off", () => say({ type: "abort" }));
    this.resign = button("resign", "flag", "Resign", async () => {
      const sure = await ask({
        title: "Resign this game?",
        text: "Your opponent wins.",
        yes: "Resign",
        no: "Play on",
        isGrave: true,
      });
      if (sure) say({ type: "resign" });
    });
    const again = eitherLabel("Play again", "Waiting …");
    this.rematch = button("rematch", "again", again, () => say({ type: "rematch", action: "offer" }), "main");
    this.hints = button("hints", "board", eitherLabel("Hints", "Hints on"), () => {
      const { color, hintsBy } = this.#match ?? {};
      if (color) say({ type: "hints", on: !hintsBy?.[color] });
    });
    set(this.hints, "title", "Let wooden boards show where pieces can go. Both players have to agree");
    this.turn = button("turn", "flip", "Turn board", local.turn);
    this.leave = button("leave", "leave", "Leave", async () => {
      const isAtStake = this.#match && isPlaying(this.#match) && this.#match.plies.length > 1;
      const question = {
        title: "Leave this game?",
        text: "To leave a game that is being played is to lose it.",
        yes: "Leave",
        no: "Stay",
        isGrave: true,
      };
      if (!isAtStake || (await ask(question))) local.leave();
    });
    this.root = make(
      "div",
      { class: "actions", role: "group", "aria-label": "Actions" },
      this.rematch,
      this.claim,
      this.takeback,
      this.draw,
      this.abort,
      this.resign,
      this.hints,
      this.turn,
      this.leave,
    );
  }

  /** @param {Match} match */
  render(match) {
    this.#match = match;
    const plays = isPlaying(match);
    const isOpen = match.line.kind === "open";
    const { color, offers, plies } = match;
    const isOver = match.phase === "over" && color !== null;
    const both = match.players.white !== null && match.players.black !== null;
    const show = (/** @type {HTMLButtonElement} */ button, /** @type {boolean} */ there, able = true) => {
      set(button, "hidden", !there);
      set(button, "disabled", !able || !isOpen);
    };
    // Each has its place, and whoever waits sees already what there will be: nothing jumps about.
    const canClaim = match.claims.length > 0 && match.turn === color;
    const isOn = color !== null && !isOver;
    show(this.takeback, isOn, plays && plies.length > 0 && offers.takeback === null);
    show(this.draw, isOn && !canClaim, plays && plies.length > 1 && offers.draw !== color);
    show(this.claim, isOn && canClaim, plays);
    show(this.abort, isOn && plies.length < 2, plays);
    show(this.resign, isOn && plies.length >= 2, plays);
    show(this.rematch, isOver && both, offers.rematch !== color);
    show(this.hints, plays && (match.wood.white !== undefined || match.wood.black !== undefined));
    set(this.hints, "data-done", match.hints);
    set(this.hints, "aria-pressed", color && match.hintsBy[color] ? "true" : "false");
    show(this.leave, color !== null);
    set(this.draw, "data-done", color !== null && offers.draw === color);
    set(this.rematch, "data-done", color !== null && offers.rematch === color);
  }
}

/**
 * A label before something is done, and another one after it, in the room of the longer one: the picture beside it stays
 * where it is.
 *
 * @param {string} before
 * @param {string} after
 */
function eitherLabel(before, after) {
  return make("span", { class: "either" }, make("span", {}, before), make("span", {}, after));
}
