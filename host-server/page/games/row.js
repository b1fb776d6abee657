// One game in a list.

import { make, nameText } from "../common/dom.js";
import { t } from "../language/language.js";
import { linkTo } from "./listing.js";

/**
 * @param {import("./listing.js").Game} game
 * @returns {HTMLLIElement}
 */
export function gameRow(game) {
  const name = (/** @type {string | null} */ player) => (player ? nameText(player) : "?");
  return make(
    "li",
    { class: "listed", "data-phase": game.phase },
    make("a", { href: linkTo(game) }, name(game.white), " – ", name(game.black)),
    make("span", { class: "standing", "data-turn": game.isYourMove ? "own" : null }, standing(game)),
    make("span", { class: "soft" }, game.phase === "waiting" ? game.code : t("games.plies", { count: game.plies })),
    make("time", { class: "soft", datetime: game.date.replaceAll(".", "-") }, game.date.replaceAll(".", "-")),
  );
}

/** @param {import("./listing.js").Game} game */
function standing({ phase, result, isYours, isYourMove }) {
  if (phase === "waiting") return t("games.invitation");
  if (phase === "playing") return t(!isYours ? "games.running" : isYourMove ? "games.your_move" : "games.their_move");
  return result === "*" ? t("games.unfinished") : result.replaceAll("1/2", "½");
}
