// Who follows a link is asked for a name first, and whether to play or to watch.

import { nameField } from "../lobby/name-field.js";
import { make } from "../common/dom.js";

/**
 * @param {string} code
 * @returns {{ root: HTMLElement, answer: Promise<{ name: string, watch: boolean }> }}
 */
export function joinCard(code) {
  const field = nameField("join-name");
  /** @type {(answer: { name: string, watch: boolean }) => void} */
  let resolve = () => {};
  const answer = new Promise(
    (/** @type {(answer: { name: string, watch: boolean }) => void} */ done) => (resolve = done),
  );
  const root = make(
    "form",
    {
      class: "card join",
      "aria-labelledby": "join-title",
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        if (field.check()) resolve({ name: field.value(), watch: event.submitter?.getAttribute("value") === "watch" });
      },
    },
    make("h1", { id: "join-title" }, "You are invited to a game"),
    make("p", { class: "soft" }, "Code ", make("span", { class: "inline-code" }, code)),
    field.root,
    make(
      "div",
      { class: "row wrap" },
      make("button", { type: "submit", class: "main", value: "play" }, "Play"),
      make("button", { type: "submit", class: "plain", value: "watch" }, "Only watch"),
    ),
  );
  return { root, answer };
}
