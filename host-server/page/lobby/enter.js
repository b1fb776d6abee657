// Into a game that somebody else has opened: by its code, or by its link.

import { make, set, write } from "../common/dom.js";

/**
 * The code in what somebody has typed or pasted.
 *
 * @param {string} text
 * @returns {string | null}
 */
export function codeIn(text) {
  const link = /\/g\/([A-Za-z0-9_]{1,32})(?:[/?#]|$)/.exec(text);
  const bare = /^[A-Za-z0-9_]{1,32}$/.exec(text.trim());
  return link?.[1] ?? bare?.[0] ?? null;
}

export function enterCard() {
  const field = make("input", {
    id: "enter-code",
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: 300,
    "aria-describedby": "enter-wrong",
  });
  const wrong = make("p", { id: "enter-wrong", class: "wrong" });
  return make(
    "form",
    {
      class: "card enter",
      "aria-labelledby": "enter-title",
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const code = codeIn(field.value);
        write(
          wrong,
          code ? "" : "A code is letters, digits and underscores. Type it as you were told, or paste the link.",
        );
        set(field, "aria-invalid", code ? false : "true");
        const watches = event.submitter?.getAttribute("value") === "watch";
        if (code) location.assign(`/g/${code}${watches ? "?watch" : ""}`);
        else field.focus();
      },
    },
    make("h2", { id: "enter-title" }, "Join a game"),
    make("div", { class: "field" }, make("label", { for: "enter-code" }, "Code or link"), field, wrong),
    make(
      "div",
      { class: "row" },
      make("button", { type: "submit", class: "main", value: "play" }, "Join"),
      make("button", { type: "submit", class: "plain", value: "watch" }, "Watch"),
    ),
  );
}
