// What the console of a board says about its calibration, in the language of the user, and about its self-test and its statistics.

/**
 * @typedef {object} CalibrationStep
 * @property {import("./language.js").Key} key
 * @property {string} [square] the square to touch
 * @property {boolean} [isOver] whether the calibration has ended
 */

/** @type {Record<string, CalibrationStep>} */
export const CALIBRATION_STEPS = {
  "remove all pieces, and put one piece on a1": { key: "owner.step_first", square: "a1" },
  "lift the piece, and put it on b2": { key: "owner.step_next", square: "b2" },
  "lift the piece, and put it on c3": { key: "owner.step_next", square: "c3" },
  "lift the piece, and put it on d4": { key: "owner.step_next", square: "d4" },
  "lift the piece, and put it on e5": { key: "owner.step_next", square: "e5" },
  "lift the piece, and put it on f6": { key: "owner.step_next", square: "f6" },
  "lift the piece, and put it on g7": { key: "owner.step_next", square: "g7" },
  "lift the piece, and put it on h8": { key: "owner.step_next", square: "h8" },
  "lift the piece, and put it on h1": { key: "owner.step_next", square: "h1" },
  "remove all pieces, and put one piece on the square that is lit": { key: "owner.step_light" },
  "lift the piece, and put it on the square that is lit now": { key: "owner.step_light_next" },
  "done, and stored": { key: "owner.calibrated", isOver: true },
  "not running": { key: "owner.stopped", isOver: true },
  "stopped; nothing has changed": { key: "owner.stopped", isOver: true },
  "reset to the wiring of the documents": { key: "owner.uncalibrated", isOver: true },
  "given up after a minute without a piece; nothing has changed": { key: "owner.timed_out", isOver: true },
  "two squares of the diagonal answer on the same wire, or h1 on a third one: another square was touched, or two wires touch, which `selftest` shows": {
    key: "owner.wires",
    isOver: true,
  },
  "the lights are neither a serpentine nor straight rows that begin in a corner": { key: "owner.chain", isOver: true },
};

/** The lines of `stats` that are shown, with the words for them. @type {[RegExp, import("./language.js").Key][]} */
export const STATISTICS_LINES = [
  [/^up (.*)$/, "owner.stat_up"],
  [/^connections (.*)$/, "owner.stat_connections"],
  [/^link frames (\d+), .*$/, "owner.stat_frames"],
  [/^link frames \d+, sent again (.*)$/, "owner.stat_resent"],
  [/^weak magnets (.*)$/, "owner.stat_weak"],
  [/^faulty switches (.*)$/, "owner.stat_faulty"],
  [/^scans lost (.*)$/, "owner.stat_lost"],
  [/^clock (.*)$/, "owner.stat_clock"],
  [/^started by (.*)$/, "owner.stat_started"],
  [/^starts so far: (.*)$/, "owner.stat_starts"],
  [/^last failure: (.*)$/, "owner.stat_failure"],
  [/^journal writes (\d+), failed \d+$/, "owner.stat_writes"],
  [/^journal writes \d+, failed (\d+)$/, "owner.stat_failed"],
  [/^journal erased (\d+) times so far$/, "owner.stat_erased"],
];

/**
 * What a self-test found: lines that say so, and all lines about wires, which come after the journal, unless they are sound.
 *
 * @param {string} answer
 */
export function faultsOf(answer) {
  const lines = answer.split("\r\n").filter((line) => line !== "");
  const wires = lines.slice(lines.findIndex((line) => line.startsWith("journal ")) + 1);
  return [...lines.filter((line) => line.includes("BAD")), ...wires.filter((line) => line !== "all 16 wires are sound")];
}
