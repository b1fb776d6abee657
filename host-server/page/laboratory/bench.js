// The board of the laboratory: pieces are put, erased and changed at will, and every piece may move at any time. What a move does is the
// relay's to say.

import { EMPTY_BOARD } from "../board/placement.js";
import { BoardPointer } from "../board/pointer.js";
import { indexOf } from "../board/squares.js";
import { BoardView } from "../board/view.js";
import { fill, make, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { ROLES, assignLetters, dnaText, genomeName } from "./names.js";

/**
 * @typedef {import("./requests.js").Bench} BenchState
 * @typedef {import("./requests.js").Piece} Piece
 * @typedef {import("./requests.js").Genome} Genome
 * @typedef {"move" | "white" | "black" | "king" | "pawn" | "erase"} Tool
 */

const TOOLS = /** @type {const} */ ([
  { value: "move", key: "lab.tool_move" },
  { value: "white", key: "lab.tool_white" },
  { value: "black", key: "lab.tool_black" },
  { value: "king", key: "lab.tool_king" },
  { value: "pawn", key: "lab.tool_pawn" },
  { value: "erase", key: "lab.tool_erase" },
]);

export class Bench {
  /** @type {BenchState} */
  state = { genomes: [""], pieces: [{ square: "d4", color: "white", genome: 0, king: false, pawn: false }], seed: newSeed() };
  /** @type {string | null} */
  selected = "d4";
  /** @type {import("./requests.js").Move[]} */
  #moves = [];
  /** @type {readonly string[]} */
  #last = [];
  /** @type {Genome[]} */
  #known = [];
  /** The letter of each kind of piece. @type {Map<string, string>} */
  #letters = new Map();

  /** @param {{ changed: () => void, move: (from: string, to: string) => void }} actions */
  constructor(actions) {
    this.actions = actions;
    const choose = (/** @type {string} */ square) => this.#choose(square);
    this.view = new BoardView({ choose, cancel: () => this.#select(null) });
    this.pointer = new BoardPointer(this.view, {
      canLift: (square) => this.#tool === "move" && this.#at(square) !== undefined,
      lift: (square) => this.#select(square),
      choose,
      drop: (from, to) => this.actions.move(from, to),
    });
    this.inserted = make("select", { id: "inserted" }, make("option", { value: "" }, t("lab.this_dna")));
    this.count = make("p", { class: "soft", role: "status" });
    this.list = make("ol", { class: "moves-found", tabindex: 0, role: "list", "aria-label": t("lab.moves") });
    const tools = TOOLS.map(({ value, key }) =>
      make(
        "label",
        { class: "chip" },
        make("input", { type: "radio", name: "tool", value, checked: value === "move" }),
        make("span", {}, t(key)),
      ),
    );
    this.tools = make("fieldset", { class: "field" }, make("legend", {}, t("lab.tools")), make("div", { class: "chips" }, ...tools));
    this.root = make(
      "section",
      { class: "card bench", "aria-labelledby": "bench-title" },
      make("h2", { id: "bench-title" }, t("lab.bench")),
      this.view.root,
      this.tools,
      make("div", { class: "field" }, make("label", { for: "inserted" }, t("lab.inserted")), this.inserted),
      this.count,
      this.list,
      make("button", { type: "button", class: "plain", onclick: () => this.#clear() }, t("lab.clear")),
    );
  }

  get #tool() {
    const input = this.tools.querySelector("input:checked");
    return /** @type {Tool} */ (input instanceof HTMLInputElement ? input.value : "move");
  }

  /** @param {string} square */
  #at(square) {
    return this.state.pieces.find((piece) => piece.square === square);
  }

  /** @param {Genome[]} genomes that can be put on the board */
  offer(genomes) {
    this.#known = genomes;
    const chosen = this.inserted.value;
    const options = genomes.map(({ hash, name }) => make("option", { value: hash, selected: hash === chosen }, genomeName({ hash, name })));
    fill(this.inserted, make("option", { value: "" }, t("lab.this_dna")), ...options);
    this.render();
  }

  /** @param {string | null} square */
  #select(square) {
    this.selected = square;
    this.#moves = [];
    this.render();
    this.actions.changed();
  }

  /** @param {string} square */
  #choose(square) {
    const tool = this.#tool;
    const piece = this.#at(square);
    if (tool === "move") {
      if (this.selected && this.#moves.some(({ to }) => to === square)) this.actions.move(this.selected, square);
      else this.#select(piece && this.selected !== square ? square : null);
      return;
    }
    const others = this.state.pieces.filter((other) => other !== piece);
    if (tool === "white" || tool === "black") {
      others.push({ square, color: tool, genome: this.#insertedGenome(), king: false, pawn: false });
    } else if (piece && tool === "king") others.push({ ...piece, king: !piece.king });
    else if (piece && tool === "pawn") others.push({ ...piece, pawn: !piece.pawn });
    if (tool === "erase" && this.selected === square) this.selected = null;
    this.state = { ...this.state, pieces: others };
    this.#last = [];
    this.render();
    this.actions.changed();
  }

  /** The number of the genome that is put on the board. */
  #insertedGenome() {
    const dna = this.#known.find(({ hash }) => hash === this.inserted.value)?.dna;
    if (dna === undefined) return 0;
    const known = this.state.genomes.indexOf(dna, 1);
    if (known > 0) return known;
    this.state = { ...this.state, genomes: [...this.state.genomes, dna] };
    return this.state.genomes.length - 1;
  }

  #clear() {
    const [edited = ""] = this.state.genomes;
    this.state = { genomes: [edited], pieces: [], seed: newSeed() };
    this.#last = [];
    this.#select(null);
  }

  /** @param {string} dna the text that is being edited */
  edit(dna) {
    this.state = { ...this.state, genomes: [dna, ...this.state.genomes.slice(1)] };
  }

  /**
   * Shows what the relay sees.
   *
   * @param {import("./requests.js").Seen} seen
   * @param {{ from: string, to: string } | null} played
   */
  show({ genomes, pieces, seed, moves }, played) {
    this.state = { genomes, pieces, seed };
    if (played) {
      this.selected = this.#at(played.to) ? played.to : null;
      this.#last = [played.from, played.to];
    }
    this.#moves = this.selected ? moves : [];
    this.render();
  }

  render() {
    const letters = [...EMPTY_BOARD];
    /** @type {import("../board/pieces.js").Kinds} */
    const kinds = {};
    assignLetters(this.#letters, this.state.pieces.map((piece) => this.#kind(piece)));
    for (const piece of this.state.pieces) {
      const letter = this.#letterOf(piece);
      kinds[letter] = this.#kindOf(piece);
      letters[indexOf(piece.square)] = letter;
    }
    this.view.render({
      placement: letters.join(""),
      kinds,
      isFlipped: false,
      last: this.#last,
      checked: [],
      selected: this.selected,
      targets: this.#moves.map(({ to }) => to),
      premove: [],
      inHand: [],
      misplaced: [],
      isLive: false,
      label: t("lab.board"),
    });
    const { selected } = this;
    write(this.count, selected ? t("lab.count", { square: selected, count: this.#moves.length }) : t("lab.none_selected"));
    fill(this.list, ...this.#moves.map((move) => make("li", {}, make("b", {}, move.to), ` ${dnaText(move)}`)));
  }

  /** @param {Piece} piece */
  #kind({ genome, king, pawn }) {
    return `${genome === 0 ? "edited" : this.state.genomes[genome]} ${king} ${pawn}`;
  }

  /** @param {Piece} piece */
  #letterOf(piece) {
    const letter = this.#letters.get(this.#kind(piece)) ?? "A";
    return piece.color === "white" ? letter : letter.toLowerCase();
  }

  /** @param {Piece} piece */
  #kindOf({ genome, king, pawn, color }) {
    const known = genome === 0 ? undefined : this.#known.find(({ dna }) => dna === this.state.genomes[genome]);
    const role = ROLES[known?.name ?? ""];
    const plain = genome === 0 ? t("lab.edited") : role ? t(`role.${role}`) : t("lab.piece");
    const name = king && role !== "k" ? t("lab.king_and", { name: plain }) : pawn && role !== "p" ? t("lab.pawn_and", { name: plain }) : plain;
    const drawing = king ? "k" : pawn ? "p" : role;
    return drawing ? { name, color, drawing } : { name, color };
  }
}

/** 16 hexadecimal digits for the random effects. */
function newSeed() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
