// A second screen for a game on a wooden board: two large clocks, and the last move.

import { fill, make, nameText, set, write } from "../common/dom.js";
import { LOW_MS, face, left } from "../game/clocks.js";
import { FrameLoop } from "../game/frame-loop.js";
import { GameSession } from "../game/session.js";
import { isChess, isTimed } from "../game/state.js";
import { statusSentence } from "../game/words.js";
import { t } from "../language/language.js";

export class ClockScreen {
  #frames = new FrameLoop(() => this.#tick());
  /** Whether White is below. */
  #isFlipped = false;

  /**
   * @param {string} code
   * @param {string} name
   */
  constructor(code, name) {
    this.session = new GameSession(code, { token: null, name, watch: true }, {
      changed: () => this.#render(),
      received: () => {},
      selected: () => {},
      unsent: () => {},
      seated: () => {},
      unseated: () => {},
      left: () => {},
    });
    this.faces = { black: clockFace(), white: clockFace() };
    this.status = make("h1", { class: "clock-status" });
    this.last = make("p", { class: "clock-last", "aria-label": t("clock.last_move") });
    this.flip = make("button", { type: "button", class: "quiet", onclick: () => this.#flip() }, t("clock.flip"));
    this.middle = make("div", { class: "clock-middle" }, this.status, this.last, this.flip);
    this.root = make("div", { class: "clock-screen" }, this.faces.black.root, this.middle, this.faces.white.root);
    this.session.connect();
    this.#keepAwake();
    this.#render();
  }

  #flip() {
    this.#isFlipped = !this.#isFlipped;
    const [top, bottom] = this.#isFlipped ? [this.faces.white, this.faces.black] : [this.faces.black, this.faces.white];
    this.root.replaceChildren(top.root, this.middle, bottom.root);
  }

  /** The screen of a telephone beside the board stays on, where the browser can do that. */
  #keepAwake() {
    const lock = () => void navigator.wakeLock?.request("screen").catch(() => {});
    document.addEventListener("visibilitychange", () => document.hidden || lock());
    lock();
  }

  #render() {
    const { match } = this.session;
    set(this.root, "data-joined", match.isJoined);
    write(this.status, statusSentence(match));
    document.title = `${statusSentence(match)} · Tabiya`;
    const ply = match.plies.at(-1);
    const number = Math.ceil(match.plies.length / 2);
    const move = ply && (isChess(match) ? ply.san : ply.uci);
    write(this.last, ply ? `${number}${ply.color === "white" ? "." : " …"} ${move}` : "\u00a0");
    for (const color of /** @type {const} */ (["white", "black"])) {
      const { root, name } = this.faces[color];
      const player = match.players[color]?.name ?? match.left[color] ?? t("player.open_seat");
      fill(name, nameText(player, "name"));
      set(root, "data-turn", match.phase === "playing" && match.turn === color);
      set(root, "data-side", color);
    }
    this.#tick();
    this.#frames.run(isTimed(match));
  }

  #tick() {
    const { match, time } = this.session;
    const since = match.clock ? time.since(match.clock, performance.now()) : 0;
    for (const color of /** @type {const} */ (["white", "black"])) {
      const { figure, root } = this.faces[color];
      const ms = match.clock ? left(match.clock, color, since) : (match.timeControl?.baseMs ?? null);
      write(figure, ms === null ? t("noun.no_clock") : face(ms));
      set(figure, "data-words", ms === null);
      set(root, "data-low", ms !== null && match.phase === "playing" && ms < LOW_MS);
    }
  }
}

function clockFace() {
  const name = make("p", { class: "clock-name" });
  const figure = make("p", { class: "clock-figure", role: "timer" });
  return { name, figure, root: make("section", { class: "clock-half" }, name, figure) };
}
