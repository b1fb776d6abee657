// The state of the challenge to a wooden board, over the board while its player is asked.

import { announce } from "../common/announce.js";
import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { readChallenge } from "../relay/http.js";

const POLL_MS = 1500;

export class ChallengeCard {
  /** @type {import("../relay/http.js").ChallengeAnswer} */ #answer = "pending";
  #isWaiting = true;

  /**
   * @param {string} code
   * @param {string} board
   */
  constructor(code, board) {
    this.code = code;
    this.board = board;
    this.text = make("p", { class: "challenge-text" }, t("challenge.pending", { name: board }));
    this.back = make("a", { class: "button main unsure", href: "/" }, t("challenge.again"));
    this.root = make(
      "section",
      { class: "card share", "aria-labelledby": "challenge-title" },
      make("h2", { id: "challenge-title" }, t("challenge.title")),
      this.text,
      this.back,
    );
    this.#poll();
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match: { phase, game, connection } }) {
    // A challenge that is not accepted closes the room.
    this.#isWaiting = phase === "waiting" || (phase === "closed" && game === 0);
    set(this.root, "hidden", !this.#isWaiting || connection.kind === "refused");
  }

  async #poll() {
    while (this.#isWaiting && this.#answer === "pending") {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      // Without an answer of the relay it is asked again.
      this.#show(await readChallenge(this.board, this.code).catch(() => this.#answer));
    }
  }

  /** @param {import("../relay/http.js").ChallengeAnswer} answer */
  #show(answer) {
    if (answer === this.#answer) return;
    this.#answer = answer;
    const sentences = {
      pending: t("challenge.pending", { name: this.board }),
      accepted: t("challenge.accepted", { name: this.board }),
      declined: t("challenge.declined", { name: this.board }),
      timeout: t("challenge.timeout", { name: this.board }),
    };
    write(this.text, sentences[answer]);
    announce(sentences[answer]);
    this.back.classList.toggle("unsure", answer === "accepted" || answer === "pending");
  }
}
