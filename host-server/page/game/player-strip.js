// The line of one player above or below the board: name, presence, captured pieces and clock.

import { colorName, other } from "../board/colors.js";
import { drawPiece } from "../board/drawing.js";
import { material } from "../board/material.js";
import { EMPTY, roleName } from "../board/pieces.js";
import { pieceOn } from "../board/placement.js";
import { SQUARES } from "../board/squares.js";
import { fill, make, nameText, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { LOW_MS, face, left, spokenTime } from "./clocks.js";
import { isChess } from "./state.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {import("./view-state.js").ViewState} ViewState
 * @typedef {import("../board/colors.js").Color} Color
 */

export class PlayerStrip {
  #shownName = "";
  #shownMaterial = "";
  #shownNote = "";

  /** @param {"top" | "bottom"} place */
  constructor(place) {
    this.place = place;
    this.dot = make("span", { class: "dot" });
    this.name = make("span", { class: "who" });
    this.note = make("span", { class: "note" });
    this.captured = make("span", { class: "captured", role: "img" });
    this.clock = make("span", { class: "clock", role: "timer" });
    this.root = make(
      "div",
      { class: "strip", role: "group" },
      this.dot,
      this.name,
      this.clock,
      make("div", { class: "strip-more" }, this.captured, this.note),
    );
  }

  /**
   * @param {ViewState} state
   * @returns {Color}
   */
  #colorIn({ bottom }) {
    return this.place === "bottom" ? bottom : other(bottom);
  }

  /** @param {ViewState} state */
  render(state) {
    const { match } = state;
    const color = this.#colorIn(state);
    const player = match.players[color];
    const name = player ? (player.hasLeft ? t("player.left", { name: player.name }) : player.name) : emptySeat(match, color);
    set(this.root, "data-player", color);
    set(this.root, "data-turn", match.phase === "playing" && match.turn === color);
    const side = colorName(color);
    set(this.root, "aria-label", name ? t("player.named", { color: side, name }) : t("player.side_open", { color: side }));
    set(this.dot, "data-here", player && !match.stored ? (player.here ? "yes" : "no") : "none");
    const isUs = match.color === color;
    const key = `${name}|${isUs}|${color}`;
    if (this.#shownName !== key) {
      this.#shownName = key;
      fill(this.name, nameText(name, "name"), isUs ? make("span", { class: "us" }, t("noun.you")) : null);
    }
    this.#renderCaptured(state, color);
    set(this.clock, "hidden", match.clock === null && match.timeControl === null);
  }

  /**
   * @param {ViewState} state
   * @param {Color} color
   */
  #renderCaptured({ match, shown }, color) {
    // Other rules have other pieces, whose values are not known.
    if (!isChess(match)) return set(this.captured, "hidden", true);
    const { captured, lead } = material(match.start.placement, shown.placement);
    const pieces = captured[other(color)];
    const ahead = color === "white" ? lead : -lead;
    const key = `${pieces.join("")}|${ahead}`;
    if (this.#shownMaterial === key) return;
    this.#shownMaterial = key;
    const drawings = pieces.map((piece, at) =>
      drawPiece(piece, at > 0 && pieces[at - 1] === piece ? "small-piece again" : "small-piece"),
    );
    fill(this.captured, make("span", {}, ...drawings, ahead > 0 ? make("span", { class: "ahead" }, `+${ahead}`) : null));
    set(this.captured, "hidden", pieces.length === 0 && ahead <= 0);
    const words = pieces.length > 0 ? t("player.captured", { pieces: pieces.map(roleName).join(", ") }) : t("player.captured_nothing");
    set(this.captured, "aria-label", ahead > 0 ? t("player.ahead", { captured: words, points: ahead }) : words);
  }

  /**
   * @param {ViewState} state
   * @param {import("./view-state.js").Moment} moment
   */
  tick(state, { now, sinceClock }) {
    const { match } = state;
    const { clock, timeControl } = match;
    const color = this.#colorIn(state);
    const words = note(match, color, now);
    if (this.#shownNote !== words) fill(this.note, words && make("span", {}, words));
    this.#shownNote = words;
    if (!clock) {
      if (timeControl) write(this.clock, face(timeControl.baseMs));
      return;
    }
    const ms = left(clock, color, sinceClock);
    const isRunning = clock.running === color;
    write(this.clock, face(ms));
    set(this.clock, "data-runs", isRunning);
    set(this.clock, "data-low", match.phase === "playing" && ms < LOW_MS);
    // A screen reader must not speak every second of a running clock.
    if (!isRunning || !this.clock.hasAttribute("aria-label")) {
      set(this.clock, "aria-label", t("player.clock", { color: colorName(color), time: spokenTime(ms) }));
    }
  }
}

/**
 * What stands in the place of a missing player's name.
 *
 * @param {Match} match
 * @param {Color} color
 */
function emptySeat({ isJoined, left, phase }, color) {
  const name = left[color];
  if (name && (phase === "over" || phase === "closed")) return t("player.left", { name });
  return isJoined ? t("player.open_seat") : "";
}

/**
 * @param {Match} match
 * @param {Color} color
 * @param {number} now
 */
function note(match, color, now) {
  const player = match.players[color];
  if (!player || player.hasLeft || match.stored) return "";
  const board = match.occupancy[color];
  if (!player.here && match.phase !== "waiting") {
    const who = t(board ? "player.board_offline" : "player.offline");
    if (match.phase !== "playing" || player.awayUntil === null || player.awayUntil <= now) return who;
    return t("player.offline_for", { who, count: Math.max(0, Math.ceil((player.awayUntil - now) / 1000)) });
  }
  if (!board) return "";
  // After the game the pieces are set up, or stand as hands have left them.
  if (match.phase !== "playing") return t("player.on_board");
  if (board.inHand.length > 0) return t("player.in_hand", { squares: list(board.inHand) });
  if (board.misplaced.length > 0) return t("player.misplaced", { squares: list(board.misplaced) });
  const { from, to } = differing(match.now.placement, board.occupied);
  const ways = [from, to].filter((squares) => squares.length > 0).map(list);
  if (ways.length > 0) return t("player.pending", { squares: ways.join(" → ") });
  return t("player.on_board");
}

/**
 * The squares on which the wooden board differs from the game: those that are still occupied, and those that have to be.
 *
 * @param {import("../board/placement.js").Placement} placement
 * @param {readonly string[]} occupied
 */
export function differing(placement, occupied) {
  const isEmpty = (/** @type {string} */ square) => pieceOn(placement, square) === EMPTY;
  return {
    from: SQUARES.filter((square) => isEmpty(square) && occupied.includes(square)),
    to: SQUARES.filter((square) => !isEmpty(square) && !occupied.includes(square)),
  };
}

/** @param {readonly string[]} squares */
function list(squares) {
  return squares.slice(0, 6).join(" ") + (squares.length > 6 ? " …" : "");
}
