// The parts of a run: each goes on from the last row of the one before, with other settings.

/** @import { Run } from "../types.js" */
/** @typedef {{first: number, settings: import("./optimizers.js").OptimizerSettings}} Stage */

export const MOST_ROWS = 100_000; // of a run, its parts together

/** The part that a row belongs to. @param {Run} run @param {number} row */
export const partAt = (run, row) => run.parts.findLast(({ first }) => first < row) ?? run.parts[0];

/**
 * The settings that the rows up to this one were made with, each with the row that it was chosen at.
 * @param {Run} run @param {number} row @returns {Stage[]}
 */
export function stagesOf({ parts }, row) {
  const made = parts.filter(({ first }) => first < row);
  return made
    .filter(({ settings }, i) => i === 0 || settings !== made[i - 1].settings)
    .map(({ first, settings }) => ({ first, settings }));
}
