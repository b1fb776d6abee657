// The reducer of a match: the next state from the last one and a message of the relay. Pure: no document, no clock, no socket.

import { placementOfFen, placementOfNumbers } from "../board/placement.js";
import { playerName } from "../common/player-name.js";
import { t } from "../language/language.js";
import { translated } from "../language/relay-sentences.js";
import { CHESS, UNSENT } from "./state.js";

/**
 * @typedef {import("../relay/game-messages.js").Message} Message
 * @typedef {import("../relay/game-messages.js").GameState} GameState
 * @typedef {import("../relay/game-messages.js").Players} Players
 * @typedef {import("../relay/game-messages.js").Color} Color
 * @typedef {import("./state.js").Match} Match
 * @typedef {import("./state.js").Occupancy} Occupancy
 * @typedef {import("./state.js").Player} Player
 * @typedef {import("./state.js").Ply} Ply
 */

/** How many lines of chat are kept. */
const CHAT_LINES = 200;

const NO_OFFERS = { draw: null, takeback: null, rematch: null };

/**
 * @param {Match} match
 * @param {Message} message
 * @param {number} at when it was received, by our clock
 * @returns {Match}
 */
export function applyMessage(match, message, at) {
  switch (message.type) {
    case "init":
      return {
        ...match,
        id: message.user_id,
        room: message.room ?? "",
        color: side(message.color),
        players: playersOf(message.players, at),
        left: {},
        absent: null,
        stored: message.review
          ? { game: message.review.game, games: message.review.games, isOpen: message.review.is_open }
          : null,
        chat: message.chat.map((line) => chatLine(line, message.user_id)),
        timeControl: message.clock ? { baseMs: message.clock.base_ms, incrementMs: message.clock.increment_ms } : null,
        graceMs: message.grace_ms ?? null,
        rules: message.rules ?? CHESS,
        ending: null,
        beginsAt: null,
        watching: message.watching ?? 0,
        occupancy: {},
        isJoined: true,
      };
    case "join": {
      const color = side(message.color);
      if (!color) return match;
      const known = match.players[color];
      const here = known?.id === message.user_id ? known.here : false;
      return seated(match, color, { id: message.user_id, name: playerName(message.username), here, hasLeft: false, awayUntil: null });
    }
    case "leave": {
      const color = side(message.color);
      const player = color && match.players[color];
      if (!color || player?.id !== message.user_id) return match;
      const { [color]: _, ...occupancy } = match.occupancy;
      return {
        ...seated(match, color, null),
        left: { ...match.left, [color]: playerName(message.username) },
        absent: player.here ? match.absent : color,
        occupancy,
        color: match.id === message.user_id ? null : match.color,
      };
    }
    case "premoves":
      if (message.ply !== match.plies.length) return match;
      return { ...match, premoves: { position: match.now.id, moves: message.moves } };
    case "presence": {
      const player = match.players[message.color];
      if (!player) return match;
      const awayUntil = message.grace_ms === undefined ? null : at + message.grace_ms;
      return seated(match, message.color, { ...player, here: message.here, awayUntil });
    }
    case "start": {
      const players = playersOf(message.players, at);
      return {
        ...match,
        color: side(message.color),
        game: message.game,
        players,
        left: {},
        absent: null,
        occupancy: reseated(match.occupancy, match.players, players),
        ending: null,
        beginsAt: null,
        plies: message.game === match.game ? match.plies : [],
      };
    }
    case "game_state":
      return withState(match, message, at);
    case "end_of_game": {
      const clock = message.clock ? clockOf(message.clock, at) : match.clock;
      return {
        ...match,
        phase: "over",
        legal: {},
        claims: [],
        offers: NO_OFFERS,
        clock: clock && { ...clock, running: null },
        ending: { winner: winnerOf(match, message), reason: message.reason, text: message.result_text },
      };
    }
    case "chat":
      return { ...match, chat: [...match.chat, chatLine(message, match.id)].slice(-CHAT_LINES) };
    case "offer": {
      const offers = { ...match.offers };
      if (message.kind === "takeback") offers.takeback = { color: message.color, plies: message.plies ?? 1 };
      else offers[message.kind] = message.color;
      return { ...match, offers };
    }
    case "offer_declined":
    case "offer_withdrawn":
      return withNews({ ...match, offers: { ...match.offers, [message.kind]: null } }, offerNews(match, message));
    case "corrected": {
      // The own board says it itself.
      const name = match.players[message.color]?.name ?? null;
      const announced = message.color === match.color || name === null ? match : withNews(match, t("announce.corrects", { name }));
      return { ...announced, isCorrected: true };
    }
    case "countdown":
      return { ...match, phase: "counting", beginsAt: at + message.ms };
    case "countdown_stopped":
      return { ...match, phase: "waiting", beginsAt: null };
    case "watching":
      return { ...match, watching: message.count };
    case "occupancy": {
      const occupancy = { occupied: message.occupied, inHand: message.in_hand, misplaced: message.astray };
      return { ...match, occupancy: { ...match.occupancy, [message.color]: occupancy } };
    }
    case "close":
      // A stored game is closed as soon as it is sent, and stays to be looked at.
      return match.ending && (match.stored || match.phase === "over") ? match : { ...match, phase: "closed", legal: {} };
    case "error":
      return withError(match, translated(message.message), message.status_code);
    default:
      return match;
  }
}

