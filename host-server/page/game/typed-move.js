// The field for typing a move in SAN or UCI. The relay checks it.

import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { LOST, UNSENT, isChess, isConnected, isOurTurn, isPlaying } from "./state.js";

/** @typedef {import("./state.js").Match} Match */

const UCI = /^([a-h][1-8])-?([a-h][1-8])=?([a-z])?$/i;

/**
 * The message for a typed move.
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
  return { type: "move", san: sanOf(written), ply };
}

/** A move in SAN in any case: what may be the piece, the rest up to the target, and the promotion. */
const SAN = /^([kqrbn])?([a-h]?[1-8]?x?[a-h][1-8])(?:=?([qrbn]))?([+#]?)$/i;

/**
 * A move in the letters of SAN: `nf3` is Nf3, `E6` is e6, and zeros castle. A small `b` is the file where a pawn captures, and a
 * bishop otherwise. What is not like a move stays as it is.
 *
 * @param {string} text
 */
function sanOf(text) {
  const castling = /^[o0]-?[o0](-?[o0])?[+#]?$/i.exec(text);
  if (castling) return castling[1] ? "O-O-O" : "O-O";
  const [, piece = "", rest = "", promotion = "", check = ""] = SAN.exec(text) ?? [];
  if (!rest) return text;
  const target = rest.toLowerCase();
  const isPawn = piece === "b" && target.startsWith("x");
  return (isPawn ? piece : piece.toUpperCase()) + target + (promotion && `=${promotion.toUpperCase()}`) + check;
}

export class TypedMove {
  /** @type {Match | null} */ #before = null;
  /** Whether a typed move was sent and is neither confirmed nor refused. */
  #isPending = false;
  /** The number of the last error that is shown here. */
  #errorNumber = 0;
  /** What was in the field when it was sent. */
  #sent = "";

  /** @param {import("./session.js").GameSession} session */
  constructor(session) {
    this.field = make("input", {
      id: "typed-move",
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: 10,
      "aria-describedby": "typed-move-wrong",
      oninput: () => this.#clear(),
    });
    this.wrong = make("p", { id: "typed-move-wrong", class: "wrong" });
    this.button = make("button", { type: "submit", class: "plain" }, t("typed.play"));
    this.root = make(
      "form",
      {
        class: "typed",
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          if (this.field.value.trim() === "") return;
          this.#clear();
          this.#isPending = true;
          this.#sent = this.field.value;
          this.#isPending = session.send(typedMove(this.field.value, session.match.plies.length));
        },
      },
      // The error is beside the label, where it moves nothing when it comes and goes.
      make("div", { class: "label-and-error" }, make("label", { for: "typed-move" }, t("typed.label")), this.wrong),
      make("div", { class: "row" }, this.field, this.button),
    );
  }

  /** Removes the error: it is about what was in the field, in the position that was shown. */
  #clear() {
    write(this.wrong, "");
    set(this.wrong, "data-unsent", false);
    set(this.field, "aria-invalid", false);
  }

  /**
   * Whether this error is the answer to a typed move, and shown here.
   *
   * @param {number} number
   */
  isAnswered(number) {
    return this.#errorNumber === number;
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match }) {
    const before = this.#before;
    this.#before = match;
    set(this.root, "data-idle", !isPlaying(match));
    set(this.button, "disabled", !isOurTurn(match));
    set(this.field, "placeholder", isChess(match) ? t("typed.example", { san: "Nf3", uci: "g1f3" }) : "a2a3");
    // A lost message is no typed move: those are sent again.
    const error = match.error?.status === LOST ? null : match.error;
    if (this.#isPending && error && error.number !== before?.error?.number) {
      this.#errorNumber = error.number;
      write(this.wrong, error.sentence);
      // An unsent move is not invalid.
      const isUnsent = error.status === UNSENT;
      set(this.field, "aria-invalid", isUnsent ? false : "true");
      set(this.wrong, "data-unsent", isUnsent);
      this.#isPending = false;
      this.field.select();
    } else if (before && (before.now.id !== match.now.id || before.phase !== match.phase)) {
      // What was typed since then is the next move.
      if (this.#isPending && this.field.value === this.#sent) this.field.value = "";
      this.#clear();
      this.#isPending = false;
    }
    if (isConnected(match) && this.wrong.hasAttribute("data-unsent")) this.#clear();
  }
}
