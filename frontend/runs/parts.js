// The parts of a run: each goes on from the last row of the one before, with other settings.

/** @import { Run } from "../types.js" */

export const MOST_ROWS = 100_000; // of a run, its parts together

/** The part that a row belongs to. @param {Run} run @param {number} row */
export const partAt = (run, row) => run.parts.findLast(({ first }) => first < row) ?? run.parts[0];
