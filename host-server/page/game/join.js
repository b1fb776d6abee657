// The form for visitors who follow the link to a game: who invites, on which terms, and whether to play or to watch.

import { colorName, other } from "../board/colors.js";
import { make, nameText } from "../common/dom.js";
import { t, tNodes } from "../language/language.js";
import { NameField } from "../lobby/name-field.js";
import { gamesPath } from "../relay/http.js";
import { timeControlText } from "./clocks.js";

/**
 * @typedef {import("../relay/http.js").Table} Table
 * @typedef {import("../relay/http.js").BoardTable} BoardTable
 */

const BOARD_TITLES = /** @type {const} */ ({
  free: "join.board",
  busy: "join.board_busy",
  offline: "join.board_offline",
  refuses: "join.board_refuses",
});
const BOARD_FACTS = /** @type {const} */ ({ busy: "join.board_busy_text", offline: "join.board_offline_text", refuses: "join.board_refuses_text" });

export class JoinForm {
  /**
   * @param {string} code
   * @param {Table | BoardTable | null} found what the link leads to; `null` if the relay does not say
   * @param {(answer: { name: string, watch: boolean }) => void} join
   */
  constructor(code, found, join) {
    const field = new NameField("join-name");
    this.wrong = make("p", { class: "wrong", role: "alert" });
    const board = found && "board" in found ? found : null;
    const table = found && "board" in found ? (found.table ?? null) : found;
    const hasExpired = !board && table?.phase === "closed" && table.games === 0;
    const canPlay = board ? board.state === "free" : !table || table.free !== undefined;
    const canWatch = board ? (board.watch ?? null) === code || board.state === "free" : !hasExpired;
    const elsewhere = board?.watch && board.watch !== code ? board.watch : null;
    this.root = make(
      "form",
      {
        class: "card join",
        "aria-labelledby": "join-title",
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          const watch = event.submitter?.getAttribute("value") === "watch";
          if (field.check()) join({ name: field.value, watch });
        },
      },
      make("h1", { id: "join-title" }, ...(hasExpired ? [t("join.expired")] : title(board, table, canPlay))),
      ...(hasExpired ? [] : facts(board, table, canPlay)).map((children) => make("p", { class: "soft" }, ...children)),
      make("p", { class: "soft" }, ...tNodes("join.code", { code: make("span", { class: "inline-code" }, code) })),
      canPlay || canWatch ? field.root : null,
      make(
        "div",
        { class: "row wrap" },
        canPlay ? make("button", { type: "submit", class: "main", value: "play" }, t("join.play")) : null,
        canWatch ? make("button", { type: "submit", class: canPlay ? "plain" : "main", value: "watch" }, t("join.watch")) : null,
        elsewhere ? make("a", { class: "button main", href: `/g/${encodeURIComponent(elsewhere)}?watch` }, t("join.watch")) : null,
        canPlay ? null : make("a", { class: hasExpired ? "button main" : "button plain", href: "/" }, t("frame.to_lobby")),
      ),
      this.wrong,
      board ? make("p", {}, make("a", { href: gamesPath(code) }, t("games.of_board"))) : null,
    );
  }
}

/**
 * @param {BoardTable | null} board
 * @param {Table | null} table
 * @param {boolean} canPlay
 */
function title(board, table, canPlay) {
  if (board) return tNodes(BOARD_TITLES[board.state], { name: nameText(board.board) });
  if (!canPlay) return [t("join.full")];
  const host = table?.free && table[other(table.free)];
  return host ? tNodes("join.invited_by", { name: nameText(host.name) }) : [t("join.title")];
}

/**
 * @param {BoardTable | null} board
 * @param {Table | null} table
 * @param {boolean} canPlay
 * @returns {(Node | string)[][]}
 */
function facts(board, table, canPlay) {
  // A game of two people at the board can be watched from its second ply on.
  if (board?.state === "busy" && !board.watch) return [[t("join.board_busy_later")]];
  if (board && board.state !== "free") return [[t(BOARD_FACTS[board.state])]];
  if (!table) return [];
  const clock = timeControlText(table.clock && { baseMs: table.clock.base_ms, incrementMs: table.clock.increment_ms });
  if (canPlay && table.free) return [[t("join.terms", { color: colorName(table.free), clock })]];
  const { white, black } = table;
  const name = (/** @type {import("../relay/http.js").Sitting | null} */ one) => (one ? nameText(one.name) : "?");
  return [tNodes("games.players", { white: name(white), black: name(black) }), [clock]];
}