/**
 * @param {Match} match
 * @param {import("./state.js").ConnectionState} connection
 * @param {number} at by our clock
 * @returns {Match}
 */
export function connectionChanged(match, connection, at) {
  // Another attempt is not yet a change: the page goes on saying that it reconnects.
  if (connection.kind === "connecting" && match.connection.kind === "reconnecting") return match;
  const isSeatAtRisk = match.color !== null && match.phase === "playing" && match.graceMs !== null;
  const lostNow = connection.kind === "reconnecting" && match.connection.kind === "open";
  const returnBy = lostNow && isSeatAtRisk ? at + (match.graceMs ?? 0) : match.returnBy;
  return { ...match, connection, returnBy: connection.kind === "reconnecting" ? returnBy : null };
}

/**
 * A message of ours could not be sent, or may not have arrived.
 *
 * @param {Match} match
 * @param {string} sentence
 * @param {number} [status]
 * @returns {Match}
 */
export function messageUnsent(match, sentence, status = UNSENT) {
  return withError(match, sentence, status);
}

/**
 * A move of ours was sent, takes longer than usual, or is confirmed or refused.
 *
 * @param {Match} match
 * @param {Match["unconfirmed"]} unconfirmed
 * @returns {Match}
 */
export function unconfirmedChanged(match, unconfirmed) {
  return match.unconfirmed === unconfirmed ? match : { ...match, unconfirmed };
}

/**
 * What became of an offer; nothing for the player who has just decided that.
 *
 * @param {Match} match
 * @param {import("../relay/game-messages.js").OfferEnded} message
 */
function offerNews({ offers, color }, { type, kind }) {
  const offer = offers[kind];
  const by = typeof offer === "string" ? offer : (offer?.color ?? null);
  const isOurs = by !== null && by === color;
  if (type === "offer_declined") return isOurs || by === null ? t(DECLINED[kind]) : null;
  return isOurs ? null : t(WITHDRAWN[kind]);
}

const DECLINED = /** @type {const} */ ({
  draw: "offer.draw_declined",
  takeback: "offer.takeback_declined",
  rematch: "offer.rematch_declined",
});
const WITHDRAWN = /** @type {const} */ ({
  draw: "offer.draw_withdrawn",
  takeback: "offer.takeback_withdrawn",
  rematch: "offer.rematch_withdrawn",
});

/**
 * @param {Match} match
 * @param {string | null} sentence
 * @returns {Match}
 */
function withNews(match, sentence) {
  return sentence === null ? match : { ...match, news: { sentence, number: (match.news?.number ?? 0) + 1 } };
}

/**
 * @param {Match} match
 * @param {string} sentence
 * @param {number} status
 * @returns {Match}
 */
function withError(match, sentence, status) {
  return { ...match, error: { sentence, status, number: (match.error?.number ?? 0) + 1 } };
}

/**
 * @param {Match} match
 * @param {GameState} message
 * @param {number} at
 * @returns {Match}
 */
function withState(match, message, at) {
  const placement = message.placement ?? placementOfNumbers(message.board);
  const now = positionOf(message, placement, `${message.ply} ${placement}`);
  const next = {
    ...match,
    phase: message.phase,
    game: message.game,
    start: startOf(match, message, now),
    plies: pliesOf(match, message, now),
    now,
    turn: message.turn,
    legal: message.legal_moves,
    kinds: message.pieces ? { ...match.kinds, ...message.pieces } : match.kinds,
    choices: message.choices ?? {},
    clock: message.clock && clockOf(message.clock, at),
    offers: message.offers,
    claims: message.claims ?? [],
    frozenUntil: message.frozen_ms ? at + message.frozen_ms : null,
    isCorrected: false,
  };
  const isTakenBack = message.game === match.game && message.ply < match.plies.length && !match.isCorrected;
  const announced = isTakenBack ? withNews(next, t("offer.takeback_accepted")) : next;
  return message.phase === "playing" ? { ...announced, ending: null, beginsAt: null } : announced;
}

