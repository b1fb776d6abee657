// The laboratory: DNA is written, tried on a board, saved and shared, and played with.

import { CopyButton } from "../common/copy-button.js";
import { fill, make, set, write } from "../common/dom.js";
import { recall, remember } from "../common/memory.js";
import { t } from "../language/language.js";
import { RequestError } from "../relay/http.js";
import { Bench } from "./bench.js";
import { DnaEditor } from "./dna-editor.js";
import { genomeName } from "./names.js";
import { PresetForm } from "./preset-form.js";
import { builtInGenomes, loadGenome, loadPreset, look, storeGenome } from "./requests.js";

/** Keystrokes that follow each other so soon are one question to the relay, which limits how many it answers. */
const TYPING_MS = 200;

/** After a refusal for asking too often. */
const RETRY_MS = 3000;

/** The most genomes that a pawn can become, as the relay allows. */
const MAX_PROMOTIONS = 15;

/** How many own genomes the browser remembers. */
const MAX_SAVED = 30;

export class Laboratory {
  /** @type {import("./requests.js").Genome[]} */ #genomes = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  /** The number of the last question: an answer to an earlier one is out of date. */
  #asked = 0;
  /** @type {string | null} the hash of the DNA as it was saved last */ #hash = null;
  /** What a link has asked for and the relay does not have. It is said until the DNA is edited. @type {unknown} */ #missing = null;

