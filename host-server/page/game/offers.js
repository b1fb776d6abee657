// Offers of the opponent that wait for an answer, and the win that can be claimed against an absent one.

import { other } from "../board/colors.js";
import { fill, make, nameText, set, write } from "../common/dom.js";
import { t, tNodes } from "../language/language.js";
import { isConnected } from "./state.js";

/** @typedef {"draw" | "takeback" | "rematch"} Kind */

const WORDS = /** @type {const} */ ({
  draw: { group: "offer.draw_group", sentence: "offer.draw", yes: "offer.accept" },
  takeback: { group: "offer.takeback_group", sentence: "offer.takeback", yes: "offer.accept" },
  rematch: { group: "offer.rematch_group", sentence: "offer.rematch", yes: "offer.accept_rematch" },
});

export class OffersView {
  #shownKinds = "";
  /** @type {string} the game and the absence for which the user prefers to wait */ #waitsFor = "";

  /** @param {import("./session.js").GameSession} session */
  constructor(session) {
    this.session = session;
    this.offers = make("div", { class: "offers" });
    this.absent = make("p", {});
    this.claim = make(
      "div",
      { class: "offer", role: "group", "aria-label": t("absent.group"), "data-offer": "claim", hidden: true },
      this.absent,
      make(
        "div",
        { class: "row" },
        make("button", { type: "button", class: "main", onclick: () => session.send({ type: "claim_win" }) }, t("absent.claim")),
        make("button", { type: "button", class: "plain", onclick: () => this.#wait() }, t("absent.wait")),
      ),
    );
    this.root = make("div", { class: "offers" }, this.offers, this.claim);
  }

  #absence() {
    const { match } = this.session;
    const opponent = match.color && match.players[other(match.color)];
    const isClaimable = opponent && match.phase === "playing" && !opponent.here && opponent.awayUntil !== null;
    return isClaimable ? { name: opponent.name, from: opponent.awayUntil ?? 0, key: `${match.game} ${opponent.awayUntil}` } : null;
  }

  #wait() {
    this.#waitsFor = this.#absence()?.key ?? "";
    set(this.claim, "hidden", true);
    set(this.root, "hidden", this.offers.hidden);
  }

  /**
   * @param {import("./view-state.js").ViewState} state
   * @param {import("./view-state.js").Moment} moment
   */
  tick({ match }, { now }) {
    const absence = this.#absence();
    const isShown = absence !== null && now >= absence.from && absence.key !== this.#waitsFor && isConnected(match);
    set(this.claim, "hidden", !isShown);
    // An empty box would move the banner beside it.
    set(this.root, "hidden", !isShown && this.offers.hidden);
    if (absence && isShown) write(this.absent, t("absent.text", { name: absence.name }));
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match }) {
    const { offers, color } = match;
    const opponent = color && other(color);
    /** @type {Kind[]} */
    const kinds = [];
    if (opponent && offers.draw === opponent) kinds.push("draw");
    if (opponent && offers.takeback?.color === opponent) kinds.push("takeback");
    if (opponent && offers.rematch === opponent) kinds.push("rematch");
    // An answer could not be sent while the connection is lost.
    set(this.offers, "hidden", kinds.length === 0 || !isConnected(match));
    const key = `${kinds.join()} ${offers.takeback?.plies}`;
    if (key === this.#shownKinds) return;
    this.#shownKinds = key;
    const name = (opponent && match.players[opponent]?.name) ?? t("noun.your_opponent");
    const plies = offers.takeback?.plies;
    fill(this.offers, ...kinds.map((kind) => this.#card(kind, name, kind === "takeback" ? { plies } : {})));
  }

  /**
   * @param {Kind} kind
   * @param {string} name
   * @param {{ plies?: number }} plies how many plies the shown request is for, so that no other request is accepted
   */
  #card(kind, name, plies) {
    const { group, sentence, yes } = WORDS[kind];
    const answer = (/** @type {string} */ label, /** @type {string} */ className, /** @type {string} */ action) =>
      make(
        "button",
        { type: "button", class: className, onclick: () => this.session.send({ type: kind, action, ...plies }) },
        label,
      );
    return make(
      "div",
      { class: "offer", role: "group", "aria-label": t(group), "data-offer": kind },
      make("p", {}, ...tNodes(sentence, { name: nameText(name) })),
      make("div", { class: "row" }, answer(t(yes), "main", "accept"), answer(t("offer.decline"), "plain", "decline")),
    );
  }
}
