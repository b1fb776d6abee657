// The game to take home: as PGN, and the position as FEN.

import { copyButton } from "../common/copy-button.js";
import { make, set } from "../common/dom.js";
import { pgnPath, readPgn } from "../relay/http.js";
import { seenAt } from "./state.js";

/** @typedef {import("./state.js").Match} Match */

export class RecordView {
  /** @type {Match | null} */ #match = null;
  /** @type {number | null} */ #looking = null;

  constructor() {
    const match = () => {
      if (!this.#match) throw new Error("there is no match yet");
      return this.#match;
    };
    this.download = make("a", { class: "button plain", "data-action": "download-pgn" }, "Download PGN");
    this.pgn = make(
      "span",
      { class: "row wrap" },
      copyButton("Copy PGN", () => readPgn(match().code, match().game)),
      this.download,
    );
    this.root = make(
      "section",
      { class: "card record", "aria-labelledby": "record-title" },
      make("h2", { id: "record-title" }, "Take it along"),
      make(
        "div",
        { class: "row wrap" },
        copyButton("Copy FEN", () => seenAt(match(), this.#looking).fen),
        this.pgn,
      ),
    );
  }

  /**
   * @param {Match} match
   * @param {number | null} looking
   */
  render(match, looking) {
    this.#match = match;
    this.#looking = looking;
    set(this.download, "href", pgnPath(match.code, match.game));
    set(this.download, "download", `${match.code}-${match.game}.pgn`);
  }
}
