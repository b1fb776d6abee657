// A move as one writes it. The relay knows the rules, and says what is wrong with it.

import { make, set, write } from "../common/dom.js";
import { UNSENT, isOurTurn, isPlaying } from "./state.js";
import { UNCERTAIN } from "./words.js";

/** @typedef {import("./state.js").Match} Match */

const UCI = /^([a-h][1-8])-?([a-h][1-8])=?([qrbn])?$/i;

/**
 * What was written, as a message to the relay.
 *
 * @param {string} text
 * @param {number} ply
 */
export function typedMove(text, ply) {
  const written = text.trim();
  const uci = UCI.exec(written);
  if (uci) {
    const [, start = "", end = "", promotion] = uci.map((part) => part?.toLowerCase());
    return { type: "move", start, end, ...(promotion ? { promotion } : {}), ply };
  }
  // Castling is often written with zeros.
  return { type: "move", san: written.replace(/0/g, "O"), ply };
}

export class TypedMove {
  /** @type {Match | null} */ #match = null;
  #complaints = 0;
  #isWaiting = false;

  /** @param {(message: object) => boolean} say */
  constructor(say) {
    this.field = make("input", {
      id: "typed-move",
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: 10,
      placeholder: "Nf3 or g1f3",
      "aria-describedby": "typed-move-wrong",
    });
    this.wrong = make("p", { id: "typed-move-wrong", class: "wrong" });
    this.button = make("button", { type: "submit", class: "plain" }, "Play");
    this.root = make(
      "form",
      {
        class: "typed",
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          if (!this.#match || this.field.value.trim() === "") return;
          write(this.wrong, "");
          this.#isWaiting = true;
          this.#isWaiting = say(typedMove(this.field.value, this.#match.plies.length));
        },
      },
      // What is wrong stands beside, not below: it comes and goes, and nothing has to make room for it.
      make("div", { class: "said-of" }, make("label", { for: "typed-move" }, "Type a move"), this.wrong),
      make("div", { class: "row" }, this.field, this.button),
    );
  }

  /** @param {Match} match */
  render(match) {
    const before = this.#match;
    this.#match = match;
    set(this.root, "data-idle", !isPlaying(match));
    set(this.button, "disabled", !isOurTurn(match));
    if (this.#isWaiting && match.complaint && match.complaint.number !== this.#complaints) {
      write(this.wrong, match.complaint.sentence);
      // There is nothing wrong with a move that was only not sent.
      const isUnsent = match.complaint.status === UNSENT;
      set(this.field, "aria-invalid", isUnsent ? false : "true");
      set(this.wrong, "data-unsent", isUnsent);
      this.#isWaiting = false;
      this.field.select();
    } else if (this.#isWaiting && before && before.fen !== match.fen) {
      this.field.value = "";
      write(this.wrong, "");
      set(this.field, "aria-invalid", false);
      this.#isWaiting = false;
    }
    if (this.#isWaiting && before?.line.kind === "open" && match.line.kind !== "open") {
      write(this.wrong, UNCERTAIN);
      set(this.wrong, "data-unsent", true);
    }
    if (match.line.kind === "open" && this.wrong.hasAttribute("data-unsent")) {
      write(this.wrong, "");
      set(this.wrong, "data-unsent", false);
    }
    this.#complaints = match.complaint?.number ?? 0;
  }
}
