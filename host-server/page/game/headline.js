// The headline, the facts below it, and the title of the window.

import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { timeControlText } from "./clocks.js";
import { isOurMove } from "./state.js";
import { reviewSentence, statusSentence } from "./words.js";

/** A longer headline is set in smaller type: a second line would push down everything below. */
const LONG = 24;

export class Headline {
  constructor() {
    this.status = make("h1", { class: "status", "data-status": true });
    this.facts = make("p", { class: "facts soft" });
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match, selection }) {
    const status = statusSentence(match);
    const sentence = selection.review === null ? status : reviewSentence(match, selection.review);
    write(this.status, sentence);
    set(this.status, "data-long", sentence.length > LONG);
    // A spectator is one of those who watch.
    const others = match.watching - (match.color || match.stored ? 0 : 1);
    const parts = [
      !match.color && !match.stored && t("status.watching"),
      match.game > 1 && t("status.game", { number: match.game }),
      timeControlText(match.timeControl),
      others > 0 && t("status.spectators", { count: others }),
    ];
    const line = parts.filter(Boolean).join(" · ");
    write(this.facts, match.unconfirmed === "late" ? t("status.sending") : match.isJoined ? line : "\u00a0");
    document.title = `${isOurMove(match) ? t("status.your_move") : status} · Tabiya`;
  }
}
