// The chat. Messages are only ever shown as text.

import { make, nameText, set, write } from "../common/dom.js";
import { recall, remember } from "../common/memory.js";
import { t } from "../language/language.js";
import { areSpectatorsShown, isVisible, showSpectators } from "./spectator-chat.js";
import { isConnected, isPlaying } from "./state.js";
import { unsentSentence } from "./words.js";

/** @typedef {import("./state.js").ChatLine} ChatLine */

/** The list follows new messages if it is scrolled to its end, give or take this, in pixels. */
const END_PX = 40;

export class Chat {
  /** @type {readonly ChatLine[]} */ #shown = [];
  #isOff = recall("local", "chat") === "off";
  #isVisible = true;
  #unread = 0;
  /** What is in the field again because it may not have arrived. */
  #returned = "";

  /** @param {import("./session.js").GameSession} session */
  constructor(session) {
    this.session = session;
    this.list = make("ul", { class: "lines", "aria-label": t("chat.messages"), tabindex: 0 });
    this.field = make("input", {
      id: "chat-field",
      type: "text",
      maxlength: 500,
      autocomplete: "off",
      placeholder: t("chat.write"),
      "aria-label": t("chat.write"),
      "aria-describedby": "chat-wrong",
    });
    this.wrong = make("p", { id: "chat-wrong", class: "wrong" });
    this.off = make("button", { type: "button", class: "plain", "data-action": "chat-off", onclick: () => this.#turn(!this.#isOff) });
    this.spectators = make("button", {
      type: "button",
      class: "plain",
      "data-action": "chat-spectators",
      onclick: () => this.#switchSpectators(),
    });
    this.body = make(
      "div",
      { class: "chat-body" },
      this.list,
      make(
        "form",
        { class: "row", onsubmit: this.#send },
        this.field,
        make("button", { type: "submit", class: "plain" }, t("chat.send")),
      ),
    );
    // On a phone the chat is below the fold: this leads to it, with the number of new messages.
    this.mark = make("button", { type: "button", class: "chat-mark", hidden: true, onclick: () => this.#goTo() });
    this.root = make(
      "section",
      { class: "card chat", "aria-labelledby": "chat-title" },
      make("div", { class: "label-and-error" }, make("h2", { id: "chat-title" }, t("chat.title")), this.wrong, this.spectators, this.off),
      this.body,
    );
    new IntersectionObserver(([entry]) => {
      this.#isVisible = entry?.isIntersecting ?? true;
      if (this.#isVisible) this.#count(0);
    }).observe(this.list);
    this.#turn(this.#isOff);
  }

  /** @param {boolean} isOff whether this browser shows no chat */
  #turn(isOff) {
    this.#isOff = isOff;
    remember("local", "chat", isOff ? "off" : null);
    write(this.off, t(isOff ? "chat.turn_on" : "chat.turn_off"));
    // The place stays, so that nothing moves.
    set(this.body, "inert", isOff);
    set(this.body, "data-off", isOff);
    this.#count(0);
  }

  #switchSpectators() {
    showSpectators(!areSpectatorsShown());
    this.session.listener.changed();
  }

  /** @param {number} unread */
  #count(unread) {
    this.#unread = unread;
    set(this.mark, "hidden", unread === 0);
    write(this.mark, t("chat.unread", { count: unread }));
  }

  #goTo() {
    this.root.scrollIntoView({ block: "end" });
    this.field.focus({ preventScroll: true });
    this.#count(0);
  }

  #send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const message = this.field.value.trim();
    if (!message) return;
    const isSent = this.session.send({ type: "chat", message }, () => this.#return(message));
    if (isSent) this.field.value = "";
    write(this.wrong, isSent ? "" : unsentSentence(this.session.match));
  };

  /** @param {string} message that may not have arrived */
  #return(message) {
    if (this.field.value.trim()) return;
    this.field.value = message;
    this.#returned = message;
    write(this.wrong, unsentSentence(this.session.match));
  }

  /** @param {readonly ChatLine[]} added lines; among them may be one of ours that has arrived after all */
  #keepArrived(added) {
    if (!added.some((line) => line.isOurs && line.text === this.#returned)) return;
    if (this.field.value === this.#returned) this.field.value = "";
    this.#returned = "";
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match }) {
    // A stored game is read-only.
    set(this.root, "hidden", match.game === 0 || (match.stored !== null && match.chat.length === 0));
    if (isConnected(match)) write(this.wrong, "");
    // The place stays, so that nothing moves when the game ends.
    this.spectators.classList.toggle("unsure", !isPlaying(match));
    set(this.spectators, "disabled", !isPlaying(match));
    write(this.spectators, t(areSpectatorsShown() ? "chat.hide_spectators" : "chat.show_spectators"));
    const lines = match.chat.filter((line) => isVisible(match, line.color));
    const added = addedLines(this.#shown, lines);
    this.#shown = lines;
    if (added?.length === 0) return;
    this.#keepArrived(added ?? lines);
    const isAtEnd = this.list.scrollTop + this.list.clientHeight >= this.list.scrollHeight - END_PX;
    if (!added) this.list.replaceChildren();
    for (const line of added ?? lines) {
      this.list.append(
        make(
          "li",
          { "data-side": line.color ?? "spectator", "data-ours": line.isOurs },
          nameText(line.name, "speaker"),
          line.color === null ? make("span", { class: "soft channel" }, t("chat.spectator")) : null,
          make("bdi", { dir: "auto" }, line.text),
        ),
      );
    }
    const unread = (added ?? []).filter((line) => !line.isOurs).length;
    if (unread > 0 && !this.#isVisible && !this.#isOff) this.#count(this.#unread + unread);
    if (isAtEnd || !added) this.list.scrollTop = this.list.scrollHeight;
  }
}

/**
 * The lines that have come since others were shown. After a reconnect the relay sends the last lines again, with those that were missed.
 *
 * @param {readonly ChatLine[]} known
 * @param {readonly ChatLine[]} lines
 * @returns {readonly ChatLine[] | null} `null` if they are no continuation: lines have come between, or are not shown any more
 */
export function addedLines(known, lines) {
  // The oldest lines are dropped only for new ones.
  for (let dropped = 0; dropped < known.length && known.length <= lines.length; dropped += 1) {
    const kept = known.slice(dropped);
    if (kept.every((line, at) => isSame(line, lines[at]))) return lines.slice(kept.length);
  }
  return known.length === 0 ? lines : null;
}

/**
 * @param {ChatLine} one
 * @param {ChatLine | undefined} other
 */
const isSame = (one, other) => one === other || (one.id === other?.id && one.text === other.text && one.color === other.color);
