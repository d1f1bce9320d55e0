// Rows of an optimization read: the pairs of one update, and what is said of it.

import { gradientValue, learnersNames, nodeOf } from "../state/lesson.js";
import { dataOf, formatNumber } from "../values/format.js";
import { partAt } from "./parts.js";

/** @import { Program, Run } from "../types.js" */
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

/**
 * The pairs of the update that led to a row; at row 0 those of the update to come.
 * @param {Run} run @param {number} row @returns {Pair[]}
 */
export function pairsAt(run, row) {
  const from = Math.max(0, row - 1);
  const part = partAt(run, row);
  const labels = labelsOf(run.program);
  const loose = new Set(run.program.gradients.flatMap(({ name, tensor }) => (tensor === null ? [name] : [])));
  return Object.entries(run.variables).map(([name, values]) => ({
    name,
    label: labels.get(name) ?? name,
    gradient: run.gradients[name]?.[from] ?? (loose.has(name) ? null : undefined),
    processed: row === 0 ? ASKED : (run.processed?.[name]?.[from] ?? run.gradients[name]?.[from] ?? null),
    before: values[from],
    after: row === 0 ? ASKED : values[row],
    slots: Object.entries(part.slots?.[name] ?? {}).map(([slot, [begun]]) => ({
      ...{ name: slot, before: from === part.first ? begun : run.slots[name][slot][from] },
      after: row === 0 ? ASKED : run.slots[name][slot][row],
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