/**
 * The position before the first move.
 *
 * @param {Match} match
 * @param {GameState} message
 * @param {import("./state.js").Position} now
 */
function startOf(match, message, now) {
  if (message.ply === 0) return now;
  if (message.start_placement) return positionOf({}, message.start_placement, `0 ${message.start_placement}`);
  if (message.start === undefined || message.start === match.start.fen) return match.start;
  return positionOf({ fen: message.start }, placementOfFen(message.start), "");
}

/**
 * @param {{ fen?: string, checked?: string[] }} of
 * @param {import("../board/placement.js").Placement} placement
 * @param {string} id for a position without a FEN
 * @returns {import("./state.js").Position}
 */
function positionOf({ fen, checked = [] }, placement, id) {
  return { placement, fen: fen ?? "", id: fen ?? id, checked };
}

/**
 * All moves: those of the message, or those known before and the last one.
 *
 * @param {Match} match
 * @param {GameState} message
 * @param {import("./state.js").Position} now
 * @returns {Ply[]}
 */
function pliesOf(match, message, now) {
  if (message.moves) {
    return message.moves.map(({ uci, san, color, ...after }, at) => {
      const placement = after.placement ?? placementOfFen(after.fen ?? "");
      return { uci, san, color, ...positionOf(after, placement, `${at + 1} ${placement}`) };
    });
  }
  // A new game of the match has no moves yet, and a takeback is a state with fewer of them.
  const known = message.game === match.game ? match.plies : [];
  const before = known.slice(0, Math.max(0, message.ply - 1));
  if (message.ply === 0 || !message.last_move) return before;
  const { uci, san, color } = message.last_move;
  return [...before, { uci, san, color, ...now }];
}

/**
 * @param {import("../relay/game-messages.js").Clock} clock
 * @param {number} at
 * @returns {import("./state.js").Clock}
 */
function clockOf(clock, at) {
  return { whiteMs: clock.white_ms, blackMs: clock.black_ms, running: clock.running, relayAt: clock.at, receivedAt: at };
}

/**
 * @param {Match} match
 * @param {Color} color
 * @param {Player | null} player
 * @returns {Match}
 */
function seated(match, color, player) {
  return { ...match, players: { ...match.players, [color]: player } };
}

/**
 * @param {Players} players
 * @param {number} at
 * @returns {Record<Color, Player | null>}
 */
function playersOf({ white, black }, at) {
  const player = (/** @type {import("../relay/game-messages.js").Person | null} */ person) =>
    person && {
      id: person.user_id,
      name: playerName(person.username),
      here: person.here,
      hasLeft: person.left ?? false,
      awayUntil: person.grace_ms === undefined ? null : at + person.grace_ms,
    };
  return { white: player(white), black: player(black) };
}

/**
 * The occupancy of wooden boards after a rematch: a board goes with its player, who may have the other colour now.
 *
 * @param {Match["occupancy"]} occupancy
 * @param {Match["players"]} before
 * @param {Match["players"]} after
 * @returns {Match["occupancy"]}
 */
function reseated(occupancy, before, after) {
  /** @type {Match["occupancy"]} */
  const next = {};
  for (const color of /** @type {const} */ (["white", "black"])) {
    const id = after[color]?.id;
    const board = id === before.white?.id ? occupancy.white : id === before.black?.id ? occupancy.black : undefined;
    if (id && board) next[color] = board;
  }
  return next;
}

/**
 * @param {import("../relay/game-messages.js").Chat} line
 * @param {string} ourId
 * @returns {import("./state.js").ChatLine}
 */
function chatLine({ username, message, user_id, color }, ourId) {
  return { name: username, text: message, id: user_id, color: side(color), isOurs: user_id === ourId };
}

/**
 * The winner may have left by now, and is then known by the result alone.
 *
 * @param {Match} match
 * @param {import("../relay/game-messages.js").EndOfGame} message
 * @returns {Color | null}
 */
function winnerOf(match, message) {
  if (message.result_text === "1-0") return "white";
  if (message.result_text === "0-1") return "black";
  const { white } = match.players;
  return message.winner_id === null ? null : message.winner_id === white?.id ? "white" : "black";
}

/**
 * @param {Color | "undefined"} color
 * @returns {Color | null}
 */
export function side(color) {
  return color === "undefined" ? null : color;
}
