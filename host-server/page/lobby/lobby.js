// Where one begins.

import { make } from "../common/dom.js";
import { boardsCard } from "./boards.js";
import { createCard } from "./create.js";
import { enterCard } from "./enter.js";

export function lobby() {
  document.title = "Tabiya";
  return make(
    "div",
    { class: "lobby" },
    make(
      "div",
      { class: "welcome" },
      make("h1", {}, "Play chess across any distance"),
      make("p", { class: "lead" }, "In this browser, or on a board of real wood. No account, nothing to install."),
    ),
    createCard(),
    make("div", { class: "stack" }, enterCard(), boardsCard()),
  );
}
