// The page of the relay's owner: boards that ask to be paired.

import { fill, make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { RequestError } from "../relay/http.js";
import { PairingCard } from "./pairing-card.js";
import { keepPassword, readPairings } from "./requests.js";

/** Milliseconds between two looks at the list. */
const INTERVAL = 1000;

export class OwnerPage {
  /** @type {Map<string, PairingCard>} */ #cards = new Map();

  constructor() {
    document.title = `${t("owner.title")} · Tabiya`;
    this.status = make("p", { class: "soft", role: "status" });
    this.list = make("ul", { class: "pairings", "aria-label": t("owner.pairings") });
    this.password = make("input", { id: "password", type: "password", required: true, autocomplete: "current-password" });
    const onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      keepPassword(this.password.value);
      this.#look();
    };
    this.login = make(
      "form",
      { class: "card", hidden: true, onsubmit },
      make("div", { class: "field" }, make("label", { for: "password" }, t("owner.password")), this.password),
      make("button", { class: "main" }, t("owner.enter")),
    );
    this.root = make(
      "section",
      { class: "owner" },
      make("h1", {}, t("owner.title")),
      make("p", {}, t("owner.lead")),
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
      const pairings = await readPairings();
      set(this.login, "hidden", true);
      this.#show(pairings);
    } catch (error) {
      const isUnknown = error instanceof RequestError && error.status === 401;
      if (isUnknown) set(this.login, "hidden", false);
      this.#show([]);
      write(this.status, isUnknown ? t("owner.password_needed") : error instanceof Error ? error.message : String(error));
    }
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