  constructor() {
    document.title = `${t("lab.title")} · Tabiya`;
    this.editor = new DnaEditor(() => this.#edited());
    this.bench = new Bench({ changed: () => this.#ask(0), move: (from, to) => this.#ask(0, { from, to }) });
    this.preset = new PresetForm((genome) => this.#know([...this.#genomes, genome]));
    this.load = make("select", { id: "load", onchange: () => this.#load() }, make("option", { value: "" }, t("lab.load_none")));
    this.note = make("p", { class: "verdict", role: "status" });
    this.save = make("button", { type: "button", class: "main", onclick: () => this.#save() }, t("lab.save"));
    this.link = new CopyButton(t("lab.copy"), () => {
      if (!this.#hash) throw new Error("the genome is not stored");
      return new URL(`/lab?genome=${this.#hash}`, location.href).href;
    });
    set(this.link.root, "disabled", true);
    this.root = make(
      "div",
      { class: "laboratory" },
      make("div", { class: "welcome" }, make("h1", {}, t("lab.title")), make("p", { class: "lead" }, t("lab.lead"))),
      make(
        "section",
        { class: "card writing", "aria-label": t("lab.writing") },
        make("div", { class: "field" }, make("label", { for: "load" }, t("lab.load")), this.load),
        this.editor.root,
        this.note,
        make("div", { class: "row wrap" }, this.save, this.link.root),
      ),
      this.bench.root,
      this.preset.root,
    );
    this.bench.render();
    this.#begin();
  }

  async #begin() {
    const query = new URLSearchParams(location.search);
    /** @type {unknown} */
    let missing = null;
    // A link may name what this relay does not have. Everything else is there all the same.
    /** @type {<T>(asked: Promise<T>) => Promise<T | null>} */
    const orNothing = (asked) =>
      asked.catch((/** @type {unknown} */ error) => {
        missing ??= error;
        return null;
      });
    const promotions = (query.get("promotions") ?? "").split(",").filter(Boolean).slice(0, MAX_PROMOTIONS);
    const [builtIn, preset, wanted, ...chosen] = await Promise.all([
      orNothing(builtInGenomes()),
      orNothing(loadPreset(query.get("preset") ?? "default")),
      orNothing(loadGenome(query.get("genome") ?? "kral")),
      ...promotions.map((hash) => orNothing(loadGenome(hash))),
    ]);
    const pieces = (preset ?? (await orNothing(loadPreset("default"))))?.pieces ?? [];
    const stored = pieces.flatMap(({ hash, dna, name }) => (dna === null ? [] : [{ hash, dna, name }]));
    const shown = wanted ?? builtIn?.find(({ name }) => name === "king");
    const linked = [shown, ...chosen].flatMap((genome) => (genome ? [genome] : []));
    this.#know([...(builtIn ?? []), ...savedGenomes(), ...stored, ...linked]);
    const hashes = chosen.flatMap((genome) => (genome ? [genome.hash] : []));
    this.preset.show(pieces, preset ? query.get("kings") : null, hashes);
    if (shown) this.editor.value = spaced(shown.dna);
    this.#edited();
    this.#missing = missing;
    if (missing) this.#fail(missing);
  }

  /**
   * Offers these genomes, each once.
   *
   * @param {import("./requests.js").Genome[]} genomes
   */
  #know(genomes) {
    this.#genomes = genomes.filter(({ hash }, at) => genomes.findIndex((other) => other.hash === hash) === at);
    const options = this.#genomes.map(({ hash, name }) => make("option", { value: hash }, genomeName({ hash, name })));
    fill(this.load, make("option", { value: "" }, t("lab.load_none")), ...options);
    this.bench.offer(this.#genomes);
    this.preset.offer(this.#genomes);
  }

  #load() {
    const genome = this.#genomes.find(({ hash }) => hash === this.load.value);
    if (!genome) return;
    this.editor.value = spaced(genome.dna);
    this.#edited();
  }

  #edited() {
    this.#missing = null;
    this.#hash = null;
    set(this.link.root, "disabled", true);
    this.bench.edit(this.editor.value);
    this.#ask(TYPING_MS);
  }

  /**
   * Asks the relay what there is to see, after a pause.
   *
   * @param {number} pause
   * @param {{ from: string, to: string } | null} [played] a piece that moves first
   */
  #ask(pause, played = null) {
    clearTimeout(this.#timer);
    const number = ++this.#asked;
    const ask = async () => {
      try {
        const seen = await look(this.bench.state, played?.from ?? this.bench.selected, played?.to);
        if (number !== this.#asked) return;
        this.editor.render(seen);
        this.bench.show(seen, played);
        if (this.#missing) this.#fail(this.#missing);
        else write(this.note, "");
      } catch (error) {
        if (number !== this.#asked) return;
        this.#fail(error);
        // A piece that cannot go there stands where it was.
        if (played) this.#ask(0);
        else if (error instanceof RequestError && (error.status === 429 || error.status === 0)) this.#ask(RETRY_MS);
      }
    };
    this.#timer = setTimeout(ask, pause);
  }

  async #save() {
    set(this.save, "disabled", true);
    try {
      const dna = this.editor.value.replaceAll(/\s/g, "");
      const hash = await storeGenome(dna);
      this.#hash = hash;
      set(this.link.root, "disabled", false);
      const saved = [{ hash, dna, name: null }, ...savedGenomes().filter((genome) => genome.hash !== hash)].slice(0, MAX_SAVED);
      remember("local", "genomes", JSON.stringify(saved));
      this.#know([...this.#genomes, { hash, dna, name: null }]);
      set(this.note, "data-wrong", false);
      write(this.note, t("lab.saved", { hash }));
    } catch (error) {
      this.#fail(error);
    }
    set(this.save, "disabled", false);
  }

  /** @param {unknown} error */
  #fail(error) {
    set(this.note, "data-wrong", true);
    write(this.note, error instanceof RequestError ? error.message : t("lab.failed"));
  }
}

/** @returns {import("./requests.js").Genome[]} the genomes that were saved with this browser */
function savedGenomes() {
  try {
    const saved = JSON.parse(recall("local", "genomes") ?? "[]");
    return Array.isArray(saved) ? saved.filter(({ hash, dna }) => typeof hash === "string" && typeof dna === "string") : [];
  } catch {
    return [];
  }
}

/**
 * DNA with a space between its codons, and each block on a line.
 *
 * @param {string} dna
 */
function spaced(dna) {
  const codons = dna.match(/.{1,3}/g) ?? [];
  return codons.join(" ").replaceAll(" AHH", "\nAHH");
}
