// The screen of a game: lays out its views, renders them when the session changes, and updates the timed ones while time matters.

import { announce } from "../common/announce.js";
import { make, set } from "../common/dom.js";
import { keepGame } from "../common/own-games.js";
import { play } from "../common/sound.js";
import { challengedBoard } from "../lobby/challenge.js";
import { forgetSeat, keepSeat } from "../relay/seat.js";
import { Actions } from "./actions.js";
import { AnalysisView } from "./analysis.js";
import { Banner } from "./banner.js";
import { ChallengeCard } from "./challenge-card.js";
import { Chat } from "./chat.js";
import { Countdown } from "./countdown.js";
import { ExportView } from "./export.js";
import { FrameLoop } from "./frame-loop.js";
import { Freeze } from "./freeze.js";
import { GameBoard } from "./game-board.js";
import { Headline } from "./headline.js";
import { LowTimeWarning } from "./low-time.js";
import { MovesList } from "./moves-list.js";
import { Notice } from "./notice.js";
import { OffersView } from "./offers.js";
import { PlayerStrip } from "./player-strip.js";
import { PromotionDialog } from "./promotion.js";
import { messageReaction, selectionReaction } from "./reactions.js";
import { ResultView } from "./result.js";
import { GameSession } from "./session.js";
import { ShareCard } from "./share.js";
import { isTimed } from "./state.js";
import { TypedMove } from "./typed-move.js";
import { viewState } from "./view-state.js";

/**
 * @typedef {import("./view-state.js").View} View
 * @typedef {import("../relay/game-connection.js").Participant} Participant
 */

/**
 * The card over the board while a player is missing.
 *
 * @param {string} code
 */
function invitation(code) {
  const board = challengedBoard(code);
  return board ? new ChallengeCard(code, board) : new ShareCard(code);
}

/** @type {Record<string, import("./selection.js").ReviewStep>} */
const REVIEW_KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "now" };

export class GameScreen {
  /** @type {GameSession} */ #session;
  /** @type {readonly View[]} */ #views;
  /** The room, the game in it and the colour that are remembered for the list of games. */
  #kept = "";
  #frames = new FrameLoop(() => this.#tick());

  /**
   * @param {string} code
   * @param {Participant} participant
   */
  constructor(code, participant) {
    const session = new GameSession(code, participant, {
      changed: () => this.#render(),
      received: (before, message) => this.#react(messageReaction(before, session.match, message)),
      selected: (before) => this.#react(selectionReaction(session.match, before, session.selection)),
      unsent: (sentence) => announce(sentence, "assertive"),
      seated: (token) => keepSeat(code, token),
      left: () => {
        forgetSeat(code);
        location.assign("/");
      },
    });
    this.#session = session;
    const rejoin = (/** @type {boolean} */ watch) => () => {
      forgetSeat(code);
      session.connect({ ...participant, token: null, watch });
    };
    const [top, bottom] = [new PlayerStrip("top"), new PlayerStrip("bottom")];
    const [board, countdown, share] = [new GameBoard(session), new Countdown(), invitation(code)];
    const freeze = new Freeze();
    const [typed, result] = [new TypedMove(session), new ResultView()];
    const [headline, notice, actions] = [new Headline(), new Notice(typed), new Actions(session)];
    const ways = { retry: () => session.retry(), watch: rejoin(true), takeSeat: rejoin(false) };
    const banner = new Banner(ways, share instanceof ChallengeCard);
    const [moves, offers] = [new MovesList(session), new OffersView(session)];
    const [chat, exports, analysis] = [new Chat(session), new ExportView(session), new AnalysisView(session)];
    // It appears at the end of the last card, where it moves nothing.
    exports.root.append(analysis.root);
    const box = make("div", { class: "board-box" }, board.root, countdown.root, freeze.root, share.root);
    const input = make("div", { class: "input-or-result" }, typed.root, result.root);
    this.root = make(
      "div",
      { class: "game" },
      make("div", { class: "board-column" }, top.root, box, bottom.root),
      make(
        "div",
        { class: "panel" },
        make("div", { class: "head" }, headline.status, headline.facts, notice.root),
        actions.root,
        make(
          "div",
          { class: "moves-place" },
          moves.root,
          make("div", { class: "overlays" }, banner.root, offers.root),
        ),
        input,
        chat.root,
        exports.root,
      ),
      chat.mark,
    );
    /** @type {View} */
    const frame = {
      render: ({ match, isReview }) => {
        const game = `${match.room} ${match.game} ${match.color}`;
        if (match.room && match.color && !match.stored && game !== this.#kept) {
          this.#kept = game;
          keepGame(match.code, match.room, match.color, match.game);
        }
        set(this.root, "data-phase", match.phase);
        set(this.root, "data-role", match.color ? "player" : "spectator");
        set(this.root, "data-joined", match.isJoined);
        set(this.root, "data-review", isReview);
      },
    };
    const promotion = new PromotionDialog(box, session);
    this.#views = [
      frame,
      board,
      top,
      bottom,
      countdown,
      freeze,
      share,
      headline,
      // It has to know whether the field for typed moves shows an error.
      typed,
      notice,
      banner,
      offers,
      actions,
      moves,
      result,
      chat,
      exports,
      analysis,
      promotion,
      new LowTimeWarning(),
    ];
    document.addEventListener("keydown", this.#press);
    session.connect();
    this.#render();
  }

  #state() {
    return viewState(this.#session.match, this.#session.selection);
  }

  #render() {
    const state = this.#state();
    for (const view of this.#views) view.render(state);
    this.#tick();
    this.#frames.run(isTimed(state.match));
  }

  #tick() {
    const state = this.#state();
    const now = performance.now();
    const { clock } = state.match;
    const moment = { now, sinceClock: clock ? this.#session.time.since(clock, now) : 0 };
    for (const view of this.#views) view.tick?.(state, moment);
  }

  /** @param {import("./reactions.js").Reaction | null} reaction */
  #react(reaction) {
    if (reaction?.sound) play(reaction.sound);
    if (reaction?.sentence) announce(reaction.sentence, reaction.isUrgent ? "assertive" : "polite");
  }

  #press = (/** @type {KeyboardEvent} */ event) => {
    const isInField = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
    if (isInField || event.ctrlKey || event.altKey || event.metaKey) return;
    const step = REVIEW_KEYS[event.key];
    if (step) this.#session.review(step);
    else if (event.key === "Escape") this.#session.cancel();
    else return;
    event.preventDefault();
  };
}
