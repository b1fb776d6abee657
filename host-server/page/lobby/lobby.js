// The lobby: a new game, a game against the computer, a game to join, and the boards to challenge.

import { make } from "../common/dom.js";
import { t } from "../language/language.js";
import { BoardsCard } from "./boards.js";
import { ComputerForm } from "./computer.js";
import { CreateForm } from "./create.js";
import { EnterForm } from "./enter.js";
import { yourGames } from "./your-games.js";

export class Lobby {
  constructor() {
    document.title = "Tabiya";
    const boards = new BoardsCard();
    this.root = make(
      "div",
      { class: "lobby" },
      make(
        "div",
        { class: "welcome" },
        make("h1", {}, t("lobby.title")),
        make("p", { class: "lead" }, t("lobby.lead")),
      ),
      // Before the form, so that a running game is on the first screen of a phone.
      yourGames(),
      new CreateForm().root,
      make(
        "div",
        { class: "stack" },
        new ComputerForm().root,
        new EnterForm().root,
        boards.root,
        make("a", { class: "button plain wide", href: "/rules" }, t("rules.link")),
        make("a", { class: "button plain wide", href: "/lab" }, t("lobby.genome_link")),
        boards.virtual,
      ),
    );
  }
}
