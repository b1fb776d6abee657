// The game on the board: its moves, and where the relay has stored it.

import { fill, make, set } from "../common/dom.js";
import { readBoardGames } from "../games/requests.js";
import { linkTo } from "../games/listing.js";
import { t } from "../language/language.js";
import { gamesPath, pgnPath } from "../relay/http.js";

/**
 * @typedef {import("../relay/panel-messages.js").BoardState} BoardState
 * @typedef {import("../games/listing.js").Game} Game
 */

/** With the second half-move the relay opens a room for the game. */
const STORED_FROM_PLY = 2;
/** How long to wait before the relay is asked again. */
const ASK_AGAIN_MS = 2000;

export class GameCard {
  #shown = "";
  /** @type {BoardState | null} */ #state = null;
  /** @type {Game | null} */ #stored = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #asking;

  /** @param {HTMLElement} card */
  constructor(card) {
    this.list = make("ol", { class: "board-moves", "aria-labelledby": "moves-title", tabindex: 0 });
    this.link = make("a", { class: "button plain", hidden: true }, t("games.link"));
    this.pgn = make("a", { class: "button plain", hidden: true }, t("export.download"));
    this.all = make("a", { class: "button plain", hidden: true }, t("games.of_board"));
    const links = make("div", { class: "row wrap game-links" }, this.link, this.pgn, this.all);
    fill(card, make("h2", { id: "moves-title" }, t("moves.title")), this.list, links);
  }

  /** @param {BoardState} state */
  show(state) {
    this.#state = state;
    const { moves, code, relay } = state;
    const key = moves.join(" ");
    if (key !== this.#shown || this.list.childElementCount === 0) this.#showMoves(moves);
    this.#shown = key;
    if (moves.length < STORED_FROM_PLY) this.#stored = null;
    set(this.all, "hidden", !code || relay !== null);
    if (code) set(this.all, "href", gamesPath(code));
    this.#showLinks();
    if (!this.#stored) this.#ask();
  }

  /** @param {readonly string[]} moves */
  #showMoves(moves) {
    const rows = [];
    for (let at = 0; at < moves.length; at += 2) {
      const number = make("span", { class: "soft" }, `${at / 2 + 1}.`);
      rows.push(make("li", {}, number, make("span", {}, moves[at]), make("span", {}, moves[at + 1] ?? "")));
    }
    fill(this.list, ...(rows.length > 0 ? rows : [make("li", { class: "soft none" }, t("moves.none"))]));
    this.list.scrollTop = this.list.scrollHeight;
  }

  #showLinks() {
    const stored = this.#stored;
    set(this.link, "hidden", stored === null);
    set(this.pgn, "hidden", stored === null);
    if (!stored) return;
    set(this.link, "href", linkTo(stored));
    set(this.pgn, "href", pgnPath(stored));
    set(this.pgn, "download", `${stored.code}-${stored.game}.pgn`);
  }

  /** Asks the relay where the game is, until it knows. */
  #ask() {
    if (this.#asking !== undefined) return;
    this.#asking = setTimeout(async () => {
      this.#asking = undefined;
      const { code, relay, online, moves } = this.#state ?? {};
      if (!code || relay || !online || (moves?.length ?? 0) < STORED_FROM_PLY || this.#stored) return;
      const newest = await readBoardGames(code).then(
        ({ games }) => games[0],
        () => null,
      );
      // A game that is over belongs to the pieces only if they have not been set up since.
      const isThis = newest && (newest.phase === "playing" || (this.#state?.over && newest.plies === this.#state.moves.length));
      if (isThis) this.#stored = newest;
      else this.#ask();
      this.#showLinks();
    }, ASK_AGAIN_MS);
  }
}
