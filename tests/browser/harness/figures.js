// Measured figures, with their limits.

/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {number} value
 * @property {number} limit
 * @property {string} unit
 * @property {boolean} isTime a time depends on the machine, so a missed limit is printed and fails nothing
 */

/** @type {Figure[]} */
const figures = [];

/** @param {Figure} figure */
export function note(figure) {
  figures.push(figure);
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = NaN, high = NaN] = [sorted[sorted.length % 2 ? middle : middle - 1], sorted[middle]];
  return (low + high) / 2;
}

/** @param {Figure} figure */
function isKept({ value, limit }) {
  return limit === 0 ? value === 0 : value < limit;
}

/** A line for each figure. */
export function table() {
  const rows = figures.map((figure) => [
    figure.what,
    `${written(figure.value)} ${figure.unit}`,
    figure.limit === 0 ? "none" : `< ${figure.limit} ${figure.unit}`,
    isKept(figure) ? "" : "missed",
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()).join("\n");
}

/** The figures that exceed a limit which must hold. */
export function broken() {
  return figures.filter((figure) => !figure.isTime && !isKept(figure)).map(({ what }) => what);
}

/** @param {number} value */
function written(value) {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1);
}
