// Offers of the opponent that wait for an answer, and the win that can be claimed against an absent one.

import { other } from "../board/colors.js";
import { fill, make, nameText, set, write } from "../common/dom.js";
import { t, tNodes } from "../language/language.js";
import { isConnected } from "./state.js";

/**
 * @typedef {"draw" | "takeback" | "rematch"} Kind
 * @typedef {{ key: string, until: number }} Waiting the absence for which the user prefers to wait, and until when, by our clock
 */

/** How long the user is not asked again after choosing to wait. */
const WAIT_MS = 30_000;

/** The relay aborts a game with fewer half-moves instead of deciding it. */
const ABORTED_BEFORE = 2;

const WORDS = /** @type {const} */ ({
  draw: { group: "offer.draw_group", sentence: "offer.draw", yes: "offer.accept" },
  takeback: { group: "offer.takeback_group", sentence: "offer.takeback", yes: "offer.accept" },
  rematch: { group: "offer.rematch_group", sentence: "offer.rematch", yes: "offer.accept_rematch" },
});

export class OffersView {
  #shownKinds = "";
  /** @type {Waiting | null} */ #waiting = null;

  /** @param {import("./session.js").GameSession} session */
  constructor(session) {
    this.session = session;
    this.offers = make("div", { class: "offers" });
    this.absent = make("p", {});
    this.claimButton = make("button", { type: "button", class: "main", onclick: () => session.send({ type: "claim_win" }) });
    this.claim = make(
      "div",
      { class: "offer", role: "group", "aria-label": t("absent.group"), "data-offer": "claim", hidden: true },
      this.absent,
      make(
        "div",
        { class: "row" },
        this.claimButton,
        make("button", { type: "button", class: "plain", onclick: () => this.#wait() }, t("absent.wait")),
      ),
    );
    this.root = make("div", { class: "offers" }, this.offers, this.claim);
  }

  #wait() {
    const { match } = this.session;
    const claim = claimOf(match, performance.now(), null);
    this.#waiting = claim && { key: claim.key, until: performance.now() + WAIT_MS };
    set(this.claim, "hidden", true);
    set(this.root, "hidden", this.offers.hidden);
  }

  /**
   * @param {import("./view-state.js").ViewState} state
   * @param {import("./view-state.js").Moment} moment
   */
  tick({ match }, { now }) {
    const claim = claimOf(match, now, this.#waiting);
    set(this.claim, "hidden", !claim);
    // An empty box would move the banner beside it.
    set(this.root, "hidden", !claim && this.offers.hidden);
    if (!claim) return;
    write(this.absent, claim.sentence);
    write(this.claimButton, claim.label);
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

/**
 * What can be claimed against an absent opponent now. `null` if that is nothing, or the user prefers to wait.
 *
 * @param {import("./state.js").Match} match
 * @param {number} now by our clock
 * @param {Waiting | null} waiting
 */
export function claimOf(match, now, waiting) {
  const opponent = match.color && match.players[other(match.color)];
  if (!opponent || match.phase !== "playing" || opponent.here || opponent.awayUntil === null || !isConnected(match)) return null;
  const key = `${match.game} ${opponent.awayUntil}`;
  if (now < opponent.awayUntil || (waiting?.key === key && now < waiting.until)) return null;
  const { name } = opponent;
  return match.plies.length < ABORTED_BEFORE
    ? { key, sentence: t("announce.gone", { name }), label: t("action.abort") }
    : { key, sentence: t("absent.text", { name }), label: t("absent.claim") };
}
