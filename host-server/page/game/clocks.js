// Chess clocks: the time left now, computed from what was left at a moment of the relay's time.

import { t } from "../language/language.js";

/**
 * @typedef {import("./state.js").Clock} Clock
 * @typedef {import("../board/colors.js").Color} Color
 */

/** Estimates the offset of the relay's clock from the round trips of pings. */
export class RelayTime {
  /** @type {number | null} */ #offset = null;
  #roundTrip = Infinity;
  #askedAt = 0;

  /** @param {number} at */
  asked(at) {
    this.#askedAt = at;
  }

  /**
   * @param {number} relayAt
   * @param {number} at
   */
  answered(relayAt, at) {
    const roundTrip = at - this.#askedAt;
    // A short round trip is more exact than a long one; clocks drift, so an old estimate loses weight.
    if (roundTrip <= this.#roundTrip * 1.5 || this.#offset === null) {
      this.#roundTrip = roundTrip;
      this.#offset = relayAt - (this.#askedAt + roundTrip / 2);
    } else {
      this.#roundTrip *= 1.2;
    }
  }

  /**
   * How long ago the relay read its clocks, in milliseconds.
   *
   * @param {Clock} clock
   * @param {number} now
   */
  since(clock, now) {
    const sinceReceived = now - clock.receivedAt;
    if (this.#offset === null) return sinceReceived;
    // At least the time since it was received, and at most what a slow connection explains.
    return Math.min(Math.max(now + this.#offset - clock.relayAt, sinceReceived), sinceReceived + 2000);
  }
}

/**
 * The time that a side has left, in milliseconds.
 *
 * @param {Clock} clock
 * @param {Color} color
 * @param {number} since how long ago the clock showed that, in milliseconds
 */
export function left(clock, color, since) {
  const ms = color === "white" ? clock.whiteMs : clock.blackMs;
  return Math.max(0, clock.running === color ? ms - since : ms);
}

/** Below this a clock shows tenths of a second and is marked. */
export const LOW_MS = 20_000;

/**
 * A time as a clock shows it.
 *
 * @param {number} ms
 */
export function face(ms) {
  if (ms < LOW_MS) {
    const tenths = Math.floor(ms / 100);
    return `0:${String(Math.floor(tenths / 10)).padStart(2, "0")}.${tenths % 10}`;
  }
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/**
 * A time in words.
 *
 * @param {number} ms
 */
export function spokenTime(ms) {
  const seconds = Math.round(ms / 1000);
  const parts = /** @type {const} */ ([
    ["time.hours", Math.floor(seconds / 3600)],
    ["time.minutes", Math.floor(seconds / 60) % 60],
    ["time.seconds", seconds % 60],
  ]);
  const words = parts.flatMap(([unit, count]) => (count > 0 ? [t(unit, { count })] : []));
  return words.join(" ") || t("time.none");
}

/**
 * A time control as players write it: `5+3`.
 *
 * @param {{ baseMs: number, incrementMs: number } | null} timeControl
 */
export function timeControlText(timeControl) {
  if (!timeControl) return t("noun.no_clock");
  const minutes = timeControl.baseMs / 60_000;
  const base = Number.isInteger(minutes)
    ? String(minutes)
    : timeControl.baseMs < 60_000
      ? `${timeControl.baseMs / 1000}s`
      : minutes.toFixed(1);
  return `${base}+${timeControl.incrementMs / 1000}`;
}
