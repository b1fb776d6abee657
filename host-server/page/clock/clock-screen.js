// A second screen for a game on a wooden board: two large clocks, and the last move.
//
// The code of a board leads to its clocks for good. Its games are in different rooms: the relay says in which one the board plays now.

import { fill, make, nameText, set, write } from "../common/dom.js";
import { LOW_MS, face, left } from "../game/clocks.js";
import { FrameLoop } from "../game/frame-loop.js";
import { GameSession } from "../game/session.js";
import { isChess, isTimed } from "../game/state.js";
import { statusSentence } from "../game/words.js";
import { t } from "../language/language.js";
import { readTable } from "../relay/http.js";

/** How often the relay is asked which game the board plays, unless one is shown that is still played. */
const LOOK_EVERY_MS = 3000;

export class ClockScreen {
  #frames = new FrameLoop(() => this.#tick());
  /** Whether White is below. */
  #isFlipped = false;
  /** Whether the game of the session is followed: before it is known, and while the board plays none, there is nothing to follow. */
  #isFollowing = false;
  /** @type {import("../relay/http.js").BoardTable | null} The board with the code, if it is one. */ #board = null;

  /**
   * @param {string} code of a game or of a board
   * @param {string} name
   */
  constructor(code, name) {
    this.code = code;
    this.name = name;
    this.session = this.#sessionIn(code);
    this.faces = { black: clockFace(), white: clockFace() };
    this.status = make("h1", { class: "clock-status" });
    this.last = make("p", { class: "clock-last", "aria-label": t("clock.last_move") });
    this.flip = make("button", { type: "button", class: "quiet", onclick: () => this.#flip() }, t("clock.flip"));
    this.middle = make("div", { class: "clock-middle" }, this.status, this.last, this.flip);
    this.root = make("div", { class: "clock-screen" }, this.faces.black.root, this.middle, this.faces.white.root);
    this.#keepAwake();
    this.#render();
    this.#findGames();
  }

  /** @param {string} code */
  #sessionIn(code) {
    return new GameSession(code, { token: null, name: this.name, watch: true }, {
      changed: () => this.#render(),
      received: () => {},
      selected: () => {},
      unsent: () => {},
      seated: () => {},
      left: () => {},
    });
  }

  /** Follows the game with the code, or one game after the other on the board with the code. */
  async #findGames() {
    for (;;) {
      if (!this.#isPlayed()) {
        const found = await readTable(this.code).catch((error) => error);
        // A game, or an unknown code, which the session explains. An error of another kind passes.
        if ("phase" in found || found.status === 404) return this.#follow(this.code);
        if ("board" in found) this.#showBoard(found);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  #isPlayed() {
    const { phase, connection } = this.session.match;
    return this.#isFollowing && phase === "playing" && connection.kind === "open";
  }

  /** @param {import("../relay/http.js").BoardTable} board */
  #showBoard(board) {
    this.#board = board;
    const { code, connection } = this.session.match;
    // The rooms under the board's own code follow one another.
    const isOver = connection.kind === "refused" || (connection.kind === "closed" && code === this.code);
    if (board.watch && (!this.#isFollowing || board.watch !== code || isOver)) this.#follow(board.watch);
    else this.#render();
  }

  /** @param {string} code */
  #follow(code) {
    this.session.close();
    this.#isFollowing = true;
    this.session = this.#sessionIn(code);
    this.session.connect();
    this.#render();
  }

  /** What is going on: in the game, or on a board that plays none. */
  #sentence() {
    if (this.#isFollowing || !this.#board) return statusSentence(this.session.match);
    const { board: name, state } = this.#board;
    return state === "offline" ? t("join.board_offline", { name }) : t("status.waiting_for_players");
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
    const sentence = this.#sentence();
    write(this.status, sentence);
    document.title = `${sentence} · Tabiya`;
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
