// The card about the board: its connection, the players, and the link to challenge it.

import { colorName } from "../board/colors.js";
import { CopyButton } from "../common/copy-button.js";
import { fill, make, nameText, set, write } from "../common/dom.js";
import { t, tNodes } from "../language/language.js";
import { isLoopback, whereabouts } from "../relay/http.js";

/**
 * @typedef {import("../relay/panel-messages.js").BoardState} BoardState
 * @typedef {Pick<BoardState, "seat" | "white" | "black">} Seating
 */

export class Report {
  #shown = "";
  /** @type {Seating | null} The last one known. */ #seating = null;

  /** @param {HTMLElement} card */
  constructor(card) {
    this.card = card;
  }

  /** @param {BoardState} state */
  show(state) {
    const { power, network, online, plies, seat, white, black, code, relay } = state;
    // Without power, and while a game is sent to the board, the last seating stays: nothing below it moves.
    if (plies !== null) this.#seating = { seat, white, black };
    // The card is rebuilt only for what it shows, so that a button in it can be clicked while pieces move.
    const key = JSON.stringify([power, network, online, this.#seating, code, relay]);
    if (key === this.#shown) return;
    this.#shown = key;
    const [signal, words] = connection(state);
    fill(
      this.card,
      make(
        "p",
        { class: "connection", id: "connection" },
        make("span", { class: `signal ${signal}`, "aria-hidden": "true" }),
        words,
      ),
      this.#seating && players(this.#seating),
      challenge(state),
    );
  }
}

/**
 * @param {BoardState} state
 * @returns {[string, string]}
 */
function connection({ power, network, online }) {
  if (!power) return ["off", t("report.no_power")];
  if (!network) return ["off", t("report.unplugged")];
  if (online === null) return ["", t("report.emulator")];
  return online ? ["on", t("report.connected")] : ["off", t("report.connecting")];
}

/** @param {Seating} seating */
function players(seating) {
  const row = (/** @type {"white" | "black"} */ color) => {
    const name = seating[color];
    const isHere = seating.seat === "both" || seating.seat === color;
    const you = name && isHere ? make("span", { class: "here" }, t("noun.you")) : null;
    return make(
      "div",
      { class: "player" },
      make("dt", {}, make("span", { class: `disc ${color}`, "aria-hidden": "true" }), colorName(color)),
      make("dd", {}, name ? nameText(name) : t(isHere ? "noun.you" : "report.open_seat"), you),
    );
  };
  return make("dl", { class: "players" }, row("white"), row("black"));
}

/**
 * The clocks of the game, for a telephone beside the board.
 *
 * @param {string} path
 */
function secondScreen(path) {
  const qr = make("img", { class: "clock-qr", alt: t("clock.qr"), width: 120, height: 120 });
  const link = make("a", { target: "_blank", rel: "noopener" });
  const show = (/** @type {string} */ origin) => {
    const url = new URL(path, origin).href;
    // A telephone cannot reach the loopback address of this computer.
    set(qr, "hidden", isLoopback && origin === location.origin);
    set(qr, "src", `/qr.svg?link=${encodeURIComponent(url)}`);
    set(link, "href", url);
    write(link, url.replace(/^https?:\/\//, ""));
  };
  show(location.origin);
  if (isLoopback) whereabouts().then(({ nearby }) => nearby && show(nearby), () => {});
  return make(
    "details",
    { class: "second-screen" },
    make("summary", {}, t("clock.second_screen")),
    make("p", { class: "soft" }, t("clock.explained")),
    make("p", { class: "address" }, link),
    qr,
  );
}

/** @param {BoardState} state */
function challenge({ relay, code }) {
  if (relay && !code) {
    const link = make("a", { href: relay, target: "_blank", rel: "noopener" }, relay);
    return make("p", { class: "challenge" }, make("span", {}, ...tNodes("report.relay", { link })));
  }
  if (!code) return null;
  const path = `/g/${encodeURIComponent(code)}`;
  const url = new URL(path, relay ?? location.href).href;
  const link = make("a", { href: relay ? url : path, target: "_blank", rel: "noopener", id: "challenge" }, url.replace(/^https?:\/\//, ""));
  return make(
    "div",
    { class: "challenge" },
    make("p", {}, t("report.challenge")),
    make("p", { class: "address" }, link),
    new CopyButton(t("share.copy"), () => url).root,
    // The address of the relay may be one of this computer only, which a telephone cannot reach.
    relay ? null : secondScreen(`${path}?clock`),
  );
}
