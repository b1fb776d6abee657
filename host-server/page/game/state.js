// The state of a match as the page knows it, and questions about it. Pure: no document, no clock, no socket.

import { NO_KINDS } from "../board/pieces.js";
import { EMPTY_BOARD } from "../board/placement.js";

/**
 * @typedef {import("../relay/game-messages.js").Color} Color
 * @typedef {import("../relay/game-messages.js").Offers} Offers
 * @typedef {import("../relay/game-connection.js").ConnectionState} ConnectionState
 * @typedef {import("../board/placement.js").Placement} Placement
 *
 * @typedef {object} Position
 * @property {Placement} placement
 * @property {string} fen empty if it is not chess
 * @property {string} id different for different positions of a game
 * @property {string[]} checked the squares of the pieces in check
 *
 * @typedef {Position & { uci: string, san: string, color: Color }} Ply a move, and the position after it
 * @typedef {{ id: string, name: string, here: boolean, hasLeft: boolean, awayUntil: number | null }} Player an absent one can be claimed against
 *   from then on
 * @typedef {{ occupied: string[], inHand: string[], misplaced: string[] }} Occupancy of a player's wooden board
 * @typedef {{ name: string, color: Color | null, text: string, id: string, isOurs: boolean }} ChatLine
 * @typedef {{ winner: Color | null, reason: string, text: string }} Ending
 * @typedef {{ whiteMs: number, blackMs: number, running: Color | null, relayAt: number, receivedAt: number }} Clock
 *
 * @typedef {object} Match
 * @property {ConnectionState} connection
 * @property {number | null} returnBy until when we can return to our seat after a lost connection, by our clock
 * @property {string} code
 * @property {string} room the id of the room; empty until the relay has sent it
 * @property {string} id ours
 * @property {Color | null} color ours; `null` for a spectator
 * @property {Record<Color, Player | null>} players
 * @property {Partial<Record<Color, string>>} left the names of players who have left the game
 * @property {Color | null} absent who was absent when the end of the game took the seat
 * @property {import("../relay/game-messages.js").Phase} phase
 * @property {string} rules their name
 * @property {import("../board/pieces.js").Kinds} kinds what the letters of placements stand for, if it is not chess
 * @property {Record<string, { name: string, drawing?: string }>} choices what the letters of choices stand for, if it is not chess
 * @property {number} game the number of the game in the match, from 1; 0 before the first
 * @property {Position} start
 * @property {Ply[]} plies
 * @property {Position} now
 * @property {Color} turn
 * @property {Record<string, string[]>} legal
 * @property {{ position: string, moves: Record<string, string[]> } | null} premoves where our pieces could go if the opponent passed, in the
 *   position with this id
 * @property {Clock | null} clock
 * @property {{ baseMs: number, incrementMs: number } | null} timeControl
 * @property {number | null} graceMs how long a player may be absent
 * @property {Offers} offers
 * @property {import("../relay/game-messages.js").Claim[]} claims
 * @property {Ending | null} ending
 * @property {ChatLine[]} chat
 * @property {number} watching
 * @property {Partial<Record<Color, Occupancy>>} occupancy
 * @property {number | null} beginsAt when a countdown ends, by our clock
 * @property {number | null} frozenUntil until when no move counts after that of a freezing piece, by our clock
 * @property {{ sentence: string, status: number, number: number } | null} error the last one, numbered from 1
 * @property {{ sentence: string, number: number } | null} news the answer to an offer, numbered from 1
 * @property {boolean} isCorrected whether the next state lacks a move because its player's board corrects it
 * @property {"sent" | "late" | null} unconfirmed whether a move of ours was sent and is neither confirmed nor refused; `late` if that takes
 *   longer than usual
 * @property {{ game: number, games: number, isOpen: boolean } | null} stored of a stored game: its number in the match, how many there
 *   are, and whether the match goes on
 * @property {boolean} isJoined whether the relay has accepted us and sent the match
 */

/** The status of an error that the relay did not send: the message could not be sent. */
export const UNSENT = 0;
/** The same for a message that may not have arrived, because the connection was lost right after it was sent. */
export const LOST = -1;

