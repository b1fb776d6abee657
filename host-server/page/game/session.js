// A match that is played or watched: holds its state, the selection and the connection, and knows nothing of the document.

import { GameConnection } from "../relay/game-connection.js";
import { RelayTime } from "./clocks.js";
import { applyMessage, connectionChanged, messageUnsent, unconfirmedChanged } from "./reducer.js";
import { NOTHING_SELECTED, NOT_STORED, cancel, choose, drag, follow, isOurs, promote, review } from "./selection.js";
import { LOST, UNSENT, isChess, isOurTurn, isPlaying, newMatch } from "./state.js";
import { unsentSentence } from "./words.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {import("./selection.js").Selection} Selection
 * @typedef {import("../relay/game-connection.js").Participant} Participant
 * @typedef {import("../relay/game-messages.js").Message} Message
 *
 * @typedef {object} SessionListener
 * @property {() => void} changed match or selection
 * @property {(before: Match, message: Message) => void} received a message was applied
 * @property {(before: Selection) => void} selected the user has changed the selection
 * @property {(sentence: string) => void} unsent
 * @property {(token: string, room: string) => void} seated
 * @property {() => void} left the relay has confirmed that we gave up our seat
 *
 * @typedef {{ ping: number | null, lost: () => void }} Unanswered a sent message: the number of a ping that was sent after it, and what to do
 *   if the connection is lost before that is answered
 */

/** How long to wait before a move that could not be stored is sent again. */
const RESEND_AFTER_MS = 1000;

/** A move that is not confirmed after this time is shown as being sent. The connection is probed then, as after every message. */
const CONFIRM_WITHIN_MS = 1000;
/** Between two probes of the connection. */
const PROBE_EVERY_MS = 4000;

export class GameSession {
  /** @type {GameConnection | null} */ #connection = null;
  #isLeaving = false;
  /** @type {{ message: object, game: number, position: string } | null} A sent move, and the position in which it was made. */
  #unconfirmed = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #probes;
  /** Whether the connection was lost after the move was sent. */
  #mustResend = false;
  /** @type {Unanswered[]} Messages that the relay may not have received. Those of moves are sent again instead. */ #unanswered = [];
  /** How many pings of this connection were sent, and how many were answered. */
  #pings = 0;
  #pongs = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #arrival;
  time = new RelayTime();
  /** @type {Selection} */ selection = NOTHING_SELECTED;

  /**
   * @param {string} code
   * @param {Participant} participant
   * @param {SessionListener} listener
   */
  constructor(code, participant, listener) {
    this.participant = participant;
    this.listener = listener;
    this.match = newMatch(code);
  }

