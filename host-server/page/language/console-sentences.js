// What the console of a board says about its calibration, in the language of the user.

/**
 * @typedef {object} CalibrationStep
 * @property {import("./language.js").Key} key
 * @property {string} [square] the square to touch
 * @property {boolean} [isOver] whether the calibration has ended
 */

/** @type {Record<string, CalibrationStep>} */
export const CALIBRATION_STEPS = {
  "remove all pieces, and put one piece on a1": { key: "owner.step_first", square: "a1" },
  "lift the piece, and put it on h1": { key: "owner.step_next", square: "h1" },
  "lift the piece, and put it on a8": { key: "owner.step_next", square: "a8" },
  "remove all pieces, and put one piece on the square that is lit": { key: "owner.step_light" },
  "lift the piece, and put it on the square that is lit now": { key: "owner.step_light_next" },
  "done, and stored": { key: "owner.calibrated", isOver: true },
  "not running": { key: "owner.stopped", isOver: true },
  "stopped; nothing has changed": { key: "owner.stopped", isOver: true },
  "reset to the wiring of the documents": { key: "owner.uncalibrated", isOver: true },
  "given up after a minute without a piece; nothing has changed": { key: "owner.timed_out", isOver: true },
  "a1, h1 and a8 are not at corners of the matrix: the order of its wires is wrong": { key: "owner.wires", isOver: true },
  "the lights are neither a serpentine nor straight rows that begin in a corner": { key: "owner.chain", isOver: true },
};
