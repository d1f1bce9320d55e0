// Rows of an optimization: cutting, joining and reading the columns that the server computes.
//
// Row 0 is the start, row k the state after k updates. When a setting changes in the middle, the
// rows so far are kept and a new run continues from the last of them.

import { dataOf, formatNumber } from "./format.js";
import { learnersNames, nodeOf } from "./lesson.js";

/** @typedef {import("./api.js").Data} Data */
/** @typedef {import("./api.js").Run} Run */
/** @typedef {import("./api.js").Program} Program */
/**
 * One (gradient, variable) pair of one update.
 * @typedef {object} Pair
 * @property {string} name        of the gradient, as the answer has it
 * @property {string} label       what the learner calls the variable
 * @property {unknown} gradient
 * @property {unknown} processed
 * @property {unknown} before     the variable's value
 * @property {unknown} after
 * @property {Slot[]} slots
 */
/** @typedef {{name: string, before: unknown, after: unknown}} Slot  one part of the optimizer's state */

const VARIABLES = new Set(["VariableV2", "Variable", "VarHandleOp"]);
const TABLES = /** @type {const} */ (["variables", "gradients", "processed", "shared", "nodes"]);

/**
 * Every table of a run with each of its columns replaced.
 * @param {Run} run
 * @param {(key: typeof TABLES[number], name: string) => Data[]} column
 */
const tables = (run, column) =>
  Object.fromEntries(
    TABLES.map((key) => [
      key,
      Object.fromEntries(Object.keys(run[key] ?? {}).map((name) => [name, column(key, name)])),
    ]),
  );

/**
 * The slots of a run with each of their columns replaced.
 * @param {Run} run
 * @param {(column: Data[], name: string, slot: string) => Data[]} replaced
 */
const slotTables = (run, replaced) =>
  Object.fromEntries(
    Object.entries(run.slots ?? {}).map(([name, slots]) => [
      name,
      Object.fromEntries(Object.entries(slots).map(([slot, column]) => [slot, replaced(column, name, slot)])),
    ]),
  );

/** Rows 0 … row. @param {Run} run @param {number} row @returns {Run} */
export const cutAfter = (run, row) => ({
  ...run,
  slots: slotTables(run, (column) => column.slice(0, row + 1)),
  rates: run.rates?.slice(0, row + 1),
  ...tables(run, (key, name) => (run[key]?.[name] ?? []).slice(0, row + 1)),
  steps: run.steps.slice(0, row + 1),
  loss: run.loss.slice(0, row + 1),
});

/** A run followed by one that started where it ends. @param {Run} before @param {Run} after @returns {Run} */
export function joined(before, after) {
  const last = before.steps.length - 1;
  const blank = Array(last + 1).fill(null); // a tensor that only the later run has
  const stop = after.stopped_at;
  return {
    ...after,
    ...tables(after, (key, name) => [
      ...(before[key]?.[name] ?? blank),
      ...(after[key]?.[name] ?? []).slice(1),
    ]),
    slots: slotTables(after, (column, name, slot) => [
      ...(before.slots?.[name]?.[slot] ?? blank),
      ...column.slice(1),
    ]),
    rates: [...(before.rates ?? blank), ...(after.rates ?? []).slice(1)],
    steps: [...before.steps, ...after.steps.slice(1).map((step) => step + last)],
    loss: [...before.loss, ...after.loss.slice(1)],
    stopped_at: stop && { ...stop, step: stop.step + last },
  };
}

/** The values of some columns at one row. @param {Record<string, Data[]>} columns @param {number} row */
export const valuesAt = (columns, row) =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[row]]));

/**
 * What a run goes on with after the last row of another: the variables, and the optimizer's state where
 * the optimizer is the same; a schedule that is changed counts from its own start.
 * @param {Run} run
 * @param {import("./optimizers.js").OptimizerSettings} before
 * @param {import("./optimizers.js").OptimizerSettings} after
 * @returns {Pick<import("./api.js").RunRequest, "start" | "slots">}
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

/** The gradients that belong to variables, None included. @param {Program} program */
export function variableGradients(program) {
  if (program.gradients.length === 0) return []; // a graph file has none, and may have very many nodes
  const ops = new Map(program.graph.nodes.map((node) => [node.name, node]));
  return program.gradients.filter((gradient) => VARIABLES.has(ops.get(nodeOf(gradient.x))?.op ?? ""));
}

/** What the learner calls each variable, by the gradient's name. @param {Program} program */
function labelsOf(program) {
  const names = learnersNames(program);
  return new Map(program.gradients.map(({ name, x }) => [name, names.get(nodeOf(x)) ?? name]));
}

/** What stands in a pair for what is not known yet. */
export const ASKED = "?";

/**
 * The pairs before any update; a gradient that the lesson has not reached is asked for.
 * @param {Program} program @param {(node: string) => boolean} isKnown @returns {Pair[]}
 */
export function pairsBefore(program, isKnown) {
  const gradients = variableGradients(program);
  if (gradients.length === 0) return [];
  const labels = labelsOf(program);
  const values = new Map(program.graph.nodes.map((node) => [node.name, node.value]));
  return gradients.map((gradient) => ({
    ...{
      name: gradient.name,
      label: labels.get(gradient.name) ?? gradient.name,
      gradient: gradient.tensor && !isKnown(nodeOf(gradient.tensor)) ? ASKED : dataOf(gradient.value),
    },
    ...{ processed: ASKED, before: dataOf(values.get(nodeOf(gradient.x))), after: ASKED, slots: [] },
  }));
}

/**
 * The pairs of the update that led to a row; at row 0 those of the update to come.
 * @param {Run} run @param {number} row @returns {Pair[]}
 */
export function pairsAt(run, row) {
  const from = Math.max(0, row - 1);
  const labels = labelsOf(run.program);
  return Object.entries(run.variables).map(([name, values]) => ({
    name,
    label: labels.get(name) ?? name,
    gradient: run.gradients[name]?.[from] ?? null,
    processed: row === 0 ? ASKED : (run.processed?.[name]?.[from] ?? run.gradients[name]?.[from] ?? null),
    before: values[from],
    after: row === 0 ? ASKED : values[row],
    slots: Object.entries(run.slots?.[name] ?? {}).map(([slot, column]) => ({
      ...{ name: slot, before: column[from] },
      after: row === 0 ? ASKED : column[row],
    })),
  }));
}

/**
 * "x ← 3 − 0.01 × 6 = 2.94" of a scalar under gradient descent; "x: 3 → 2.94" where the rate is the
 * program's own; "" of anything larger.
 * @param {Pair} pair @param {number | null} rate
 */
export function updateSentence({ label, processed, before, after }, rate) {
  if (![processed, before, after].every((value) => typeof value === "number")) return "";
  const [g, old, now] = [processed, before, after].map((value) => formatNumber(Number(value)));
  if (rate === null) return `${label}: ${old} → ${now}`;
  return `${label} ← ${old} − ${formatNumber(rate)} × ${Number(processed) < 0 ? `(${g})` : g} = ${now}`;
}
