// What is said on `/ws/panel`. docs/protocol.md specifies it under "The panel".

/**
 * @typedef {object} Held a piece in somebody's hand
 * @property {boolean} mine whether it is a hand of this window
 * @property {number} hand
 * @property {string} piece one letter of KQRBNPkqrbnp
 * @property {string | null} from the square it is from, if it is not from beside the board
 *
 * @typedef {object} Wood which piece is where
 * @property {"wood"} type
 * @property {string} standing 64 letters, a1 first, with a full stop for nothing
 * @property {Held[]} hands
 * @property {string} beside the letters of what lies beside the board
 *
 * @typedef {object} BoardState
 * @property {"board"} type
 * @property {boolean} touch whether this window may touch anything
 * @property {string} name
 * @property {string | null} relay the page of its relay, if that is elsewhere
 * @property {string | null} code
 * @property {"virtual" | "emulated"} kind
 * @property {boolean} power
 * @property {boolean} network
 * @property {boolean} plugs whether they can be pulled
 * @property {boolean | null} online
 * @property {string | null} headline
 * @property {string | null} sentence
 * @property {string | null} mistaken
 * @property {number | null} plies
 * @property {boolean} over
 * @property {"white" | "black" | "both" | "nobody" | null} seat
 * @property {string | null} white
 * @property {string | null} black
 * @property {boolean | null} hints whether whoever sits here agrees to them
 * @property {string[]} weak
 *
 * @typedef {{ type: "error", message: string }} Complaint
 *
 * @typedef {{ type: "lift", hand: number, square: string }
 *   | { type: "put", hand: number, square: string }
 *   | { type: "put_aside", hand: number }
 *   | { type: "take", hand: number, piece: string }
 *   | { type: "slide", from: string, to: string }
 *   | { type: "set_up" } | { type: "clear" } | { type: "knock_over" }
 *   | { type: "flicker", square: string }
 *   | { type: "network", plugged: boolean }
 *   | { type: "power", plugged: boolean }
 *   | { type: "hints", on: boolean }} Touch
 *
 * @typedef {object} Hearing what becomes of what the board says
 * @property {(wood: Wood) => void} wood
 * @property {(state: BoardState) => void} board
 * @property {(closed: boolean[]) => void} reeds what the reeds read, a1 first
 * @property {(settled: boolean[]) => void} settled what they have read for long enough
 * @property {(lights: Uint8Array) => void} lights red, green and blue of each light, a1 first
 * @property {(message: string) => void} error
 * @property {(isThere: boolean) => void} line whether there is a connection
 */

/** The kinds of what comes as bytes. */
const KINDS = { occupied: 1, settled: 2, lights: 4 };

/**
 * Hands what came as bytes to whom it concerns. What is not known is passed over.
 *
 * @param {ArrayBuffer} buffer
 * @param {Hearing} hearing
 */
export function hearBytes(buffer, hearing) {
  const bytes = new Uint8Array(buffer);
  const payload = bytes.subarray(1);
  if (bytes[0] === KINDS.lights && payload.length === 192) hearing.lights(payload);
  else if (bytes[0] === KINDS.occupied && payload.length === 8) hearing.reeds(squares(payload));
  else if (bytes[0] === KINDS.settled && payload.length === 8) hearing.settled(squares(payload));
}

/**
 * Hands what came as text to whom it concerns.
 *
 * @param {string} text
 * @param {Hearing} hearing
 */
export function hearText(text, hearing) {
  /** @type {Wood | BoardState | Complaint} */
  const message = JSON.parse(text);
  if (message.type === "wood") hearing.wood(message);
  else if (message.type === "board") hearing.board(message);
  else if (message.type === "error") hearing.error(message.message);
}

/**
 * @param {Uint8Array} bytes a bit for each square, a1 the lowest of the first
 * @returns {boolean[]}
 */
function squares(bytes) {
  return Array.from({ length: 64 }, (_, i) => (((bytes[i >> 3] ?? 0) >> (i & 7)) & 1) === 1);
}
