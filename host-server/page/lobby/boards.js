// The wooden boards that wait for an opponent. The list is polled while the page is visible.

import { fill, make, nameText, picture, set, write } from "../common/dom.js";
import { t, tNodes } from "../language/language.js";
import { waitingBoards, whereabouts } from "../relay/http.js";

const POLL_MS = 5000;

export class BoardsCard {
  #shown = "";

  constructor() {
    this.list = make("ul", { class: "boards", "aria-label": t("boards.list") });
    this.none = make("p", { class: "soft" }, t("boards.loading"));
    // Its space is reserved until the relay has said whether there is a virtual board.
    this.virtual = make(
      "p",
      { class: "soft unsure" },
      ...tNodes("boards.virtual", { link: make("a", { href: "/board" }, t("boards.virtual_link")) }),
    );
    this.root = make(
      "section",
      { class: "card waiting", "aria-labelledby": "boards-title" },
      make("h2", { id: "boards-title" }, t("boards.title")),
      make("p", { class: "soft" }, t("boards.explained")),
      this.virtual,
      this.none,
      this.list,
    );
    whereabouts().then(
      ({ board }) => this.virtual.classList.toggle("unsure", !board),
      () => {},
    );
    setInterval(this.#refresh, POLL_MS);
    document.addEventListener("visibilitychange", this.#refresh);
    this.#refresh();
  }

  #refresh = async () => {
    if (document.hidden) return;
    try {
      const boards = await waitingBoards();
      const key = JSON.stringify(boards);
      write(this.none, t("boards.none"));
      set(this.none, "hidden", boards.length > 0);
      if (key !== this.#shown) fill(this.list, ...boards.map(row));
      this.#shown = key;
    } catch {
      this.#shown = "";
      fill(this.list);
      set(this.none, "hidden", false);
      write(this.none, t("boards.unreachable"));
    }
  };
}

/** @param {import("../relay/http.js").Board} board */
function row({ name }) {
  return make(
    "li",
    { "data-board": name },
    picture("sign-board"),
    nameText(name, "board-name"),
    make(
      "a",
      { class: "button plain", href: `/?${new URLSearchParams({ board: name })}` },
      t("boards.challenge"),
      make("span", { class: "unseen" }, ` ${name}`),
    ),
  );
}
