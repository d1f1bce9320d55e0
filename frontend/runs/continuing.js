// What a run is continued with, and how far at a time.

import { nodeOf } from "../state/lesson.js";
import { variableGradients } from "./updates.js";

/** @import { Data, Program, Run } from "../types.js" */

/** The values of some columns at one row, but for those that are blank there. @param {Record<string, Data[]>} columns @param {number} row */
export const valuesAt = (columns, row) =>
  Object.fromEntries(Object.entries(columns).flatMap(([name, column]) => (column[row] === null ? [] : [[name, column[row]]])));

/**
 * What a run goes on with after the last row of another: the variables, and the optimizer's state where
 * the optimizer is the same; a schedule that is changed counts from its own start.
 * @param {Run} run
 * @param {import("./optimizers.js").OptimizerSettings} before
 * @param {import("./optimizers.js").OptimizerSettings} after
 * @returns {Pick<import("../types.js").RunRequest, "start" | "slots">}
 */
export function carriedOn(run, before, after) {
  const last = run.steps.length - 1;
  const start = valuesAt(run.variables, last);
  if (before.name !== after.name) return { start };
  const { global_step: counted, ...shared } = valuesAt(run.shared ?? {}, last);
  const counts = counted !== undefined && before.schedule === after.schedule ? { global_step: counted } : {};
  const slots = Object.entries(run.slots ?? {}).map(([name, columns]) => [name, valuesAt(columns, last)]);
  return { start: { ...start, ...shared, ...counts }, slots: Object.fromEntries(slots) };
}

const MOST_AHEAD = 100; // rows
const KEPT = 2_000_000 / 6; // numbers of the variables in all rows that are kept: beside each are its gradients and slots

/** How many rows to ask for at once, so that the following steps need no request and yet none is left out. @param {Program} program */
export function rowsAhead(program) {
  const of = new Set(variableGradients(program).map(({ x }) => nodeOf(x)));
  let numbers = 0;
  for (const { name, outputs } of program.graph.nodes)
    if (of.has(name)) numbers += (outputs[0].shape ?? []).reduce((/** @type {number} */ size, axis) => size * (axis ?? 1), 1);
  return Math.max(1, Math.min(MOST_AHEAD, Math.floor(KEPT / numbers) - 1));
}
