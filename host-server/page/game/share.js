// The invitation over the board while a seat is open: the link to the game, its code, and the link as a QR code.

import { CopyButton } from "../common/copy-button.js";
import { make, picture, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { isLoopback, whereabouts } from "../relay/http.js";

/** A code that the relay has drawn. Its first six characters lead to the game, until it begins. */
const DRAWN = /^(?=.*\d)(?=.*[A-Z])([2-9A-HJ-NP-Z]{6})[2-9A-HJ-NP-Z]{4}$/;

/**
 * The code that one player reads out to the other.
 *
 * @param {string} code
 */
export const shortCode = (code) => DRAWN.exec(code)?.[1] ?? code;

export class ShareCard {
  /** @param {string} code */
  constructor(code) {
    this.path = `/g/${encodeURIComponent(code)}`;
    this.field = make("input", { type: "text", class: "link", readonly: true, "aria-label": t("share.link") });
    this.field.addEventListener("focus", () => this.field.select());
    this.qr = make("img", { class: "qr", alt: t("share.qr"), width: 148, height: 148 });
    this.reach = make("p", { class: "soft" }, isLoopback ? "\u00a0" : null);
    const share = () => void navigator.share({ title: "Tabiya", url: this.field.value }).catch(() => {});
    const canShare = typeof navigator.share === "function";
    this.more = make(
      "div",
      { class: "share-more" },
      this.qr,
      make(
        "div",
        {},
        make("p", { class: "soft" }, t("share.code")),
        make("p", { class: "code", "data-code": code }, shortCode(code)),
        canShare
          ? make("button", { type: "button", class: "plain", onclick: share }, picture("sign-share"), t("share.button"))
          : null,
      ),
    );
    this.root = make(
      "section",
      { class: "card share", "aria-labelledby": "share-title" },
      make("h2", { id: "share-title" }, t("share.title")),
      make("p", { class: "soft explained" }, t("share.explained")),
      make("div", { class: "row" }, this.field, new CopyButton(t("share.copy"), () => this.field.value, "main").root),
      this.reach,
      this.more,
    );
    this.#show(location.origin);
    if (isLoopback) this.#findNetworkAddress();
  }

  /** @param {string} origin */
  #show(origin) {
    this.field.value = new URL(this.path, origin).href;
    set(this.qr, "src", `/qr.svg?link=${encodeURIComponent(this.field.value)}`);
  }

  async #findNetworkAddress() {
    // Where the code is depends on the answer. It is hidden until then, so that it does not move in sight.
    this.more.classList.add("unsure");
    const { nearby } = await whereabouts().catch(() => ({ nearby: null }));
    if (nearby) this.#show(nearby);
    // No other device could use it. Its place is kept.
    this.qr.classList.toggle("unsure", !nearby);
    this.more.classList.remove("unsure");
    write(this.reach, t(nearby ? "share.network" : "share.computer"));
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match: { phase, color, connection } }) {
    set(this.root, "hidden", phase !== "waiting" || color === null || connection.kind === "refused");
  }
}
