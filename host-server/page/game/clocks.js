// What a clock shows now. The relay's word counts: it says what was left at a moment of its own time.

/**
 * @typedef {import("./state.js").Clock} Clock
 * @typedef {import("../board/squares.js").Color} Color
 */

/** Finds out what time it is at the relay, from how quickly it answers. */
export class RelayTime {
  /** @type {number | null} */ #ahead = null;
  #trip = Infinity;
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
    const trip = at - this.#askedAt;
    // A quick answer knows better than a slow one; but clocks drift, so none is believed for ever.
    if (trip <= this.#trip * 1.5 || this.#ahead === null) {
      this.#trip = trip;
      this.#ahead = relayAt - (this.#askedAt + trip / 2);
    } else {
      this.#trip *= 1.2;
    }
  }

  /**
   * How long ago it was that the clocks showed what we know.
   *
   * @param {Clock} clock
   * @param {number} now
   */
  since(clock, now) {
    const sinceHeard = now - clock.heardAt;
    if (this.#ahead === null) return sinceHeard;
    // Never less than since we heard of it, and never more than a slow line explains.
    return Math.min(Math.max(now + this.#ahead - clock.relayAt, sinceHeard), sinceHeard + 2000);
  }
}

/**
 * What a side has left.
 *
 * @param {Clock} clock
 * @param {Color} color
 * @param {number} since how long ago that was
 */
export function left(clock, color, since) {
  const ms = color === "white" ? clock.whiteMs : clock.blackMs;
  return Math.max(0, clock.running === color ? ms - since : ms);
}

/** Below this a clock shows tenths, and warns. */
export const LOW_MS = 20_000;

/**
 * As a clock shows it.
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
 * As one says it.
 *
 * @param {number} ms
 */
export function spokenTime(ms) {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), "hour"],
    [Math.floor(seconds / 60) % 60, "minute"],
    [seconds % 60, "second"],
  ];
  const said = parts.filter(([n]) => n).map(([n, unit]) => `${n} ${unit}${n === 1 ? "" : "s"}`);
  return said.join(" ") || "no time";
}

/**
 * How a match is timed, as players write it: `5+3`.
 *
 * @param {{ baseMs: number, incrementMs: number } | null} rule
 */
export function ruleText(rule) {
  if (!rule) return "no clock";
  const minutes = rule.baseMs / 60_000;
  const base = Number.isInteger(minutes)
    ? String(minutes)
    : rule.baseMs < 60_000
      ? `${rule.baseMs / 1000}s`
      : minutes.toFixed(1);
  return `${base}+${rule.incrementMs / 1000}`;
}
