// What people say to each other. It is only ever shown as text, each line on its own.

import { called, make, write } from "../common/dom.js";
import { unsentSentence } from "./words.js";

/** @typedef {import("./state.js").Match} Match */

export class Chat {
  /** @type {readonly import("./state.js").Line[]} */ #shown = [];
  /** @type {Match | null} */ #match = null;

  /** @param {(message: object) => boolean} say */
  constructor(say) {
    this.list = make("ul", { class: "lines", "aria-label": "What was said", tabindex: 0 });
    this.field = make("input", {
      id: "chat-field",
      type: "text",
      maxlength: 500,
      autocomplete: "off",
      placeholder: "Say something",
      "aria-label": "Say something",
      "aria-describedby": "chat-wrong",
    });
    this.wrong = make("p", { id: "chat-wrong", class: "wrong" });
    const form = make(
      "form",
      { class: "row", onsubmit: send },
      this.field,
      make("button", { type: "submit", class: "plain" }, "Send"),
    );
    this.root = make(
      "section",
      { class: "card chat", "aria-labelledby": "chat-title" },
      make("div", { class: "said-of" }, make("h2", { id: "chat-title" }, "Chat"), this.wrong),
      this.list,
      form,
    );
    const { field, wrong } = this;
    const unsent = () => (this.#match ? unsentSentence(this.#match) : "");
    /** @param {SubmitEvent} event */
    function send(event) {
      event.preventDefault();
      const message = field.value.trim();
      if (!message) return;
      const isSaid = say({ type: "chat", message });
      if (isSaid) field.value = "";
      write(wrong, isSaid ? "" : unsent());
    }
  }

  /** @param {Match} match */
  render(match) {
    this.#match = match;
    // What could not be said can be, now.
    if (match.line.kind === "open") write(this.wrong, "");
    if (match.chat === this.#shown) return;
    const isAtEnd = this.list.scrollTop + this.list.clientHeight >= this.list.scrollHeight - 40;
    const known = this.#shown;
    const isMore = match.chat.length > known.length && known.every((line, at) => line === match.chat[at]);
    if (!isMore) this.list.replaceChildren();
    for (const line of isMore ? match.chat.slice(known.length) : match.chat) {
      this.list.append(
        make(
          "li",
          { "data-side": line.color ?? "spectator", "data-ours": line.isOurs },
          called(line.name, "speaker"),
          make("bdi", { class: "said", dir: "auto" }, line.text),
        ),
      );
    }
    this.#shown = match.chat;
    if (isAtEnd || !isMore) this.list.scrollTop = this.list.scrollHeight;
  }
}
