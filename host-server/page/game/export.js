// Copying and downloading the game as PGN and the shown position as FEN, its analysis elsewhere, and the other games of the match.

import { CopyButton } from "../common/copy-button.js";
import { make, set } from "../common/dom.js";
import { t } from "../language/language.js";
import { pgnPath, readPgn } from "../relay/http.js";
import { isChess, positionAt } from "./state.js";

export class ExportView {
  /** @param {import("./session.js").GameSession} session */
  constructor(session) {
    const fen = new CopyButton(t("export.fen"), () => positionAt(session.match, session.selection.review).fen);
    const pgn = new CopyButton(t("export.pgn"), () => readPgn(session.match));
    this.download = make("a", { class: "button plain", "data-action": "download-pgn" }, t("export.download"));
    this.analyse = make(
      "a",
      { class: "button plain", target: "_blank", rel: "noopener", "data-action": "analyse", hidden: true },
      t("result.analyse"),
    );
    this.before = make("a", { class: "button plain", "data-action": "game-before", hidden: true }, t("result.game_before"));
    this.after = make("a", { class: "button plain", "data-action": "game-after", hidden: true }, t("result.game_after"));
    this.formats = make("div", { class: "row wrap" }, fen.root, make("span", { class: "row wrap" }, pgn.root, this.download));
    this.root = make(
      "section",
      { class: "card export", "aria-labelledby": "export-title" },
      make("h2", { id: "export-title" }, t("export.title")),
      make(
        "div",
        { class: "row wrap" },
        this.formats,
        this.analyse,
        this.before,
        this.after,
      ),
    );
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match }) {
    const { code, game } = match;
    // FEN and PGN are formats of chess. Under other rules only the links to other games are left.
    const isOfChess = isChess(match);
    set(this.formats, "hidden", !isOfChess);
    set(this.download, "href", pgnPath(match));
    set(this.download, "download", `${code}-${game}.pgn`);
    // No engine help while the game runs. This card is the last one, so nothing moves when it grows.
    set(this.analyse, "hidden", !isOfChess || match.ending === null || match.plies.length === 0);
    set(this.analyse, "href", analysisAddress(match));
    this.#linkOtherGames(match);
    set(this.root, "hidden", game === 0 || (!isOfChess && this.before.hidden && this.after.hidden));
  }

  /** @param {import("./state.js").Match} match */
  #linkOtherGames({ ending, stored, game, code, room }) {
    const address = (/** @type {number} */ number) =>
      `/g/${code}?${new URLSearchParams({ game: String(number), ...(room && { room }) })}`;
    set(this.before, "hidden", ending === null || game < 2);
    set(this.before, "href", address(game - 1));
    const isLast = !stored || game >= stored.games;
    set(this.after, "hidden", ending === null || isLast);
    // The last game of a match that goes on is the match itself.
    set(this.after, "href", stored?.isOpen && game + 1 >= stored.games ? `/g/${code}` : address(game + 1));
  }
}

/**
 * The game on the analysis board of lichess.org, which reads moves from the address.
 *
 * @param {import("./state.js").Match} match
 */
export function analysisAddress({ plies, start }) {
  const moves = plies.map(({ san }) => san).join(" ");
  const isUsual = start.fen === "" || start.fen.startsWith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq");
  const pgn = isUsual ? moves : `[FEN "${start.fen}"] ${moves}`;
  return `https://lichess.org/analysis/pgn/${encodeURIComponent(pgn)}`;
}
