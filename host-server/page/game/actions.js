// The buttons for everything that a player can do besides moving.

import { make, picture, set } from "../common/dom.js";
import { ask } from "../common/question.js";
import { t } from "../language/language.js";
import { isAtStake, isConnected, isPlaying } from "./state.js";

/** @typedef {import("./state.js").Match} Match */

export class Actions {
  /** @param {import("./session.js").GameSession} session */
  constructor(session) {
    const send = (/** @type {object} */ message) => () => void session.send(message);
    // A second click withdraws what the first one has offered.
    const toggle = (/** @type {"draw" | "takeback" | "rematch"} */ kind, /** @type {string} */ action) => () =>
      void session.send({ type: kind, action: isOffered(session.match, kind) ? "withdraw" : action });
    const takeback = eitherLabel("undo", t("action.takeback"), t("action.withdraw"));
    this.takeback = button("takeback", null, takeback, toggle("takeback", "ask"));
    this.draw = button("draw", null, eitherLabel("draw", t("action.draw"), t("action.withdraw")), toggle("draw", "offer"));
    this.claim = button("claim", "draw", t("action.claim"), () => {
      session.send({ type: "draw", action: session.match.claims[0] === "fifty" ? "claim_fifty" : "claim_threefold" });
    });
    this.abort = button("abort", "cross", t("action.abort"), send({ type: "abort" }));
    this.resign = button("resign", "flag", t("action.resign"), async () => {
      if (await askToResign()) session.send({ type: "resign" });
    });
    const rematch = eitherLabel("again", t("action.rematch"), t("action.withdraw_rematch"));
    this.rematch = button("rematch", null, rematch, toggle("rematch", "offer"), "main");
    this.flip = button("flip", "flip", t("action.flip"), () => session.flip());
    this.leave = button("leave", "leave", t("action.leave"), async () => {
      if (session.match.color === null || session.match.stored) location.assign("/");
      else if (!isAtStake(session.match) || (await askToLeave())) session.leave();
    });
    this.root = make(
      "div",
      { class: "actions", role: "group", "aria-label": t("action.group") },
      this.rematch,
      this.claim,
      this.takeback,
      this.draw,
      this.abort,
      this.resign,
      this.flip,
      this.leave,
    );
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match }) {
    const { color, offers, plies } = match;
    const isActive = isPlaying(match);
    const isOver = match.phase === "over" && color !== null && !match.stored;
    const hasBothPlayers = [match.players.white, match.players.black].every((player) => player && !player.hasLeft);
    const show = (/** @type {HTMLButtonElement} */ button, /** @type {boolean} */ isShown, isEnabled = true) => {
      set(button, "hidden", !isShown);
      set(button, "disabled", !isEnabled || !isConnected(match));
    };
    // Before the match is known, nothing is shown that would have to move later.
    set(this.root, "hidden", !match.isJoined);
    // Every button has a place of its own and is there, disabled, before the game starts: nothing moves when it does.
    const canClaim = match.claims.length > 0 && match.turn === color;
    const isPlayer = color !== null && !isOver && !match.stored;
    const asks = (/** @type {"draw" | "takeback" | "rematch"} */ kind) => isOffered(match, kind);
    show(this.takeback, isPlayer, isActive && plies.length > 0 && (offers.takeback === null || asks("takeback")));
    show(this.draw, isPlayer && !canClaim, isActive && plies.length > 1);
    show(this.claim, isPlayer && canClaim, isActive);
    show(this.abort, isPlayer && plies.length < 2, isActive);
    show(this.resign, isPlayer && plies.length >= 2, isActive);
    show(this.rematch, isOver && hasBothPlayers);
    show(this.leave, true);
    if (color === null || match.stored) set(this.leave, "disabled", false);
    set(this.takeback, "data-done", asks("takeback"));
    set(this.draw, "data-done", asks("draw"));
    set(this.rematch, "data-done", asks("rematch"));
  }
}

/**
 * Whether we have made an offer that waits for its answer.
 *
 * @param {Match} match
 * @param {"draw" | "takeback" | "rematch"} kind
 */
function isOffered({ color, offers }, kind) {
  const offer = offers[kind];
  return color !== null && (typeof offer === "string" ? offer : offer?.color) === color;
}

const askToResign = () =>
  ask({ title: t("resign.title"), text: t("resign.text"), yes: t("action.resign"), no: t("resign.no"), isDangerous: true });

const askToLeave = () =>
  ask({ title: t("leave.title"), text: t("leave.text"), yes: t("action.leave"), no: t("leave.no"), isDangerous: true });

/**
 * @param {string} name
 * @param {string | null} icon unless the label has it
 * @param {import("../common/dom.js").Child} label
 * @param {() => void} run
 * @param {string} className
 */
function button(name, icon, label, run, className = "plain") {
  return make(
    "button",
    { type: "button", class: className, "data-action": name, onclick: run },
    icon && picture(`sign-${icon}`),
    label,
  );
}

/**
 * The label before and after an action, in the width of the longer one: nothing beside the button moves.
 *
 * @param {string} icon
 * @param {string} before
 * @param {string} after
 */
function eitherLabel(icon, before, after) {
  const label = (/** @type {string} */ words) => make("span", {}, picture(`sign-${icon}`), words);
  return make("span", { class: "either" }, label(before), label(after));
}
