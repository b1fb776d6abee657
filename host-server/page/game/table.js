// A match on the screen: what the relay says goes into the state, the state into the views, and what people do back to
// the relay.

import { announce } from "../common/announce.js";
import { make, set, write } from "../common/dom.js";
import { play } from "../common/sound.js";
import { material } from "../board/material.js";
import { attachPointer } from "../board/pointer.js";
import { other } from "../board/squares.js";
import { BoardView } from "../board/view.js";
import { Line } from "../relay/line.js";
import { forgetSeat, keepSeat } from "../relay/seat.js";
import { Actions } from "./actions.js";
import { Aftermath } from "./aftermath.js";
import { Banner } from "./banner.js";
import { Chat } from "./chat.js";
import { EMPTY_DESK, carry, choose, follow, forget, isOurs, look, promote, withPending } from "./choosing.js";
import { LOW_MS, RelayTime, ruleText } from "./clocks.js";
import { Countdown } from "./countdown.js";
import { MovesList } from "./moves-list.js";
import { Notice } from "./notice.js";
import { OffersView } from "./offers.js";
import { PlayerStrip } from "./player-strip.js";
import { promotionDialog } from "./promotion.js";
import { reaction } from "./reactions.js";
import { RecordView } from "./record.js";
import { shareCard } from "./share.js";
import { hear, isOurTurn, kingOf, lament, lineChanged, newMatch, seenAt, targets } from "./state.js";
import { TypedMove } from "./typed-move.js";
import { UNCERTAIN, colorName, lookSentence, statusSentence, unsentSentence } from "./words.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {import("./choosing.js").Desk} Desk
 * @typedef {import("../relay/line.js").Caller} Caller
 * @typedef {import("../board/squares.js").Color} Color
 */

export class Table {
  /** @type {Line | null} */ #line = null;
  /** @type {Match} */ #match;
  /** @type {Desk} */ #desk = EMPTY_DESK;
  #time = new RelayTime();
  #hasWarned = false;
  #isLeaving = false;

