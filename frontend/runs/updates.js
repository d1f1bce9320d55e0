// Rows of an optimization read: the pairs of one update, and what is said of it.

import { gradientValue, learnersNames, nodeOf } from "../state/lesson.js";
import { dataOf, formatNumber } from "../values/format.js";
import { partAt } from "./parts.js";

/** @import { Program, Run, RunStep } from "../types.js" */
/**
 * One (gradient, variable) pair of one update.
 * @typedef {object} Pair
 * @property {string} name        of the gradient, as the answer has it
 * @property {string} label       what the learner calls the variable
 * @property {unknown} gradient   null where no path joins it to the loss, undefined where a long run has not kept it
 * @property {unknown} processed
 * @property {unknown} before     the variable's value
 * @property {unknown} after
 * @property {Slot[]} slots
 */
/** @typedef {{name: string, before: unknown, after: unknown}} Slot  one part of the optimizer's state */

const VARIABLES = new Set(["VariableV2", "Variable", "VarHandleOp"]);

/** The gradients that belong to variables, None included. @param {Program} program */
export function variableGradients(program) {
  if (program.gradients.length === 0) return []; // a graph file has none, and may have very many nodes
  const ops = new Map(program.graph.nodes.map((node) => [node.name, node]));
  return program.gradients.filter((gradient) => VARIABLES.has(ops.get(nodeOf(gradient.x))?.op ?? ""));
}

/** Whether a program differentiates by arrays that are no variables, as those of JAX. @param {Program | null} program */
export const lacksVariables = (program) => program?.dialect === "jax" && variableGradients(program).length === 0;

/** What the learner calls each variable, by the gradient's name. @param {Program} program */
function labelsOf(program) {
  const names = learnersNames(program);
  return new Map(program.gradients.map(({ name, x }) => [name, names.get(nodeOf(x)) ?? name]));
}

/** A value's numbers; of one too large to be sent, the value as it was sent. @param {import("../types.js").Value | undefined} value */
const numbersOf = (value) => dataOf(value) ?? value ?? null;

/** What stands in a pair for what is not known yet. */
export const ASKED = "?";

/**
 * The pairs before any update; a gradient that the lesson has not reached is asked for.
 * @param {Program} program @param {Pick<import("../state/lesson.js").Known, "exact" | "status">} known @returns {Pair[]}
 */
export function pairsBefore(program, { exact, status }) {
  const gradients = variableGradients(program);
  if (gradients.length === 0) return [];
  const labels = labelsOf(program);
  return gradients.map((gradient) => ({
    ...{
      name: gradient.name,
      label: labels.get(gradient.name) ?? gradient.name,
      gradient:
        gradient.tensor && status.get(nodeOf(gradient.tensor)) === "waiting" ? ASKED : numbersOf(gradientValue(gradient, exact)),
    },
    ...{ processed: ASKED, before: numbersOf(exact.get(nodeOf(gradient.x))), after: ASKED, slots: [] },
  }));
}

/** @typedef {{readonly before: RunStep, readonly after: RunStep}} Around  every tensor at the row before an update, and after it */

/** A number of a pair in a step that was asked for by itself; null where it is not there. @param {RunStep | undefined} step @param {string} name @param {"variable" | "gradient" | "processed"} kind */
function inStep(step, name, kind) {
  const tensor = step?.pairs[name]?.[kind];
  return tensor ? numbersOf(step?.nodes[tensor]) : null;
}

/** The same of a part of the optimizer's state. @param {RunStep | undefined} step @param {string} name @param {string} slot */
const slotInStep = (step, name, slot) => numbersOf(step?.nodes[step.pairs[name]?.slots[slot] ?? ""]);

/** Whether a long run has not kept some numbers of these pairs. @param {readonly Pair[]} pairs */
export const areLeftOut = (pairs) =>
  pairs.some(({ gradient, before, after }) => gradient === undefined || before === null || after === null);

/**
 * The pairs of the update that led to a row; at row 0 those of the update to come.
 * @param {Run} run @param {number} row @param {Around | null} [around]  for what the columns have not kept @returns {Pair[]}
 */
export function pairsAt(run, row, around = null) {
  const from = Math.max(0, row - 1);
  const part = partAt(run, row);
  const labels = labelsOf(run.program);
  const loose = new Set(run.program.gradients.flatMap(({ name, tensor }) => (tensor === null ? [name] : [])));
  return Object.entries(run.variables).map(([name, values]) => ({
    name,
    label: labels.get(name) ?? name,
    gradient: loose.has(name) ? null : (run.gradients[name]?.[from] ?? inStep(around?.before, name, "gradient") ?? undefined),
    processed:
      row === 0
        ? ASKED
        : (run.processed?.[name]?.[from] ?? run.gradients[name]?.[from] ?? inStep(around?.before, name, "processed")),
    before: values[from] ?? inStep(around?.before, name, "variable"),
    after: row === 0 ? ASKED : (values[row] ?? inStep(around?.after, name, "variable")),
    slots: Object.entries(part.slots?.[name] ?? {}).map(([slot, [begun]]) => ({
      name: slot,
      before: from === part.first ? begun : (run.slots[name][slot][from] ?? slotInStep(around?.before, name, slot)),
      after: row === 0 ? ASKED : (run.slots[name][slot][row] ?? slotInStep(around?.after, name, slot)),
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
