// What the relay says, as docs/protocol.md has it under "The JSON of players". Types only.

/**
 * @typedef {import("../board/squares.js").Color} Color
 * @typedef {"waiting" | "counting" | "playing" | "over" | "closed"} Phase
 * @typedef {{ user_id: string, username: string, here: boolean, hints?: boolean }} Person
 * @typedef {{ white: Person | null, black: Person | null }} Players
 * @typedef {{ white_ms: number, black_ms: number, running: Color | null, at: number }} Clock
 * @typedef {{ base_ms: number, increment_ms: number }} ClockRule
 * @typedef {{ uci: string, san: string, clock_ms?: number, fen?: string }} Written
 * @typedef {{ draw: Color | null, takeback: { color: Color, plies: number } | null, rematch: Color | null }} Offers
 * @typedef {{ type: "chat", username: string, message: string, user_id: string, color: Color | "undefined" }} Chat
 * @typedef {"threefold" | "fifty"} Claim
 *
 * @typedef {{ type: "init", user_id: string, role: "player" | "spectator", token?: string, color: Color | "undefined",
 *   code: string, name: string, chat: Chat[], players: Players, clock?: ClockRule | null, watching?: number }} Init
 * @typedef {{ type: "join" | "leave", user_id: string, username: string, role: "player" | "spectator",
 *   color: Color | "undefined" }} Passage
 * @typedef {{ type: "start", color: Color | "undefined", game: number, players: Players }} Start
 * @typedef {{ type: "game_state", board: number[], fen: string, ply: number, game: number, phase: Phase,
 *   last_move: Written | null, check: Color | null, legal_moves: Record<string, string[]>, clock: Clock | null,
 *   offers: Offers, hints: boolean, claims?: Claim[], start?: string, moves?: Written[] }} GameState
 * @typedef {{ type: "note" | "close", message: string }} Saying
 * @typedef {{ type: "end_of_game", result: string, winner_id: string | null, reason: string, result_text: string,
 *   clock: Clock | null }} EndOfGame
 * @typedef {{ type: "error", status_code: number, message: string }} Complaint
 * @typedef {{ type: "countdown", ms: number }} Countdown
 * @typedef {{ type: "countdown_stopped" }} CountdownStopped
 * @typedef {{ type: "offer", kind: "draw" | "takeback" | "rematch", color: Color, plies?: number }} Offer
 * @typedef {{ type: "offer_declined", kind: "draw" | "takeback" | "rematch" }} OfferDeclined
 * @typedef {{ type: "presence", color: Color, here: boolean, grace_ms?: number }} Presence
 * @typedef {{ type: "watching", count: number }} Watching
 * @typedef {{ type: "wood", color: Color, occupied: string[], in_hand: string[], astray: string[] }} Wood
 * @typedef {{ type: "hints", color: Color, on: boolean, agreed: boolean }} Hints
 * @typedef {{ type: "reconnect", after_ms: number }} Reconnect
 * @typedef {{ type: "pong", at: number }} Pong
 *
 * @typedef {Init | Passage | Start | GameState | Chat | Saying | EndOfGame | Complaint | Countdown | CountdownStopped
 *   | Offer | OfferDeclined | Presence | Watching | Wood | Hints | Reconnect | Pong} Message
 */

export {};