  /**
   * @param {string} code
   * @param {Caller} caller
   */
  constructor(code, caller) {
    this.code = code;
    this.caller = caller;
    this.#match = newMatch(code);
    const say = (/** @type {object} */ message) => this.#say(message);
    this.board = new BoardView({
      chosen: (square) => this.#choose(square),
      cancelled: () => this.#set(forget(this.#desk)),
    });
    attachPointer(this.board, {
      canLift: (square) => this.#desk.looking === null && isOurs(this.#match, square),
      lifted: (square) => this.#set({ ...this.#desk, selected: square, premove: null }),
      chosen: (square) => this.#choose(square),
      carried: (from, to) => this.#set(carry(this.#match, this.#desk, { from, to })),
    });
    this.strips = { top: new PlayerStrip(), bottom: new PlayerStrip() };
    this.status = make("h1", { class: "status", "data-status": true });
    this.facts = make("p", { class: "facts soft" });
    this.notice = new Notice();
    this.banner = new Banner({
      retry: () => this.#retry(this.#line?.caller ?? this.caller),
      watch: () => this.#retry({ ...this.caller, token: null, watch: true }),
      joinAnew: () => this.#retry({ ...this.caller, token: null, watch: false }),
    });
    this.offers = new OffersView(say);
    this.actions = new Actions(say, { turn: () => this.#turn(), leave: () => this.#leave() });
    this.moves = new MovesList((where) => this.#look(where));
    this.typed = new TypedMove(say);
    this.aftermath = new Aftermath();
    this.typedPlace = make("div", { class: "typed-place" }, this.typed.root, this.aftermath.root);
    this.record = new RecordView();
    this.chat = new Chat(say);
    this.share = shareCard(code);
    this.countdown = new Countdown();
    const box = make("div", { class: "board-box" }, this.board.root, this.countdown.root, this.share);
    this.promotion = promotionDialog(box, (choice) =>
      this.#set(choice ? promote(this.#match, this.#desk, choice) : { ...this.#desk, promoting: null }),
    );
    this.root = make(
      "div",
      { class: "table", "data-phase": "waiting" },
      make("div", { class: "board-column" }, this.strips.top.root, box, this.strips.bottom.root),
      make(
        "div",
        { class: "panel" },
        make("div", { class: "head" }, this.status, this.facts, this.notice.root),
        this.actions.root,
        make(
          "div",
          { class: "moves-place" },
          this.moves.root,
          make("div", { class: "asides" }, this.banner.root, this.offers.root),
        ),
        this.typedPlace,
        this.chat.root,
        this.record.root,
      ),
    );
    document.addEventListener("keydown", this.#press);
    this.#connect(caller);
    this.#render();
    requestAnimationFrame(this.#tick);
  }

  /** @param {Caller} caller */
  #connect(caller) {
    this.#line = new Line(this.code, caller, {
      heard: (message, at) => {
        if (message.type === "pong") this.#time.answered(message.at, at);
        const before = this.#match;
        this.#update(hear(before, message, at));
        const heard = reaction(before, this.#match, message);
        if (heard?.sound) play(heard.sound);
        if (heard?.say) announce(heard.say, heard.isUrgent ? "assertive" : "polite");
      },
      asked: (at) => this.#time.asked(at),
      changed: (line) => {
        if (this.#isLeaving && line.kind !== "open") return location.assign("/");
        const isCut = line.kind === "away" && this.#desk.pending !== null;
        this.#update(lineChanged(this.#match, line));
        if (isCut) this.#lament(UNCERTAIN);
      },
      seated: (token) => keepSeat(this.code, token),
    });
  }

  /** @param {Caller} caller */
  #retry(caller) {
    if (this.#match.line.kind === "away") return this.#line?.hurry();
    if (caller.token === null) forgetSeat(this.code);
    this.#line?.hangUp();
    this.#connect(caller);
  }

  /** @param {Match} match */
  #update(match) {
    const before = this.#match;
    if (match === before) return;
    this.#match = match;
    if (match.game !== before.game) this.#hasWarned = false;
    this.#set(follow(before, match, this.#desk));
  }

  /** @param {Desk} desk */
  #set(desk) {
    const before = this.#desk;
    this.#desk = desk;
    if (desk.pending && desk.pending !== before.pending) {
      const { from, to, promotion, ply } = desk.pending;
      const isSaid = this.#say({ type: "move", start: from, end: to, ...(promotion ? { promotion } : {}), ply });
      if (!isSaid) this.#desk = { ...desk, pending: null };
    }
    if (desk.premove && desk.premove !== before.premove) {
      announce(`Planned: ${desk.premove.from} to ${desk.premove.to}. Escape cancels.`);
    }
    if (desk.selected && desk.selected !== before.selected) {
      const there = targets(this.#match, desk.selected);
      if (isOurTurn(this.#match)) announce(there.length ? `Can go to ${there.join(", ")}.` : "This piece cannot move.");
    }
    this.#render();
  }

  /** @param {string} square */
  #choose(square) {
    this.#set(choose(this.#match, this.#desk, square));
  }

  /** @param {"first" | "back" | "on" | "now" | number} where */
  #look(where) {
    const before = this.#desk.looking;
    this.#set(look(this.#match, this.#desk, where));
    const { looking } = this.#desk;
    if (looking !== before) announce(lookSentence(this.#match, looking));
  }

  #turn() {
    this.#set({ ...this.#desk, isTurned: !this.#desk.isTurned });
  }

  /** Leaves for good. The relay hangs up when it has heard; who goes before that may not have been heard. */
  #leave() {
    if (!this.#say({ type: "leave" })) return;
    forgetSeat(this.code);
    this.#isLeaving = true;
    setTimeout(() => location.assign("/"), 2000);
  }

  /**
   * Tells the relay, or the one who wanted to.
   *
   * @param {object} message
   * @returns {boolean} whether the relay was told
   */
  #say(message) {
    const isSaid = this.#line?.say(message) ?? false;
    if (!isSaid) this.#lament(unsentSentence(this.#match));
    return isSaid;
  }

  /** @param {string} sentence */
  #lament(sentence) {
    this.#update(lament(this.#match, sentence));
    announce(sentence, "assertive");
  }

  #press = (/** @type {KeyboardEvent} */ event) => {
    const isElsewhere = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
    if (isElsewhere || event.ctrlKey || event.altKey || event.metaKey) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.#look("back"),
      ArrowRight: () => this.#look("on"),
      Home: () => this.#look("first"),
      End: () => this.#look("now"),
      Escape: () => this.#set(forget(this.#desk)),
    };
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  };

