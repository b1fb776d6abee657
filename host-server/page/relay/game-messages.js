// The types of the messages from the relay. docs/protocol.md specifies them under "The JSON of players".

/**
 * @typedef {import("../board/colors.js").Color} Color
 * @typedef {"waiting" | "counting" | "playing" | "over" | "closed"} Phase
 * @typedef {{ user_id: string, username: string, here: boolean, hints?: boolean, left?: boolean, grace_ms?: number }} Person
 * @typedef {{ white: Person | null, black: Person | null }} Players
 * @typedef {{ white_ms: number, black_ms: number, running: Color | null, at: number }} Clock
 * @typedef {{ base_ms: number, increment_ms: number }} ClockRule
 * @typedef {{ uci: string, san: string, color: Color, clock_ms?: number }} PlayedMove
 * @typedef {PlayedMove & { fen?: string, placement?: string, checked?: string[] }} RecalledMove a move with the position after it: a
 *   FEN in chess, a placement under other rules
 * @typedef {{ name: string, drawing?: string }} Choice
 * @typedef {{ draw: Color | null, takeback: { color: Color, plies: number } | null, rematch: Color | null }} Offers
 * @typedef {{ type: "chat", username: string, message: string, user_id: string, color: Color | "undefined" }} Chat
 * @typedef {"threefold" | "fifty"} Claim
 *
 * @typedef {{ type: "init", user_id: string, role: "player" | "spectator", token?: string, color: Color | "undefined",
 *   code: string, name: string, chat: Chat[], players: Players, clock?: ClockRule | null, watching?: number, grace_ms?: number,
 *   room?: string, rules?: string, review?: { game: number, games: number, is_open: boolean } }} Init
 * @typedef {{ type: "join" | "leave", user_id: string, username: string, role: "player" | "spectator",
 *   color: Color | "undefined" }} JoinOrLeave
 * @typedef {{ type: "start", color: Color | "undefined", game: number, players: Players }} Start
 * @typedef {{ type: "game_state", board: number[], fen?: string, placement?: string,
 *   pieces?: import("../board/pieces.js").Kinds, choices?: Record<string, Choice>, start_placement?: string, ply: number, game: number, phase: Phase,
 *   last_move: PlayedMove | null, check: Color | null, turn: Color, checked?: string[],
 *   legal_moves: Record<string, string[]>, clock: Clock | null,
 *   offers: Offers, hints: boolean, frozen_ms?: number, claims?: Claim[], start?: string, moves?: RecalledMove[] }} GameState
 * @typedef {{ type: "note" | "close", message: string }} Note
 * @typedef {{ type: "end_of_game", result: string, winner_id: string | null, reason: string, result_text: string,
 *   clock: Clock | null }} EndOfGame
 * @typedef {{ type: "error", status_code: number, message: string }} ErrorMessage
 * @typedef {{ type: "countdown", ms: number }} Countdown
 * @typedef {{ type: "countdown_stopped" }} CountdownStopped
 * @typedef {{ type: "offer", kind: "draw" | "takeback" | "rematch", color: Color, plies?: number }} Offer
 * @typedef {{ type: "offer_declined" | "offer_withdrawn", kind: "draw" | "takeback" | "rematch" }} OfferEnded
 * @typedef {{ type: "corrected", color: Color }} Corrected
 * @typedef {{ type: "presence", color: Color, here: boolean, grace_ms?: number }} Presence
 * @typedef {{ type: "watching", count: number }} Watching
 * @typedef {{ type: "occupancy", color: Color, occupied: string[], in_hand: string[], astray: string[] }} Occupancy
 * @typedef {{ type: "hints", color: Color, on: boolean, agreed: boolean }} Hints
 * @typedef {{ type: "reconnect", after_ms: number }} Reconnect
 * @typedef {{ type: "pong", at: number }} Pong
 * @typedef {{ type: "premoves", ply: number, moves: Record<string, string[]> }} Premoves
 *
 * @typedef {Init | JoinOrLeave | Start | GameState | Chat | Note | EndOfGame | ErrorMessage | Countdown | CountdownStopped
 *   | Offer | OfferEnded | Corrected | Presence | Watching | Occupancy | Hints | Reconnect | Pong | Premoves} Message
 */

export {};
