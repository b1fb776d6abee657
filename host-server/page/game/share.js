// How others come in: the link, the code, and the link as a picture for a telephone.

import { copyButton } from "../common/copy-button.js";
import { make, picture } from "../common/dom.js";

/**
 * Where others find this game. At `localhost` nobody else does; then it is the relay's address on the network, if it knows.
 *
 * @param {string} code
 */
export function gameLink(code) {
  const nearby = document.querySelector('meta[name="tabiya-nearby"]')?.getAttribute("content");
  return new URL(`/g/${encodeURIComponent(code)}`, nearby || location.origin).href;
}

/** @param {string} code */
export function shareCard(code) {
  const link = gameLink(code);
  const field = make("input", { type: "text", class: "link", readonly: true, value: link, "aria-label": "Link to this game" });
  field.addEventListener("focus", () => field.select());
  const share = typeof navigator.share === "function" ? () => void navigator.share({ title: "Tabiya", url: link }).catch(() => {}) : null;
  return make(
    "section",
    { class: "card share", "aria-labelledby": "share-title" },
    make("h2", { id: "share-title" }, "Invite somebody"),
    make("p", { class: "soft" }, "Whoever opens this link plays against you. Everybody after that watches."),
    make("div", { class: "row" }, field, copyButton("Copy link", () => link, "main")),
    make(
      "div",
      { class: "share-more" },
      make("img", {
        class: "qr",
        src: `/qr.svg?link=${encodeURIComponent(link)}`,
        alt: "The link as a QR code",
        width: 148,
        height: 148,
      }),
      make(
        "div",
        {},
        make("p", { class: "soft" }, "Or say the code:"),
        make("p", { class: "code", "data-code": code }, code),
        share ? make("button", { type: "button", class: "plain", onclick: share }, picture("sign-share"), "Share …") : null,
      ),
    ),
  );
}
