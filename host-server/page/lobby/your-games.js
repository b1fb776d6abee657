// The newest games of this browser. Their rows have a fixed height, so that nothing moves when the relay has answered.

import { fill, make } from "../common/dom.js";
import { ownGames } from "../common/own-games.js";
import { ordered } from "../games/listing.js";
import { readOwnGames } from "../games/requests.js";
import { gameRow } from "../games/row.js";
import { t } from "../language/language.js";

/** How many games are shown. */
const SHOWN = 3;

/** The card, or nothing if this browser has not played. */
export function yourGames() {
  const count = Math.min(ownGames().length, SHOWN);
  if (count === 0) return null;
  const list = make("ul", { class: "listed-games", "aria-label": t("games.yours") });
  fill(list, ...Array.from({ length: count }, () => make("li", { class: "listed", "aria-hidden": "true" })));
  readOwnGames().then(
    (games) => {
      const rows = ordered(games).slice(0, count).map(gameRow);
      const empty = Array.from({ length: count - rows.length }, () => make("li", { class: "listed", "aria-hidden": "true" }));
      fill(list, ...rows, ...empty);
    },
    () => {
      const rest = Array.from({ length: count - 1 }, () => make("li", { class: "listed", "aria-hidden": "true" }));
      fill(list, make("li", { class: "listed" }, t("games.failed")), ...rest);
    },
  );
  return make(
    "section",
    { class: "card yours", "aria-labelledby": "yours-title" },
    make("h2", { id: "yours-title" }, t("games.yours")),
    list,
    make("a", { class: "button plain wide", href: "/games" }, t("games.all")),
  );
}