/** @type {Position} */
const NO_POSITION = { placement: EMPTY_BOARD, fen: "", id: "", checked: [] };

/** @returns {Match} */
export function newMatch(/** @type {string} */ code) {
  return {
    connection: { kind: "connecting" },
    returnBy: null,
    code,
    room: "",
    id: "",
    color: null,
    players: { white: null, black: null },
    left: {},
    absent: null,
    phase: "waiting",
    rules: CHESS,
    kinds: NO_KINDS,
    choices: {},
    game: 0,
    start: NO_POSITION,
    plies: [],
    now: NO_POSITION,
    turn: "white",
    legal: {},
    premoves: null,
    clock: null,
    timeControl: null,
    graceMs: null,
    offers: { draw: null, takeback: null, rematch: null },
    claims: [],
    ending: null,
    chat: [],
    watching: 0,
    occupancy: {},
    beginsAt: null,
    frozenUntil: null,
    error: null,
    news: null,
    isCorrected: false,
    unconfirmed: null,
    stored: null,
    isJoined: false,
  };
}

/** The name of the rules whose notation and pieces the page knows. */
export const CHESS = "chess";

/** @param {Match} match */
export const isChess = (match) => match.rules === CHESS;

/** @param {Match} match */
export const isPlaying = (match) => match.phase === "playing" && match.color !== null;

/** @param {Match} match */
export const isOurTurn = (match) => isPlaying(match) && match.turn === match.color;

/** Whether it is our turn, and no move of ours is on its way. @param {Match} match */
export const isOurMove = (match) => isOurTurn(match) && match.unconfirmed === null;

/**
 * Whether leaving would lose the game: both players have moved. A move of ours that is on its way counts.
 *
 * @param {Match} match
 */
export const isAtStake = (match) => isPlaying(match) && match.plies.length + (match.unconfirmed === null ? 0 : 1) > 1;

/** @param {Match} match */
export const isConnected = (match) => match.connection.kind === "open";

/**
 * The squares to which a piece may move now.
 *
 * @param {Match} match
 * @param {string} from
 * @returns {string[]}
 */
export function targets(match, from) {
  return (match.legal[from] ?? []).map((target) => target.slice(0, 2));
}

/**
 * The squares to mark for a selected piece: where it may move now, or could if the opponent passed.
 *
 * @param {Match} match
 * @param {string} from
 * @returns {string[]}
 */
export function shownTargets(match, from) {
  if (isOurTurn(match)) return targets(match, from);
  return match.premoves?.position === match.now.id ? (match.premoves.moves[from] ?? []) : [];
}

/**
 * The letters of what there is to choose with a move, in the order of the relay: in chess the pieces of a promotion.
 *
 * @param {Match} match
 * @param {string} from
 * @param {string} to
 * @returns {string[]}
 */
export function promotionChoices(match, from, to) {
  const target = (match.legal[from] ?? []).find((one) => one.startsWith(`${to}=`));
  return [...(target?.slice(3) ?? "")];
}

/**
 * The position after a number of plies: `null` is the current one, 0 the one at the start.
 *
 * @param {Match} match
 * @param {number | null} ply
 * @returns {Position & { uci: string | null }}
 */
export function positionAt(match, ply) {
  if (ply === null) return { ...match.now, uci: match.plies.at(-1)?.uci ?? null };
  return match.plies[ply - 1] ?? { ...match.start, uci: null };
}

/**
 * Whether something on the screen changes with time alone: a running clock, a countdown, or the time that an absent player has
 * left to return.
 *
 * @param {Match} match
 */
export function isTimed({ clock, phase, players, returnBy, frozenUntil }) {
  const isAbsent = [players.white, players.black].some((player) => player !== null && player.awayUntil !== null);
  const isRunning = clock !== null && clock.running !== null;
  const isPlayed = phase === "playing" && (isAbsent || isRunning || frozenUntil !== null);
  return isPlayed || phase === "counting" || returnBy !== null;
}

/**
 * The number of the first move, which is the last field of a FEN.
 *
 * @param {string} fen
 */
export function moveNumber(fen) {
  return Number(fen.split(" ")[5]) || 1;
}