  /** @returns {Color} */
  #bottom() {
    const own = this.#match.color ?? "white";
    return this.#desk.isTurned ? other(own) : own;
  }

  #render() {
    const [match, desk] = [this.#match, this.#desk];
    const bottom = this.#bottom();
    const seen = seenAt(match, desk.looking);
    const isNow = desk.looking === null;
    // Our own wood we see ourselves.
    const woods = isNow ? Object.entries(match.wood).filter(([color]) => color !== match.color) : [];
    this.board.render({
      board: isNow ? withPending(seen.board, desk) : seen.board,
      bottom,
      last: seen.uci,
      checked: seen.check ? kingOf(seen.board, seen.check) : -1,
      selected: desk.selected,
      targets: isNow && desk.selected && isOurTurn(match) ? targets(match, desk.selected) : [],
      premove: isNow ? desk.premove : null,
      inHand: woods.flatMap(([, wood]) => wood.inHand),
      astray: woods.flatMap(([, wood]) => wood.astray),
      isLive: isNow && match.phase === "playing" && match.color !== null,
      label: `Chessboard, ${colorName(bottom)} below`,
    });
    const taken = material(match.startBoard, seen.board);
    this.strips.top.render(match, other(bottom), taken);
    this.strips.bottom.render(match, bottom, taken);
    set(this.root, "data-phase", match.phase);
    set(this.root, "data-role", match.color ? "player" : "spectator");
    set(this.root, "data-greeted", match.isGreeted);
    set(this.root, "data-looking", !isNow);
    write(this.status, isNow ? statusSentence(match) : "Looking back");
    const watching = match.watching > 0 ? ` · ${match.watching} watching` : "";
    const role = match.isGreeted && !match.color ? "You are watching · " : "";
    write(
      this.facts,
      match.isGreeted
        ? `${role}${match.game > 1 ? `Game ${match.game} · ` : ""}${ruleText(match.rule)}${watching}`
        : " ",
    );
    set(this.share, "hidden", match.phase !== "waiting" || match.color === null || match.line.kind === "refused");
    // Before it is known how things are, nothing is shown that would have to make room for it.
    set(this.actions.root, "hidden", !match.isGreeted);
    for (const part of [this.moves, this.chat, this.record]) set(part.root, "hidden", match.game === 0);
    this.notice.render(match);
    this.banner.render(match);
    this.offers.render(match);
    this.actions.render(match);
    this.moves.render(match, desk.looking);
    // A player's table has room for it at all times, so that nothing jumps about when it is needed.
    set(this.typedPlace, "hidden", match.isGreeted && match.color === null);
    this.typed.render(match);
    this.aftermath.render(match);
    this.record.render(match, desk.looking);
    this.chat.render(match);
    this.promotion.render(desk.promoting ? match.color : null);
    this.#show();
    const title = isOurTurn(match) ? "Your move" : statusSentence(match);
    document.title = `${title} · Tabiya`;
  }

  /** What changes by itself is drawn as often as anything can be seen. */
  #tick = () => {
    const { clock, phase, players } = this.#match;
    const isAway = Object.values(players).some((player) => player && player.awayUntil !== null);
    if (clock?.running || phase === "counting" || isAway) this.#show();
    requestAnimationFrame(this.#tick);
  };

  #show() {
    const now = performance.now();
    const match = this.#match;
    const bottom = this.#bottom();
    const since = match.clock ? this.#time.since(match.clock, now) : 0;
    const leftOnTop = this.strips.top.tick(match, other(bottom), since, now);
    const leftBelow = this.strips.bottom.tick(match, bottom, since, now);
    const ours = match.color && (match.color === bottom ? leftBelow : leftOnTop);
    if (ours !== null && ours < LOW_MS && !this.#hasWarned && match.phase === "playing") {
      this.#hasWarned = true;
      play("warn");
      announce("Twenty seconds left.", "assertive");
    }
    this.countdown.tick(match.phase === "counting" ? match.beginsAt : null, now);
  }
}
