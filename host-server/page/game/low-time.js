// The warning, once a game, that our clock runs low.

import { announce } from "../common/announce.js";
import { play } from "../common/sound.js";
import { t } from "../language/language.js";
import { LOW_MS, left } from "./clocks.js";

export class LowTimeWarning {
  /** The game in which the warning was given. */
  #warnedGame = 0;

  render() {}

  /**
   * @param {import("./view-state.js").ViewState} state
   * @param {import("./view-state.js").Moment} moment
   */
  tick({ match: { clock, color, game, phase } }, { sinceClock }) {
    if (!clock || !color || clock.running !== color || phase !== "playing" || this.#warnedGame === game) return;
    if (left(clock, color, sinceClock) >= LOW_MS) return;
    this.#warnedGame = game;
    play("warn");
    announce(t("announce.low_time"), "assertive");
  }
}
