// Trouble with the connection or the game, and the ways out of it.

import { fill, make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {{ key: string, tone: string, sentence: string, ways: [string, string | (() => void)][] }} Trouble
 */

/** @type {Trouble} */
const NONE = { key: "", tone: "plain", sentence: "", ways: [] };

export class Banner {
  #shownKey = "";

  /**
   * @param {{ retry: () => void, watch: () => void, takeSeat: () => void }} ways
   * @param {boolean} isChallenge whether a card says why the game has not begun
   */
  constructor(ways, isChallenge) {
    this.ways = ways;
    this.isChallenge = isChallenge;
    // It counts down every second, so it is not part of what a screen reader announces.
    this.remaining = make("span", { class: "remaining", "aria-hidden": "true" });
    this.root = make("div", { class: "banner", role: "alert" });
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match }) {
    const { key, tone, sentence, ways } = this.#troubleOf(match);
    set(this.root, "hidden", key === "");
    set(this.root, "data-tone", tone);
    set(this.root, "data-connection", match.connection.kind);
    if (key === this.#shownKey) return;
    this.#shownKey = key;
    fill(
      this.root,
      make("p", {}, sentence, this.remaining),
      make(
        "div",
        { class: "row wrap" },
        ...ways.map(([label, run]) =>
          typeof run === "string"
            ? make("a", { class: "button plain", href: run }, label)
            : make("button", { type: "button", class: "plain", onclick: run }, label),
        ),
      ),
    );
  }

  /**
   * @param {import("./view-state.js").ViewState} state
   * @param {import("./view-state.js").Moment} moment
   */
  tick({ match: { returnBy, timeControl } }, { now }) {
    const seconds = returnBy === null ? 0 : Math.max(0, Math.ceil((returnBy - now) / 1000));
    const isClaimable = seconds === 0 && timeControl !== null;
    write(this.remaining, returnBy === null ? "" : isClaimable ? t("banner.claimable") : t("banner.return", { count: seconds }));
  }

  /**
   * @param {Match} match
   * @returns {Trouble}
   */
  #troubleOf({ connection, phase, game }) {
    const { retry, watch, takeSeat } = this.ways;
    /** @type {[string, string]} */
    const lobby = [t("frame.to_lobby"), "/"];
    if (connection.kind === "reconnecting") {
      const sentence = t("banner.reconnecting", { reason: connection.reason });
      return { key: `reconnecting ${sentence}`, tone: "warm", sentence, ways: [[t("banner.retry"), retry]] };
    }
    if (connection.kind === "refused") {
      const key = `refused ${connection.status} ${connection.reason}`;
      if (connection.status === 404) {
        return { key, tone: "bad", sentence: t("banner.no_such_game"), ways: [lobby] };
      }
      if (connection.status === 403) {
        const ways = /** @type {Trouble["ways"]} */ ([[t("banner.take_seat"), takeSeat], [t("banner.watch"), watch], lobby]);
        return { key, tone: "bad", sentence: t("banner.no_seat"), ways };
      }
      if (connection.status === 409) {
        // A room in which a game was played is shown. One that has ended without a game was an invitation.
        const sentence = connection.reason === t("error.closed") ? t("banner.expired") : connection.reason;
        return { key, tone: "bad", sentence, ways: [lobby] };
      }
      return { key, tone: "bad", sentence: connection.reason, ways: [[t("banner.try_again"), retry], lobby] };
    }
    // A finished game stays to be looked at.
    if (phase === "over" || (this.isChallenge && phase === "closed" && game === 0)) return NONE;
    if (connection.kind === "closed" || phase === "closed") {
      return { key: "closed", tone: "plain", sentence: t(game === 0 ? "banner.expired" : "banner.closed"), ways: [lobby] };
    }
    return NONE;
  }
}