  connect(participant = this.participant) {
    this.#connection?.close();
    this.#connection = new GameConnection(this.match.code, participant, {
      received: (message, at) => {
        if (message.type === "pong") {
          this.time.answered(message.at, at);
          this.#ponged();
        }
        if (message.type === "error" && message.status_code !== NOT_STORED) this.#settle();
        const before = this.match;
        this.#update(applyMessage(before, message, at));
        if (message.type === "error" && message.status_code === NOT_STORED) this.#resendLater();
        if (message.type === "game_state") this.#resendAfterReconnect();
        this.listener.received(before, message);
      },
      pinged: (at) => {
        this.#pings += 1;
        this.time.asked(at);
      },
      changed: (state) => {
        if (this.#isLeaving && state.kind === "closed") return this.listener.left();
        if (state.kind !== "open") this.#mustResend = this.#unconfirmed !== null;
        if (state.kind === "refused" || state.kind === "closed") this.#settle();
        this.#update(connectionChanged(this.match, state, performance.now()));
        if (state.kind !== "open") this.#disconnected(state.kind === "reconnecting");
      },
      seated: (token, room) => this.listener.seated(token, room),
    });
  }

  /** Ends the connection. Nothing is reported any more. */
  close() {
    this.#settle();
    clearTimeout(this.#arrival);
    this.#connection?.close();
  }

  /** Connects at once, as the same participant. */
  retry() {
    if (this.match.connection.kind === "reconnecting") this.#connection?.retryNow();
    else this.connect(this.#connection?.participant);
  }

  /** @param {Match} match */
  #update(match) {
    const before = this.match;
    if (match === before) return;
    this.match = match;
    const made = this.#unconfirmed;
    if (made && (match.game !== made.game || match.now.id !== made.position || match.phase !== "playing")) this.#settle();
    this.#select(follow(before, match, this.selection));
  }

  /**
   * Sets the selection, and sends a move that has become pending.
   *
   * @param {Selection} selection
   */
  #select(selection) {
    const before = this.selection;
    this.selection = selection;
    const { pending } = selection;
    if (pending && pending !== before.pending && !this.#sendMove(pending)) {
      this.selection = { ...selection, pending: null };
    }
    if (selection.square && selection.square !== before.square) this.#askForPremoves();
    if (selection !== before) this.listener.selected(before);
    this.listener.changed();
  }

  /**
   * Sends a move. The number of the ply makes it safe to send it twice.
   *
   * @param {NonNullable<Selection["pending"]>} pending
   */
  #sendMove({ from, to, promotion, ply }) {
    return this.#deliver({ type: "move", start: from, end: to, ...(promotion ? { promotion } : {}), ply });
  }

  /** A piece is selected while the opponent is to move: the relay knows where it could go. */
  #askForPremoves() {
    const { match } = this;
    if (isPlaying(match) && isChess(match) && !isOurTurn(match) && match.premoves?.position !== match.now.id) {
      this.#connection?.send({ type: "premoves" });
    }
  }

  /** Sends the last move again after a pause, unless it was confirmed or dropped meanwhile. */
  #resendLater() {
    const made = this.#unconfirmed;
    if (!made) return;
    setTimeout(() => {
      if (this.#unconfirmed === made) this.#deliver(made.message);
    }, RESEND_AFTER_MS);
  }

  /**
   * Waits for a move to be confirmed by a changed position.
   *
   * @param {object} message
   */
  #expectConfirmation(message) {
    this.#settle();
    this.#unconfirmed = { message, game: this.match.game, position: this.match.now.id };
    this.match = unconfirmedChanged(this.match, "sent");
    this.#probes = setTimeout(this.#probe, CONFIRM_WITHIN_MS);
  }

  #probe = () => {
    this.#update(unconfirmedChanged(this.match, "late"));
    this.#connection?.probe();
    this.#probes = setTimeout(this.#probe, PROBE_EVERY_MS);
  };

  /** The move is confirmed, refused or out of date. */
  #settle() {
    this.#unconfirmed = null;
    this.#mustResend = false;
    clearTimeout(this.#probes);
    this.match = unconfirmedChanged(this.match, null);
  }

  /** After a reconnect the position is known again. If it is still the one of the move, the move did not arrive. */
  #resendAfterReconnect() {
    const { match } = this;
    if (!this.#mustResend || !this.#unconfirmed || !isOurTurn(match)) return;
    this.#mustResend = false;
    this.#connection?.send(this.#unconfirmed.message);
  }

  /** @param {string} square */
  choose(square) {
    this.#select(choose(this.match, this.selection, square));
  }

  /** @param {string} square */
  canLift(square) {
    return this.selection.review === null && isOurs(this.match, square);
  }

  /** @param {string} square */
  lift(square) {
    this.#select({ ...this.selection, square, premove: null });
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  drag(from, to) {
    this.#select(drag(this.match, this.selection, { from, to }));
  }

  cancel() {
    this.#select(cancel(this.selection));
  }

  /** @param {string | null} promotion the letter of the chosen piece; `null` takes the move back */
  promote(promotion) {
    const { match, selection } = this;
    this.#select(promotion ? promote(match, selection, promotion) : { ...selection, promoting: null });
  }

  /** @param {import("./selection.js").ReviewStep | number} where */
  review(where) {
    this.#select(review(this.match, this.selection, where));
  }

  flip() {
    this.#select({ ...this.selection, isFlipped: !this.selection.isFlipped });
  }

  /**
   * @param {object} message
   * @param {() => void} [lost] called if the connection is lost before the relay has certainly received the message
   * @returns {boolean} whether it was sent. If not, or if it may be lost, the match has an error that says so
   */
  send(message, lost = () => {}) {
    const before = this.match;
    const isSent = this.#deliver(message);
    // A move is sent again.
    if (isSent && !isMove(message)) this.#expectArrival(lost);
    if (isSent && this.match !== before) this.listener.changed();
    return isSent;
  }

  /** @param {() => void} lost */
  #expectArrival(lost) {
    if (this.#unanswered.every(({ ping }) => ping !== null)) this.#arrival = setTimeout(this.#askForArrival, CONFIRM_WITHIN_MS);
    this.#unanswered.push({ ping: null, lost });
  }

  /** The relay reads in order: when it answers this ping, it has everything that was sent before. */
  #askForArrival = () => {
    this.#connection?.probe();
    for (const one of this.#unanswered) one.ping ??= this.#pings;
  };

  #ponged() {
    this.#pongs += 1;
    this.#unanswered = this.#unanswered.filter(({ ping }) => ping === null || ping > this.#pongs);
  }

  /** @param {boolean} isLost whether the connection has broken; the relay may also have closed it */
  #disconnected(isLost) {
    const unanswered = this.#unanswered;
    this.#unanswered = [];
    [this.#pings, this.#pongs] = [0, 0];
    clearTimeout(this.#arrival);
    if (!isLost || unanswered.length === 0) return;
    this.#isLeaving = false;
    this.#reportUnsent(LOST);
    for (const { lost } of unanswered) lost();
  }

  /**
   * The same, for a caller that reports the change itself.
   *
   * @param {object} message
   */
  #deliver(message) {
    const isSent = this.#connection?.send(message) ?? false;
    if (!isSent) this.#reportUnsent(UNSENT);
    else if (isMove(message)) this.#expectConfirmation(message);
    return isSent;
  }

  /** @param {number} status */
  #reportUnsent(status) {
    const sentence = unsentSentence(this.match);
    this.#update(messageUnsent(this.match, sentence, status));
    this.listener.unsent(sentence);
  }

  /** Leaves for good. The relay closes the connection when it has received the message. */
  leave() {
    this.#isLeaving = this.send({ type: "leave" });
  }
}

/** @param {object} message */
const isMove = (message) => "type" in message && message.type === "move";
