// What has just happened, below the headline: an error, a lost message or the answer to an offer for a few seconds, an unsent message until
// the connection is back.

import { make, set, write } from "../common/dom.js";
import { LOST, UNSENT, isConnected } from "./state.js";

const SHOWN_MS = 7000;

export class Notice {
  #shownNumber = 0;
  #shownNews = 0;
  #isUnsent = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /** @param {import("./typed-move.js").TypedMove} typed */
  constructor(typed) {
    this.typed = typed;
    this.root = make("p", { class: "wrong", "data-notice": true });
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match }) {
    const { error, news } = match;
    if (this.#isUnsent && isConnected(match)) this.#show("", false);
    if (news && news.number !== this.#shownNews) {
      this.#shownNews = news.number;
      this.#show(news.sentence, false);
      set(this.root, "data-news", true);
      this.#timer = setTimeout(() => this.#show("", false), SHOWN_MS);
    }
    if (!error || error.number === this.#shownNumber) return;
    this.#shownNumber = error.number;
    const isUnsent = error.status === UNSENT;
    // The banner shows why the relay refused the whole connection, and a typed move has its errors beside its field.
    if ((!isConnected(match) && !isUnsent && error.status !== LOST) || this.typed.isAnswered(error.number)) return;
    this.#show(error.sentence, isUnsent);
    if (!isUnsent) this.#timer = setTimeout(() => this.#show("", false), SHOWN_MS);
  }

  /**
   * @param {string} sentence
   * @param {boolean} isUnsent
   */
  #show(sentence, isUnsent) {
    clearTimeout(this.#timer);
    this.#isUnsent = isUnsent;
    set(this.root, "data-news", false);
    write(this.root, sentence);
  }
}
