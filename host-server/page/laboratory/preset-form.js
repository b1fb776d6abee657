// The form for a preset: a back row with its kings, and the game that is played with it.

import { CopyButton } from "../common/copy-button.js";
import { fill, make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { startGame } from "../lobby/challenge.js";
import { NameField } from "../lobby/name-field.js";
import { TermsFields } from "../lobby/terms-fields.js";
import { RequestError } from "../relay/http.js";
import { genomeName } from "./names.js";
import { loadGenome, storePreset } from "./requests.js";

/** @typedef {import("./requests.js").Genome} Genome */

const FILES = [..."abcdefgh"];

export class PresetForm {
  /** @type {string | null} the hash of the preset as it was saved last */ #hash = null;

  /** @param {(genome: Genome) => void} found is called with a genome that the user has named by its hash, and offers it */
  constructor(found) {
    this.found = found;
    this.slots = FILES.map((file) => {
      const piece = make("select", { id: `piece-${file}` });
      const king = make("input", { type: "checkbox", "aria-label": `${file}: ${t("role.k")}` });
      const root = make(
        "div",
        { class: "slot" },
        make("label", { for: `piece-${file}` }, file),
        piece,
        make("label", { class: "check" }, king, make("span", { "aria-hidden": "true" }, t("role.k"))),
      );
      return { file, piece, king, root };
    });
    this.promotions = make("div", { class: "row wrap promotions", role: "group", "aria-labelledby": "promotions-title" });
    this.other = make("input", {
      id: "other-promotion",
      maxlength: 6,
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      onchange: () => this.#addPromotion(),
      // Otherwise this key creates the game.
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.#addPromotion();
      },
    });
    this.name = new NameField("lab-name");
    this.terms = new TermsFields("lab");
    this.verdict = make("p", { class: "verdict", role: "status" });
    this.link = new CopyButton(t("lab.copy"), () => {
      if (!this.#hash) throw new Error("the preset is not stored");
      // A stored preset is only a back row: the kings and what pawns become are in the link.
      const query = new URLSearchParams({ preset: this.#hash, kings: this.#kings(), promotions: this.#promotions().join(",") });
      return new URL(`/lab?${query}`, location.href).href;
    });
    set(this.link.root, "disabled", true);
    this.save = make("button", { type: "button", class: "plain", onclick: () => this.#try(() => this.#save()) }, t("lab.save_preset"));
    this.create = make("button", { type: "submit", class: "main" }, t("create.button"));
    this.root = make(
      "form",
      { class: "card preset", "aria-labelledby": "preset-title", novalidate: true, onsubmit: this.#submit, onchange: () => this.#changed() },
      make("h2", { id: "preset-title" }, t("lab.preset")),
      make("p", { class: "soft" }, t("lab.preset_lead")),
      make("div", { class: "slots" }, ...this.slots.map(({ root }) => root)),
      make("p", { id: "promotions-title" }, t("lab.promotions")),
      this.promotions,
      make("div", { class: "field" }, make("label", { for: "other-promotion" }, t("lab.other_promotion")), this.other),
      this.name.root,
      ...this.terms.roots,
      this.verdict,
      make("div", { class: "row wrap" }, this.create, this.save, this.link.root),
    );
  }

  /** @param {Genome[]} genomes that can be chosen */
  offer(genomes) {
    for (const { piece } of this.slots) {
      const chosen = piece.value;
      const options = genomes.map(({ hash, name }) => make("option", { value: hash, selected: hash === chosen }, genomeName({ hash, name })));
      fill(piece, make("option", { value: "" }, t("lab.no_piece")), ...options);
    }
    const chosen = this.#promotions();
    const boxes = genomes.map(({ hash, name }) => {
      const box = make("input", { type: "checkbox", value: hash, checked: chosen.includes(hash) });
      return make("label", { class: "check" }, box, genomeName({ hash, name }));
    });
    fill(this.promotions, ...boxes);
  }

  /** The genomes that a pawn can become, beside those of the back row. */
  #promotions() {
    const row = this.slots.map(({ piece }) => piece.value);
    const boxes = [...this.promotions.querySelectorAll("input")];
    return boxes.flatMap(({ checked, value }) => (checked && !row.includes(value) ? [value] : []));
  }

  /** The files with a king. */
  #kings() {
    return this.slots.flatMap(({ file, king }) => (king.checked ? [file] : [])).join("");
  }

  /**
   * @param {{ hash: string, name: string | null }[]} pieces from the a-file on
   * @param {string | null} kings their files; without them the pieces that are kings by name
   * @param {string[]} promotions hashes
   */
  show(pieces, kings, promotions) {
    this.slots.forEach(({ file, piece, king }, at) => {
      piece.value = pieces[at]?.hash ?? "";
      king.checked = kings === null ? pieces[at]?.name === "king" : kings.includes(file);
    });
    this.#check(promotions);
  }

  /** @param {string[]} promotions hashes of genomes that a pawn can become */
  #check(promotions) {
    for (const box of this.promotions.querySelectorAll("input")) box.checked ||= promotions.includes(box.value);
  }

  /** Any stored genome can be one that a pawn becomes: those that are not offered are named by their hash. */
  #addPromotion() {
    const hash = this.other.value.trim().toLowerCase();
    if (!hash) return;
    this.#try(async () => {
      const genome = await loadGenome(hash);
      this.found(genome);
      this.#check([genome.hash]);
      this.other.value = "";
      this.#changed();
    });
  }

  #changed() {
    this.#hash = null;
    set(this.link.root, "disabled", true);
    write(this.verdict, "");
  }

  async #save() {
    const hashes = this.slots.map(({ piece }) => piece.value);
    const count = hashes.filter(Boolean).length;
    if (count === 0) throw new RequestError(0, t("error.no_king"));
    if (hashes.slice(0, count).some((hash) => !hash)) throw new RequestError(0, t("lab.gap"));
    this.#hash = await storePreset(hashes.slice(0, count));
    set(this.link.root, "disabled", false);
    write(this.verdict, t("lab.saved", { hash: this.#hash }));
    return this.#hash;
  }

  async #open() {
    if (!this.name.check()) return;
    const preset = await this.#save();
    const kings = this.#kings();
    const promotions = this.#promotions();
    await startGame({ name: this.name.value, ...this.terms.order(), rules: "genome", preset, kings, promotions });
  }

  #submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    this.#try(() => this.#open());
  };

  /** @param {() => Promise<unknown>} action */
  async #try(action) {
    set(this.verdict, "data-wrong", false);
    for (const button of [this.save, this.create]) set(button, "disabled", true);
    try {
      await action();
    } catch (error) {
      set(this.verdict, "data-wrong", true);
      write(this.verdict, error instanceof RequestError ? error.message : t("lab.failed"));
    }
    for (const button of [this.save, this.create]) set(button, "disabled", false);
  }
}
