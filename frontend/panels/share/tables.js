// What is on the page as tables of numbers: every node or quantity as far as it is known now, and a run row by row.

import { gradientValue, learnersNames, nodeOf } from "../../state/lesson.js";
import { known, knownHere, level, picture, shownProgram } from "../../state/selectors.js";
import { state, t } from "../../store.js";
import { cellOf } from "../../values/csv.js";
import { dataOf } from "../../values/format.js";

/** @import { Data, Program, Run, Value } from "../../types.js" */
/** @typedef {import("../../values/csv.js").Cell[][]} Rows */

/** A value in one cell: a number as it is, an array as JSON, nothing where it is not known. @param {Value | undefined} value */
const cell = (value) => cellOf(dataOf(value ?? null));

/** @param {...string} keys */
const headings = (...keys) => keys.map((key) => t(key));

/** What stands in the table of the dock. @returns {Rows} */
export function valueRows() {
  if (level.value === "mathematics") return quantityRows();
  return shownProgram.value ? nodeRows(shownProgram.value) : [];
}

/** @param {import("../../state/lesson.js").Known} knowledge @param {string} name */
const knownOf = ({ status, exact }, name) => (status.get(name) === "waiting" ? null : exact.get(name));

/** @returns {Rows} */
function quantityRows() {
  const parts = [...(picture.value?.parts.values() ?? [])];
  const gradients = new Map(
    parts.flatMap((part) => (part.kind === "gradient" && part.quantity ? [[part.quantity, part.id]] : [])),
  );
  const labels = new Map(parts.map(({ id, label }) => [id, label]));
  const rows = parts
    .filter(({ kind }) => kind === "quantity" || kind === "process" || kind === "update")
    .map(({ id, label, inputs }) => [
      label,
      [...new Set(inputs)].flatMap((input) => labels.get(input) || []).join("; "),
      cell(knownOf(knownHere.value, id)),
      cell(gradients.has(id) ? knownOf(knownHere.value, gradients.get(id) ?? "") : null),
    ]);
  return [headings("table.quantity", "table.made_of", "table.value", "table.gradient_plain"), ...rows];
}

/** @param {Program} program @returns {Rows} */
function nodeRows(program) {
  const names = learnersNames(program);
  const gradients = gradientsSoFar(program);
  const rows = program.graph.nodes.map(({ name, op, inputs, control_inputs: controls }) => [
    name,
    names.get(name) ?? "",
    op,
    [...inputs, ...controls.map((each) => `^${each}`)].join("; "),
    cell(knownOf(known.value, name)),
    cell(gradients.get(name)),
  ]);
  return [headings("table.node", "download.name", "table.op", "table.inputs", "table.value", "table.gradient_plain"), ...rows];
}

/** The gradients that have arrived at nodes. @param {Program} program */
function gradientsSoFar(program) {
  const { steps, cursor, optimising } = state.value;
  const { status, exact } = known.value;
  /** @type {Map<string, Value>} */
  const found = new Map();
  if (!optimising)
    for (const { of, upstream, index } of steps) if (of && upstream && index <= cursor) found.set(of, upstream.value);
  for (const gradient of program.gradients) {
    const { x, tensor } = gradient;
    if (tensor !== null && status.get(nodeOf(tensor)) !== "waiting") found.set(nodeOf(x), gradientValue(gradient, exact));
  }
  return found;
}

/** The rows of a run that were shown so far: step, loss, and each number of each variable and of its gradient. @param {Run} run @param {number} furthest @returns {Rows} */
export function runRows(run, furthest) {
  const columns = [
    ...Object.entries(run.variables).flatMap(([name, rows]) => columnsOf(name, rows)),
    ...Object.entries(run.gradients).flatMap(([name, rows]) => columnsOf(t("download.gradient_of", { name }), rows)),
  ];
  const rows = run.steps
    .slice(0, furthest + 1)
    .map((step, k) => [step, cell(/** @type {Value} */ (run.loss[k])), ...columns.map(({ at }) => at(k))]);
  return [[...headings("download.update", "optimizer.loss"), ...columns.map(({ title }) => title)], ...rows];
}

/** A column for each number. @param {string} name @param {Data[]} rows @returns {{title: string, at: (row: number) => import("../../values/csv.js").Cell}[]} */
function columnsOf(name, rows) {
  const [first] = rows;
  if (!Array.isArray(first)) return [{ title: name, at: (row) => cell(/** @type {Value} */ (rows[row])) }];
  return first.flatMap((_, i) =>
    columnsOf(
      `${name}[${i}]`,
      rows.map((row) => /** @type {Data} */ (Array.isArray(row) ? row[i] : null)),
    ),
  );
}
