// The wooden boards that wait for somebody. The list keeps itself fresh while somebody looks at it.

import { called, fill, make, picture, set, write } from "../common/dom.js";
import { waitingBoards, whereabouts } from "../relay/http.js";

const EVERY_MS = 5000;

export function boardsCard() {
  const list = make("ul", { class: "boards", "aria-label": "Boards that wait for an opponent" });
  const none = make("p", { class: "soft" }, "Looking for boards …");
  let shown = "";

  async function refresh() {
    if (document.hidden) return;
    try {
      const boards = await waitingBoards();
      const key = JSON.stringify(boards);
      write(none, "No wooden board waits for an opponent right now. The list looks again by itself.");
      set(none, "hidden", boards.length > 0);
      if (key !== shown) fill(list, ...boards.map(row));
      shown = key;
    } catch {
      shown = "";
      fill(list);
      set(none, "hidden", false);
      write(none, "The relay cannot be reached. Trying again …");
    }
  }

  // Its place is kept until it is known whether there is one.
  const own = make(
    "p",
    { class: "soft unsure" },
    "No board of your own? ",
    make("a", { href: "/board" }, "Play on the virtual one"),
    ".",
  );
  whereabouts().then(
    ({ board }) => own.classList.toggle("unsure", !board),
    () => {},
  );

  setInterval(refresh, EVERY_MS);
  document.addEventListener("visibilitychange", refresh);
  refresh();
  return make(
    "section",
    { class: "card waiting", "aria-labelledby": "boards-title" },
    make("h2", { id: "boards-title" }, "Wooden boards"),
    make("p", { class: "soft" }, "Somebody sits at a real board and waits to be challenged."),
    own,
    none,
    list,
  );
}

/** @param {import("../relay/http.js").Board} board */
function row({ name, code }) {
  return make(
    "li",
    { "data-board": name },
    picture("sign-board"),
    called(name, "board-name"),
    make(
      "a",
      { class: "button plain", href: `/g/${encodeURIComponent(code)}` },
      "Challenge",
      make("span", { class: "unseen" }, ` ${name}`),
    ),
  );
}
