// What is known of a match: a pure function of what the relay has said. No drawing, no clock, no socket.

import { START_FEN, placement } from "../board/placement.js";
import { indexOf, other } from "../board/squares.js";

/**
 * @typedef {import("../relay/messages.js").Message} Message
 * @typedef {import("../relay/messages.js").GameState} GameState
 * @typedef {import("../relay/messages.js").Color} Color
 * @typedef {import("../relay/messages.js").Offers} Offers
 * @typedef {import("../relay/line.js").LineState} LineState
 *
 * @typedef {{ uci: string, san: string, fen: string, board: number[], clockMs: number | null }} Ply a move, and what it led to
 * @typedef {{ id: string, name: string, here: boolean, awayUntil: number | null }} Player who is away may come back until then
 * @typedef {{ occupied: string[], inHand: string[], astray: string[] }} Wood
 * @typedef {{ name: string, color: Color | null, text: string, id: string, isOurs: boolean }} Line
 * @typedef {{ result: string, winner: Color | null, reason: string, text: string }} Ending
 * @typedef {{ whiteMs: number, blackMs: number, running: Color | null, relayAt: number, heardAt: number }} Clock
 *
 * @typedef {object} Match
 * @property {LineState} line
 * @property {string} code
 * @property {string} id ours
 * @property {string} name ours
 * @property {Color | null} color ours; nothing, if we watch
 * @property {Record<Color, Player | null>} players
 * @property {import("../relay/messages.js").Phase} phase
 * @property {number} game which one of the match, from 1; 0 before the first
 * @property {string} startFen
 * @property {number[]} startBoard
 * @property {Ply[]} plies
 * @property {string} fen of the position on the board
 * @property {number[]} board
 * @property {Color} turn
 * @property {Color | null} check
 * @property {Record<string, string[]>} legal
 * @property {Clock | null} clock
 * @property {{ baseMs: number, incrementMs: number } | null} rule
 * @property {Offers} offers
 * @property {import("../relay/messages.js").Claim[]} claims
 * @property {boolean} hints
 * @property {Partial<Record<Color, boolean>>} hintsBy
 * @property {Ending | null} ending
 * @property {Line[]} chat
 * @property {number} watching
 * @property {Partial<Record<Color, Wood>>} wood
 * @property {number | null} beginsAt when a countdown ends, by our clock
 * @property {{ sentence: string, status: number, number: number } | null} complaint the last one
 * @property {boolean} isGreeted whether the relay has said how things are
 */

/** @returns {Match} */
export function newMatch(/** @type {string} */ code) {
  return {
    line: { kind: "connecting" },
    code,
    id: "",
    name: "",
    color: null,
    players: { white: null, black: null },
    phase: "waiting",
    game: 0,
    startFen: START_FEN,
    startBoard: placement(START_FEN),
    plies: [],
    fen: START_FEN,
    board: placement(START_FEN),
    turn: "white",
    check: null,
    legal: {},
    clock: null,
    rule: null,
    offers: { draw: null, takeback: null, rematch: null },
    claims: [],
    hints: false,
    hintsBy: {},
    ending: null,
    chat: [],
    watching: 0,
    wood: {},
    beginsAt: null,
    complaint: null,
    isGreeted: false,
  };
}

/** The status of a complaint that is not the relay's. */
export const UNSENT = 0;

/** As many lines of chat are kept. */
const CHAT_LINES = 200;

/**
 * @param {Match} match
 * @param {Message} message
 * @param {number} at when it was heard, by our clock
 * @returns {Match}
 */
