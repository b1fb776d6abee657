// The wooden boards that wait for an opponent. The list is polled while the page is visible.

import { fill, make, nameText, picture, set, write } from "../common/dom.js";
import { t, tNodes } from "../language/language.js";
import { waitingBoards, whereabouts } from "../relay/http.js";

const POLL_MS = 5000;

export class BoardsCard {
  #shown = "";

  constructor() {
    this.list = make("ul", { class: "boards", "aria-label": t("boards.list") });
    this.text = make("p", { class: "soft" }, t("boards.loading"));
    // The lobby has it at its end, where it moves nothing when the relay has said that there is a virtual board.
    this.virtual = make(
      "p",
      { class: "soft", hidden: true },
      ...tNodes("boards.virtual", { link: make("a", { href: "/board" }, t("boards.virtual_link")) }),
    );
    this.root = make(
      "section",
      { class: "card waiting", "aria-labelledby": "boards-title" },
      make("h2", { id: "boards-title" }, t("boards.title")),
      this.text,
      this.list,
    );
    whereabouts().then(
      ({ board }) => set(this.virtual, "hidden", !board),
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
      write(this.text, t(boards.length > 0 ? "boards.explained" : "boards.none"));
      if (key !== this.#shown) fill(this.list, ...boards.map(row));
      this.#shown = key;
    } catch {
      this.#shown = "";
      fill(this.list);
      write(this.text, t("boards.unreachable"));
    }
  };
}

/** @param {import("../relay/http.js").Board} board */
function row({ name, set_up: isSetUp }) {
  return make(
    "li",
    { "data-board": name },
    picture("sign-board"),
    nameText(name, "board-name"),
    isSetUp
      ? make(
          "a",
          { class: "button plain", href: `/?${new URLSearchParams({ board: name })}` },
          t("boards.challenge"),
          make("span", { class: "unseen" }, ` ${name}`),
        )
      : make("span", { class: "soft" }, t("boards.not_set_up")),
  );
}
