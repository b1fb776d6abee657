// A player's place beside the board: who it is, whether they are there, what they have taken, and their clock.

import { called, fill, make, picture, set, write } from "../common/dom.js";
import { SQUARES, drawingOf, other, spokenPiece } from "../board/squares.js";
import { LOW_MS, face, left, spokenTime } from "./clocks.js";
import { colorName } from "./words.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {import("../board/squares.js").Color} Color
 */

export class PlayerStrip {
  #shown = "";
  #taken = "";

  constructor() {
    this.dot = make("span", { class: "dot" });
    this.name = make("span", { class: "who" });
    this.note = make("span", { class: "note" });
    this.taken = make("span", { class: "taken", role: "img" });
    this.clock = make("span", { class: "clock", role: "timer" });
    this.root = make(
      "div",
      { class: "strip" },
      this.dot,
      make(
        "div",
        { class: "strip-name" },
        make("div", { class: "strip-who" }, this.name, this.note),
        make("div", { class: "strip-more" }, this.taken),
      ),
      this.clock,
    );
  }

  /**
   * @param {Match} match
   * @param {Color} color
   * @param {{ taken: Record<Color, number[]>, ahead: number }} material
   */
  render(match, color, material) {
    const player = match.players[color];
    const isUs = match.color === color;
    set(this.root, "data-player", color);
    set(this.root, "data-turn", match.phase === "playing" && match.turn === color);
    set(this.root, "aria-label", `${colorName(color)}: ${player?.name ?? "nobody yet"}`);
    set(this.root, "role", "group");
    set(this.dot, "data-here", player ? (player.here ? "yes" : "no") : "none");
    const name = player?.name ?? (match.isGreeted ? "Nobody yet" : "");
    if (this.#shown !== `${name}|${isUs}|${color}`) {
      this.#shown = `${name}|${isUs}|${color}`;
      fill(this.name, called(name, "name"), isUs ? make("span", { class: "us" }, "you") : null);
    }
    this.#renderTaken(color, material);
    set(this.clock, "hidden", match.clock === null && match.rule === null);
  }

  /**
   * @param {Color} color
   * @param {{ taken: Record<Color, number[]>, ahead: number }} material
   */
  #renderTaken(color, material) {
    const pieces = material.taken[other(color)];
    const ahead = color === "white" ? material.ahead : -material.ahead;
    const key = `${pieces.join()}|${ahead}`;
    if (this.#taken === key) return;
    this.#taken = key;
    fill(
      this.taken,
      ...pieces.map((piece, at) => {
        const small = picture(drawingOf(piece) ?? "", "small-piece");
        if (at > 0 && pieces[at - 1] === piece) small.classList.add("again");
        return small;
      }),
      ahead > 0 ? make("span", { class: "ahead" }, `+${ahead}`) : null,
    );
    set(this.taken, "hidden", pieces.length === 0 && ahead <= 0);
    const names = pieces.map((piece) => spokenPiece(piece).split(" ")[1]);
    const lead = ahead > 0 ? `, ahead by ${ahead}` : "";
    set(this.taken, "aria-label", (names.length ? `Has taken: ${names.join(", ")}` : "Has taken nothing") + lead);
  }

  /**
   * Shows what changes by itself.
   *
   * @param {Match} match
   * @param {Color} color
   * @param {number} since how long ago the clocks showed what we know
   * @param {number} now
   * @returns {number | null} what is left on the clock, if it runs
   */
  tick(match, color, since, now) {
    write(this.note, note(match, color, now));
    const { clock, rule } = match;
    if (!clock) {
      if (rule) write(this.clock, face(rule.baseMs));
      return null;
    }
    const ms = left(clock, color, since);
    const runs = clock.running === color;
    write(this.clock, face(ms));
    set(this.clock, "data-runs", runs);
    set(this.clock, "data-low", match.phase === "playing" && ms < LOW_MS);
    // Nobody wants to hear every second.
    if (!runs || !this.clock.hasAttribute("aria-label"))
      set(this.clock, "aria-label", `${colorName(color)}: ${spokenTime(ms)}`);
    return runs ? ms : null;
  }
}

/**
 * @param {Match} match
 * @param {Color} color
 * @param {number} now
 */
function note(match, color, now) {
  const player = match.players[color];
  if (!player) return match.isGreeted ? "the seat is free" : "";
  const wood = match.wood[color];
  if (!player.here && match.phase !== "waiting") {
    const who = wood ? "the board is away" : "away";
    if (match.phase !== "playing" || player.awayUntil === null) return who;
    return `${who}, has ${Math.max(0, Math.ceil((player.awayUntil - now) / 1000))} s to come back`;
  }
  if (!wood) return "";
  if (wood.inHand.length) return `a piece in hand, from ${list(wood.inHand)}`;
  if (wood.astray.length) return `out of place: ${list(wood.astray)}`;
  const late = match.phase === "playing" ? lagging(match.board, wood.occupied) : [];
  if (late.length) return `still to move by hand: ${list(late)}`;
  return match.hintsBy[color] && !match.hints ? "on a wooden board, agrees to hints" : "on a wooden board";
}

/**
 * The squares on which the wood is not yet as the game is.
 *
 * @param {readonly number[]} board
 * @param {readonly string[]} occupied
 */
function lagging(board, occupied) {
  return SQUARES.filter((square, index) => (board[index] !== 0) !== occupied.includes(square));
}

/** @param {readonly string[]} squares */
function list(squares) {
  return squares.slice(0, 6).join(" ") + (squares.length > 6 ? " …" : "");
}
