// What is heard when something happens: a sound, and words for those who listen.

import { spoken } from "../board/spoken.js";
import { isOurTurn } from "./state.js";
import { endingSentence } from "./words.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {import("../relay/messages.js").Message} Message
 * @typedef {{ sound?: import("../common/sound.js").Sound, say?: string, isUrgent?: boolean }} Reaction
 */

/**
 * @param {Match} before
 * @param {Match} after
 * @param {Message} message
 * @returns {Reaction | null}
 */
export function reaction(before, after, message) {
  switch (message.type) {
    case "start":
      // Who comes back hears it again, and nothing has begun.
      if (before.game === message.game) return null;
      return { sound: "start", say: after.color ? `The game begins. You play ${after.color}.` : "The game begins." };
    case "game_state":
      return moved(before, after);
    case "end_of_game":
      return before.ending ? null : { sound: "end", say: endingSentence(after), isUrgent: true };
    case "offer": {
      if (message.color === after.color) return null;
      const who = after.players[message.color]?.name ?? message.color;
      const what = { draw: "offers a draw", takeback: "asks to take back a move", rematch: "would like to play again" };
      return { sound: "offer", say: `${who} ${what[message.kind]}.` };
    }
    case "offer_declined":
      return { say: message.kind === "draw" ? "The draw is declined." : "Declined." };
    case "chat":
      return message.user_id === after.id
        ? null
        : { sound: "chat", say: `${message.username} says: ${message.message}` };
    case "presence": {
      const name = after.players[message.color]?.name;
      if (!name || message.color === after.color || before.players[message.color]?.here === message.here) return null;
      return { say: message.here ? `${name} is here.` : `${name} has lost the connection.` };
    }
    case "hints": {
      if (message.agreed !== before.hints) {
        return { say: message.agreed ? "Both agree to hints: wooden boards show them now." : "There are no hints any more." };
      }
      const who = after.players[message.color]?.name;
      return who && message.on && message.color !== after.color ? { say: `${who} agrees to hints.` } : null;
    }
    case "leave":
      return message.role === "player" && message.user_id !== after.id
        ? { say: `${message.username} has left.` }
        : null;
    case "error":
      return { say: message.message, isUrgent: true };
    default:
      return null;
  }
}

/**
 * @param {Match} before
 * @param {Match} after
 * @returns {Reaction | null}
 */
function moved(before, after) {
  if (!before.isGreeted || before.game !== after.game || before.fen === after.fen) return null;
  const ply = after.plies.at(-1);
  if (after.plies.length < before.plies.length) return { sound: "move", say: "Moves were taken back." };
  if (!ply || after.plies.length === before.plies.length) return null;
  const mover = after.turn === "white" ? "Black" : "White";
  const sound = after.check ? "check" : ply.san.includes("x") ? "capture" : "move";
  return { sound, say: `${mover}: ${spoken(ply.san)}.${isOurTurn(after) ? " Your move." : ""}` };
}
