// The messages of `/ws/panel`: their types, and how the binary ones are decoded. docs/protocol.md specifies them under "The panel".

/**
 * @typedef {object} Held a piece in a hand
 * @property {boolean} mine whether the hand is of this window
 * @property {number} hand
 * @property {string} piece one letter of KQRBNPkqrbnp
 * @property {string | null} from the square it is from, if it is not from beside the board
 *
 * @typedef {object} Pieces which piece is where
 * @property {"pieces"} type
 * @property {import("../board/placement.js").Placement} standing
 * @property {Held[]} hands
 * @property {string} beside the letters of the pieces beside the board
 * @property {string} spares the letters of the pieces of which there is always another one
 *
 * @typedef {object} BoardState
 * @property {"board"} type
 * @property {boolean} touch whether this window may move pieces
 * @property {string} name
 * @property {string | null} relay the address of its relay, if that is another server
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
 * @property {string[]} moves in algebraic notation
 * @property {boolean} over
 * @property {"white" | "black" | "both" | "nobody" | null} seat
 * @property {string | null} white
 * @property {string | null} black
 * @property {boolean | null} hints whether the player at the board agrees to them
 * @property {{ on: boolean, level: number, color: "white" | "black" } | null} computer the opponent that was chosen last, and the colour of the player
 * @property {string[]} weak
 *
 * @typedef {{ type: "error", message: string }} PanelError
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
 *   | { type: "hints", on: boolean }
 *   | { type: "computer", level: number | null, color: "white" | "black" }} Touch
 *
 * @typedef {object} PanelListener
 * @property {(pieces: Pieces) => void} pieces
 * @property {(state: BoardState) => void} board
 * @property {(closed: boolean[]) => void} reeds the raw readings of the reed switches, a1 first
 * @property {(settled: boolean[]) => void} settled the debounced readings
 * @property {(lights: Uint8Array) => void} lights red, green and blue of each light, a1 first
 * @property {(message: string) => void} error
 * @property {(isConnected: boolean) => void} connected
 */

/** The first byte of a binary message. */
const KINDS = { occupied: 1, settled: 2, lights: 4 };

/**
 * Unknown kinds are ignored.
 *
 * @param {ArrayBuffer} buffer
 * @param {PanelListener} listener
 */
export function readBytes(buffer, listener) {
  const bytes = new Uint8Array(buffer);
  const payload = bytes.subarray(1);
  if (bytes[0] === KINDS.lights && payload.length === 192) listener.lights(payload);
  else if (bytes[0] === KINDS.occupied && payload.length === 8) listener.reeds(squares(payload));
  else if (bytes[0] === KINDS.settled && payload.length === 8) listener.settled(squares(payload));
}

/**
 * @param {string} text
 * @param {PanelListener} listener
 */
export function readText(text, listener) {
  /** @type {Pieces | BoardState | PanelError} */
  const message = JSON.parse(text);
  if (message.type === "pieces") listener.pieces(message);
  else if (message.type === "board") listener.board(message);
  else if (message.type === "error") listener.error(message.message);
}

/**
 * @param {Uint8Array} bytes a bit for each square, a1 the lowest of the first
 * @returns {boolean[]}
 */
function squares(bytes) {
  return Array.from({ length: 64 }, (_, i) => (((bytes[i >> 3] ?? 0) >> (i & 7)) & 1) === 1);
}