export function hear(match, message, at) {
  switch (message.type) {
    case "init":
      return {
        ...match,
        id: message.user_id,
        name: message.name,
        color: side(message.color),
        players: people(message.players),
        hintsBy: agreed(message.players),
        chat: message.chat.map((line) => chatLine(line, message.user_id)),
        rule: message.clock ? { baseMs: message.clock.base_ms, incrementMs: message.clock.increment_ms } : null,
        ending: null,
        beginsAt: null,
        watching: message.watching ?? 0,
        wood: {},
        isGreeted: true,
      };
    case "join": {
      const color = side(message.color);
      if (!color) return match;
      const known = match.players[color];
      const here = known?.id === message.user_id ? known.here : false;
      return seat(match, color, { id: message.user_id, name: message.username, here, awayUntil: null });
    }
    case "leave": {
      const color = side(message.color);
      if (!color || match.players[color]?.id !== message.user_id) return match;
      const { [color]: _, ...wood } = match.wood;
      return { ...seat(match, color, null), wood, color: match.id === message.user_id ? null : match.color };
    }
    case "presence": {
      const player = match.players[message.color];
      if (!player) return match;
      const awayUntil = message.grace_ms === undefined ? null : at + message.grace_ms;
      return seat(match, message.color, { ...player, here: message.here, awayUntil });
    }
    case "start": {
      const players = people(message.players);
      return {
        ...match,
        color: side(message.color),
        game: message.game,
        players,
        wood: moved(match.wood, match.players, players),
        hintsBy: agreed(message.players),
        ending: null,
        beginsAt: null,
        plies: message.game === match.game ? match.plies : [],
      };
    }
    case "game_state":
      return position(match, message, at);
    case "end_of_game": {
      const winner = winnerOf(match, message);
      const clock = message.clock ? clocks(message.clock, at) : match.clock;
      const ending = { result: message.result, winner, reason: message.reason, text: message.result_text };
      return {
        ...match,
        phase: "over",
        legal: {},
        claims: [],
        offers: { draw: null, takeback: null, rematch: null },
        clock: clock && { ...clock, running: null },
        ending,
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
      return { ...match, offers: { ...match.offers, [message.kind]: null } };
    case "countdown":
      return { ...match, phase: "counting", beginsAt: at + message.ms };
    case "countdown_stopped":
      return { ...match, phase: "waiting", beginsAt: null };
    case "watching":
      return { ...match, watching: message.count };
    case "wood": {
      const wood = { occupied: message.occupied, inHand: message.in_hand, astray: message.astray };
      return { ...match, wood: { ...match.wood, [message.color]: wood } };
    }
    case "hints":
      return { ...match, hints: message.agreed, hintsBy: { ...match.hintsBy, [message.color]: message.on } };
    case "close":
      return { ...match, phase: "closed", legal: {} };
    case "error": {
      const number = (match.complaint?.number ?? 0) + 1;
      return { ...match, complaint: { sentence: message.message, status: message.status_code, number } };
    }
    default:
      return match;
  }
}

/**
 * @param {Match} match
 * @param {LineState} line
 * @returns {Match}
 */
export function lineChanged(match, line) {
  // To try again is no change yet for whoever waits.
  if (line.kind === "connecting" && match.line.kind === "away") return match;
  return { ...match, line };
}

/**
 * Something of ours did not reach the relay, for a reason that we know ourselves.
 *
 * @param {Match} match
 * @param {string} sentence
 * @returns {Match}
 */
export function lament(match, sentence) {
  const number = (match.complaint?.number ?? 0) + 1;
  return { ...match, complaint: { sentence, status: UNSENT, number } };
}

/**
 * @param {Match} match
 * @param {GameState} message
 * @param {number} at
 * @returns {Match}
 */
function position(match, message, at) {
  const startFen = message.moves ? (message.start ?? START_FEN) : message.ply === 0 ? message.fen : match.startFen;
  const next = {
    ...match,
    phase: message.phase,
    game: message.game,
    startFen,
    startBoard: startFen === match.startFen ? match.startBoard : placement(startFen),
    plies: plies(match, message),
    fen: message.fen,
    board: message.board,
    turn: /** @type {Color} */ (message.fen.split(" ")[1] === "b" ? "black" : "white"),
    check: message.check,
    legal: message.legal_moves,
    clock: message.clock && clocks(message.clock, at),
    offers: message.offers,
    claims: message.claims ?? [],
    hints: message.hints,
  };
  return message.phase === "playing" ? { ...next, ending: null, beginsAt: null } : next;
}

/**
 * All moves, as far as the message and what was known before say.
 *
 * @param {Match} match
 * @param {GameState} message
 * @returns {Ply[]}
 */
function plies(match, message) {
  if (message.moves) {
    return message.moves.map(({ uci, san, clock_ms, fen = START_FEN }) => ({
      uci,
      san,
      fen,
      board: placement(fen),
      clockMs: clock_ms ?? null,
    }));
  }
  // A new game of the match begins with nothing, and a takeback is a state with fewer moves.
  const known = message.game === match.game ? match.plies : [];
  const before = known.slice(0, Math.max(0, message.ply - 1));
  if (message.ply === 0 || !message.last_move) return before;
  const { uci, san, clock_ms } = message.last_move;
  return [...before, { uci, san, fen: message.fen, board: message.board, clockMs: clock_ms ?? null }];
}

/**
 * @param {import("../relay/messages.js").Clock} clock
 * @param {number} at
 * @returns {Clock}
 */
function clocks(clock, at) {
  return { whiteMs: clock.white_ms, blackMs: clock.black_ms, running: clock.running, relayAt: clock.at, heardAt: at };
}

/**
 * @param {Match} match
 * @param {Color} color
 * @param {Player | null} player
 * @returns {Match}
 */
function seat(match, color, player) {
  return { ...match, players: { ...match.players, [color]: player } };
}

/**
 * @param {import("../relay/messages.js").Players} players
 * @returns {Record<Color, Player | null>}
 */
function people({ white, black }) {
  const person = (/** @type {import("../relay/messages.js").Person | null} */ one) =>
    one && { id: one.user_id, name: one.username, here: one.here, awayUntil: null };
  return { white: person(white), black: person(black) };
}

/**
 * The wood goes with its player, who may have the other colour now.
 *
 * @param {Partial<Record<Color, Wood>>} wood
 * @param {Record<Color, Player | null>} before
 * @param {Record<Color, Player | null>} after
 * @returns {Partial<Record<Color, Wood>>}
 */
function moved(wood, before, after) {
  /** @type {Partial<Record<Color, Wood>>} */
  const next = {};
  for (const color of /** @type {const} */ (["white", "black"])) {
    const id = after[color]?.id;
    const seen = id === before.white?.id ? wood.white : id === before.black?.id ? wood.black : undefined;
    if (id && seen) next[color] = seen;
  }
  return next;
}

/**
 * Who agrees to hints.
 *
 * @param {import("../relay/messages.js").Players} players
 * @returns {Partial<Record<Color, boolean>>}
 */
function agreed({ white, black }) {
  return { white: white?.hints ?? false, black: black?.hints ?? false };
}

/**
 * @param {import("../relay/messages.js").Chat} line
 * @param {string} ours
 * @returns {Line}
 */
function chatLine({ username, message, user_id, color }, ours) {
  return { name: username, text: message, id: user_id, color: side(color), isOurs: user_id === ours };
}

/**
 * Who has won may have left by then, and is known by the result.
 *
 * @param {Match} match
 * @param {import("../relay/messages.js").EndOfGame} message
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
function side(color) {
  return color === "undefined" ? null : color;
}

// What follows from it.

/** @param {Match} match */
export const isPlaying = (match) => match.phase === "playing" && match.color !== null;

/** @param {Match} match */
export const isOurTurn = (match) => isPlaying(match) && match.turn === match.color;

/**
 * Where a piece may go now.
 *
 * @param {Match} match
 * @param {string} from
 * @returns {string[]}
 */
export function targets(match, from) {
  return (match.legal[from] ?? []).map((target) => target.slice(0, 2));
}

/**
 * Whether a pawn has to become something on its way there.
 *
 * @param {Match} match
 * @param {string} from
 * @param {string} to
 */
export function promotes(match, from, to) {
  return (match.legal[from] ?? []).some((target) => target.startsWith(`${to}=`));
}

/**
 * What somebody sees who looks back so far: `null` is now, 0 the start.
 *
 * @param {Match} match
 * @param {number | null} ply
 */
export function seenAt(match, ply) {
  const last = match.plies.at(-1);
  if (ply === null) return { board: match.board, fen: match.fen, uci: last?.uci ?? null, check: match.check };
  const seen = match.plies[ply - 1];
  if (!seen) return { board: match.startBoard, fen: match.startFen, uci: null, check: null };
  const mover = seen.fen.split(" ")[1] === "b" ? "black" : "white";
  return {
    board: seen.board,
    fen: seen.fen,
    uci: seen.uci,
    check: /[+#]$/.test(seen.san) ? /** @type {Color} */ (mover) : null,
  };
}

/**
 * @param {readonly number[]} board
 * @param {Color} color
 */
export function kingOf(board, color) {
  return board.indexOf(color === "white" ? 6 : -6);
}

/**
 * The opponent: the other player, if we are one.
 *
 * @param {Match} match
 */
export function opponent(match) {
  return match.color && match.players[other(match.color)];
}

/**
 * The piece on a square.
 *
 * @param {readonly number[]} board
 * @param {string} square
 */
export const pieceOn = (board, square) => board[indexOf(square)] ?? 0;
