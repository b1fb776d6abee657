// The channel of spectators in the chat: players of a running game see it only if they want to.

import { recall, remember } from "../common/memory.js";
import { isPlaying } from "./state.js";

const KEY = "chat.spectators";

/** Whether this browser shows messages of spectators during a game. */
export const areSpectatorsShown = () => recall("local", KEY) === "on";

/** @param {boolean} isShown */
export const showSpectators = (isShown) => remember("local", KEY, isShown ? "on" : null);

/**
 * Whether a message of this side, or of a spectator, is shown.
 *
 * @param {import("./state.js").Match} match
 * @param {import("./state.js").Color | null} color
 */
export function isVisible(match, color) {
  return color !== null || !isPlaying(match) || areSpectatorsShown();
}
