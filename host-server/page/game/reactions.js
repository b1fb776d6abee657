// The sound and the announcement for a message of the relay or a change of the selection.

import { colorName } from "../board/colors.js";
import { pieceCount } from "../board/placement.js";
import { spoken } from "../board/spoken.js";
import { recall } from "../common/memory.js";
import { playerName } from "../common/player-name.js";
import { t } from "../language/language.js";
import { side } from "./reducer.js";
import { isVisible } from "./spectator-chat.js";
import { isChess, isOurTurn, targets } from "./state.js";
import { endingSentence, spokenReview } from "./words.js";

/**
 * @typedef {import("./state.js").Match} Match
 * @typedef {import("./selection.js").Selection} Selection
 * @typedef {import("../relay/game-messages.js").Message} Message
 * @typedef {{ sound?: import("../common/sound.js").Sound, sentence?: string, isUrgent?: boolean }} Reaction
 */

const OFFERS = /** @type {const} */ ({ draw: "offer.draw", takeback: "offer.takeback", rematch: "offer.rematch" });
const STARTS = /** @type {const} */ ({ white: "announce.starts_white", black: "announce.starts_black" });

/**
 * @param {Match} before
 * @param {Match} after
 * @param {Message} message
 * @returns {Reaction | null}
 */
export function messageReaction(before, after, message) {
  switch (message.type) {
    case "start":
      // A reconnect brings the message again for the same game.
      if (before.game === message.game) return null;
      return { sound: "start", sentence: t(after.color ? STARTS[after.color] : "announce.starts") };
    case "game_state":
      return moveReaction(before, after);
    case "end_of_game":
      return before.ending ? null : { sound: "end", sentence: endingSentence(after), isUrgent: true };
    case "offer": {
      if (message.color === after.color) return null;
      const name = after.players[message.color]?.name ?? colorName(message.color);
      return { sound: "offer", sentence: t(OFFERS[message.kind], { name }) };
    }
    case "offer_declined":
    case "offer_withdrawn":
    case "corrected":
      return after.news && after.news !== before.news ? { sentence: after.news.sentence } : null;
    case "chat":
      if (message.user_id === after.id) return null;
      if (recall("local", "chat") === "off" || !isVisible(after, side(message.color))) return null;
      return { sound: "chat", sentence: `${message.username}: ${message.message}` };
    case "presence": {
      const name = after.players[message.color]?.name;
      if (!name || message.color === after.color || before.players[message.color]?.here === message.here) return null;
      return { sentence: t(message.here ? "announce.here" : "announce.gone", { name }) };
    }
    case "leave":
      if (message.role !== "player" || message.user_id === after.id) return null;
      return { sentence: t("announce.left", { name: playerName(message.username) }) };
    case "error":
      // The banner says why a game cannot be entered.
      return after.isJoined ? { sentence: after.error?.sentence ?? message.message, isUrgent: true } : null;
    default:
      return null;
  }
}

/**
 * @param {Match} before
 * @param {Match} after
 * @returns {Reaction | null}
 */
function moveReaction(before, after) {
  if (!before.isJoined || before.game !== after.game || before.now.id === after.now.id) return null;
  const ply = after.plies.at(-1);
  // A correction is announced by its own message.
  if (after.plies.length < before.plies.length) return { sound: "move", ...(!before.isCorrected && { sentence: t("offer.takeback_accepted") }) };
  if (!ply || after.plies.length === before.plies.length) return null;
  const isCapture = pieceCount(after.now.placement) < pieceCount(before.now.placement);
  const sound = after.now.checked.length > 0 ? "check" : isCapture ? "capture" : "move";
  const [from, to] = [ply.uci.slice(0, 2), ply.uci.slice(2, 4)];
  const move = isChess(after) ? spoken(ply.san) : t("spoken.from_to", { from, to });
  const sentence = t("spoken.by", { color: colorName(ply.color), move });
  return { sound, sentence: isOurTurn(after) && Object.keys(after.legal).length > 0 ? t("spoken.your_move", { sentence }) : sentence };
}

/**
 * @param {Match} match
 * @param {Selection} before
 * @param {Selection} after
 * @returns {Reaction | null}
 */
export function selectionReaction(match, before, after) {
  const { premove, square, review } = after;
  if (premove && premove !== before.premove) {
    return { sentence: t("announce.premove", { ...premove }) };
  }
  if (square && square !== before.square && isOurTurn(match)) {
    const squares = targets(match, square);
    return { sentence: squares.length > 0 ? t("announce.targets", { squares: squares.join(", ") }) : t("announce.no_targets") };
  }
  return review === before.review ? null : { sentence: spokenReview(match, review) };
}
