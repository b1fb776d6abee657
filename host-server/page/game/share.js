// How others come in: the link, the code, and the link as a picture for a telephone.

import { copyButton } from "../common/copy-button.js";
import { make, picture, set, write } from "../common/dom.js";
import { whereabouts } from "../relay/http.js";

/** Who sits at the relay's own machine calls it by a name that means something else everywhere else. */
const isAtHome = /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);

/** @param {string} code */
export function shareCard(code) {
  const path = `/g/${encodeURIComponent(code)}`;
  let link = new URL(path, location.origin).href;
  const field = make("input", { type: "text", class: "link", readonly: true, "aria-label": "Link to this game" });
  field.addEventListener("focus", () => field.select());
  const qr = make("img", { class: "qr", alt: "The link as a QR code", width: 148, height: 148 });
  const reach = make("p", { class: "soft" }, isAtHome ? "\u00a0" : null);
  const share = () => void navigator.share({ title: "Tabiya", url: link }).catch(() => {});
  const canShare = typeof navigator.share === "function";
  show();
  if (isAtHome) lookAround();

  function show() {
    field.value = link;
    set(qr, "src", `/qr.svg?link=${encodeURIComponent(link)}`);
  }

  async function lookAround() {
    const { nearby } = await whereabouts().catch(() => ({ nearby: null }));
    if (nearby) link = new URL(path, nearby).href;
    write(reach, nearby ? "It works for everybody on the same network." : "It works on this computer only.");
    show();
  }

  return make(
    "section",
    { class: "card share", "aria-labelledby": "share-title" },
    make("h2", { id: "share-title" }, "Invite somebody"),
    make("p", { class: "soft explained" }, "Whoever opens this link plays against you. Everybody after that watches."),
    make(
      "div",
      { class: "row" },
      field,
      copyButton("Copy link", () => link, "main"),
    ),
    reach,
    make(
      "div",
      { class: "share-more" },
      qr,
      make(
        "div",
        {},
        make("p", { class: "soft" }, "Or say the code:"),
        make("p", { class: "code", "data-code": code }, code),
        canShare
          ? make("button", { type: "button", class: "plain", onclick: share }, picture("sign-share"), "Share …")
          : null,
      ),
    ),
  );
}
