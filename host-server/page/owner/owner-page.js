// The page of the relay's owner: boards that ask to be paired, and those that are.

import { fill, make, nameText, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { RequestError } from "../relay/http.js";
import { loginForm } from "./login.js";
import { PairingCard } from "./pairing-card.js";
import { boardPath, readBoards, readPairings } from "./requests.js";

/** Milliseconds between two looks at the list. */
const INTERVAL = 1000;

export class OwnerPage {
  /** @type {Map<string, PairingCard>} */ #cards = new Map();
  #listed = "";

  constructor() {
    document.title = `${t("owner.title")} · Tabiya`;
    this.status = make("p", { class: "soft", role: "status" });
    this.list = make("ul", { class: "pairings", "aria-label": t("owner.pairings") });
    this.boards = make("ul", { class: "boards" });
    this.login = loginForm(() => this.#look());
    this.root = make(
      "section",
      { class: "owner" },
      make("h1", {}, t("owner.title")),
      make("p", {}, t("owner.lead")),
      make("h2", {}, t("owner.boards")),
      this.boards,
      this.login,
      this.status,
      this.list,
    );
  }

  start() {
    const again = async () => {
      await this.#look();
      setTimeout(again, INTERVAL);
    };
    again();
  }

  async #look() {
    try {
      const [pairings, boards] = await Promise.all([readPairings(), readBoards()]);
      set(this.login, "hidden", true);
      this.#show(pairings);
      this.#list(boards);
    } catch (error) {
      const isUnknown = error instanceof RequestError && error.status === 401;
      if (isUnknown) set(this.login, "hidden", false);
      this.#show([]);
      write(this.status, isUnknown ? t("owner.password_needed") : error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {readonly import("./requests.js").PairedBoard[]} boards */
  #list(boards) {
    const key = JSON.stringify(boards);
    if (key === this.#listed) return;
    this.#listed = key;
    const row = (/** @type {import("./requests.js").PairedBoard} */ { name, connected }) =>
      make("li", {}, make("a", { href: boardPath(name) }, nameText(name)), ` (${t(connected ? "owner.connected" : "owner.offline")})`);
    fill(this.boards, ...(boards.length > 0 ? boards.map(row) : [make("li", { class: "soft" }, t("owner.no_boards"))]));
  }

  /** @param {readonly import("./requests.js").Pairing[]} pairings */
  #show(pairings) {
    const ids = pairings.map(({ id }) => id);
    const isSame = ids.length === this.#cards.size && ids.every((id) => this.#cards.has(id));
    if (!isSame) {
      const card = (/** @type {import("./requests.js").Pairing} */ pairing) =>
        this.#cards.get(pairing.id) ?? new PairingCard(pairing, (words) => write(this.status, words));
      this.#cards = new Map(pairings.map((pairing) => [pairing.id, card(pairing)]));
      fill(this.list, ...[...this.#cards.values()].map(({ root }) => root));
    }
    if (pairings.length > 0) write(this.status, "");
    else if (this.status.textContent === "") write(this.status, t("owner.none"));
  }
}
