// The page of games: those of this browser, and those of a board.

import { fill, make, nameText, set, write } from "../common/dom.js";
import { t, tNodes } from "../language/language.js";
import { gamesPath, publicBoards } from "../relay/http.js";
import { isFound, ordered } from "./listing.js";
import { readAllPgn, readBoardGames, readOwnGames, withEarlierGames } from "./requests.js";
import { gameRow } from "./row.js";

/** @typedef {import("./listing.js").Game} Game */

export class GamesPage {
  /** @type {Game[]} */ #games = [];

  /** @param {string | null} board the code of a board */
  constructor(board) {
    document.title = `${t("games.title")} · Tabiya`;
    this.title = make("h1", {}, t(board ? "games.of_board" : "games.yours"));
    this.search = make("input", { type: "search", id: "search", autocomplete: "off", oninput: () => this.#show() });
    this.download = make("button", { class: "plain", disabled: true, onclick: () => this.#downloadAll() }, t("games.download"));
    this.none = make("p", { class: "soft", role: "status" });
    this.list = make("ul", { class: "listed-games", "aria-label": t("games.title") });
    const other = board ? make("a", { class: "button plain", href: "/games" }, t("games.yours")) : null;
    this.ways = make("div", { class: "row wrap" }, this.download, other);
    this.root = make(
      "section",
      { class: "games" },
      this.title,
      make(
        "div",
        { class: "card" },
        make("div", { class: "field" }, make("label", { for: "search" }, t("games.search")), this.search),
        this.ways,
        this.none,
        this.list,
      ),
    );
    this.isOfBoard = board !== null;
    (board ? this.#loadBoard(board) : this.#loadOwn()).catch(() => write(this.none, t("games.failed")));
  }

  async #loadOwn() {
    // The links come together with the list, which they would move.
    const [own, boards] = await Promise.all([readOwnGames().then(withEarlierGames), publicBoards().catch(() => [])]);
    const link = (/** @type {{ name: string, code: string }} */ { name, code }) =>
      make("a", { class: "button plain", href: gamesPath(code) }, ...tNodes("games.board", { name: nameText(name) }));
    this.ways.append(...boards.map(link));
    this.#games = ordered(own);
    this.#show();
  }

  /** @param {string} code */
  async #loadBoard(code) {
    const { board, games } = await readBoardGames(code);
    fill(this.title, ...tNodes("games.board", { name: nameText(board) }));
    this.#games = ordered(games);
    this.#show();
  }

  #show() {
    const found = this.#games.filter((game) => isFound(game, this.search.value));
    fill(this.list, ...found.map(gameRow));
    const empty = t(this.isOfBoard ? "games.board_none" : "games.yours_none");
    write(this.none, this.#games.length === 0 ? empty : found.length === 0 ? t("games.nothing_found") : "");
    set(this.download, "disabled", found.every(({ game }) => game === 0));
  }

  async #downloadAll() {
    const found = this.#games.filter((game) => isFound(game, this.search.value));
    try {
      const file = new Blob([await readAllPgn(found)], { type: "application/vnd.chess-pgn" });
      const address = URL.createObjectURL(file);
      make("a", { href: address, download: "tabiya-games.pgn" }).click();
      setTimeout(() => URL.revokeObjectURL(address), 0);
    } catch {
      write(this.none, t("games.failed"));
    }
  }
}
