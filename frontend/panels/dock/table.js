// Every node in a table: the graph for those who read rather than look.

import { html, nothing } from "lit";
import { search } from "../../finding/search.js";
import { gradientValue, learnersNames, nodeOf, UNKNOWN } from "../../state/lesson.js";
import { currentStep, known, level, selectedHere, shownProgram } from "../../state/selectors.js";
import { state, t } from "../../store.js";
import { cellOf } from "../../values/csv.js";
import { dataOf, exactValue, shortValue } from "../../values/format.js";
import { sortedBy, sortKeyOf } from "../../values/sorting.js";
import { Panel } from "../panel.js";
import { nodeLink } from "../parts/node_link.js";
import { trainingSwitch } from "../parts/training_switch.js";
import { quantityTable } from "./quantity_table.js";
import { lookOf, sortHeading, tableTools } from "./table_tools.js";
import { askForValue, axesOf, knownWhole, saveNumbers } from "./whole_value.js";

/** @import { ApiNode, Program, Value } from "../../types.js" */
/** @typedef {{text: string, value: Value | null}} Shown  value null: it is not known by now */
/** @typedef {{node: ApiNode, given: string | undefined, made: string[], shown: Shown, gradient: Shown}} Entry  given: what the learner calls it */

const MOST_ROWS = 1000;
const ROOM = 24; // characters of a value
const TABLE = "nodes";
/** @type {Shown} */
const NONE = { text: "", value: null };

/**
 * The gradient that has arrived at each node so far.
 * @param {Program} program
 * @returns {Map<string, Shown>}
 */
function gradientsSoFar(program) {
  const { steps, cursor, optimising } = state.value;
  const { status, exact } = known.value;
  /** In a run it is what stands on the node. @param {string} tensor @param {Value} value @param {boolean} arrived @returns {Shown} */
  const shown = (tensor, value, arrived) => {
    if (optimising) return shownOf(nodeOf(tensor));
    return arrived ? { text: shortValue(value, ROOM), value } : { text: UNKNOWN, value: null };
  };
  /** @type {Map<string, Shown>} */
  const gradients = new Map();
  for (const { of, upstream, index } of steps) {
    if (of && upstream) gradients.set(of, shown(upstream.tensor, upstream.value, index <= cursor));
  }
  for (const gradient of program.gradients) {
    const { x, tensor } = gradient;
    const arrived = tensor !== null && status.get(nodeOf(tensor)) !== "waiting";
    gradients.set(
      nodeOf(x),
      tensor === null
        ? { text: t("optimizer.not_connected"), value: null }
        : shown(tensor, gradientValue(gradient, exact), arrived),
    );
  }
  return gradients;
}

/** The value of a node, if it is known by now; else what stands on the drawing. @param {string} name @returns {Shown} */
function shownOf(name) {
  const isWaiting = known.value.status.get(name) === "waiting";
  const value = isWaiting ? null : knownWhole(name, known.value.exact.get(name) ?? null);
  return value === null ? { text: known.value.values.get(name) ?? "", value } : { text: shortValue(value, ROOM), value };
}

/** @param {Program} program @returns {Entry[]} */
function entriesOf(program) {
  const names = learnersNames(program);
  const gradients = gradientsSoFar(program);
  return program.graph.nodes.map((node) => {
    const made = [...node.inputs, ...node.control_inputs.map((input) => `^${input}`)];
    const gradient = gradients.get(node.name) ?? NONE;
    return { node, given: names.get(node.name), made, shown: shownOf(node.name), gradient };
  });
}

/** What a column is sorted by. @type {Record<string, (entry: Entry) => import("../../values/sorting.js").SortKey>} */
const KEYS = {
  node: ({ node }) => node.name,
  op: ({ node }) => node.op,
  inputs: ({ made }) => made.join(" "),
  value: ({ shown: { value } }) => sortKeyOf(dataOf(value), axesOf(value)),
  gradient: ({ gradient: { value } }) => sortKeyOf(dataOf(value), axesOf(value)),
};

/** Those that the search for nodes finds, in order. @param {Entry[]} entries */
function looked(entries) {
  const { sort, isDown, filter } = lookOf(TABLE);
  const names = new Map(entries.map(({ node, given }) => [node.name, given ?? ""]));
  const values = new Map(entries.map(({ node, shown }) => [node.name, shown.value ?? undefined]));
  const place = { nodes: entries.map(({ node }) => node), names, valueOf: (/** @type {ApiNode} */ { name }) => values.get(name) };
  const hits = filter.trim() ? new Set(search(place, filter).map(({ name }) => name)) : null;
  const found = hits ? entries.filter(({ node }) => hits.has(node.name)) : entries;
  return sort && KEYS[sort] ? sortedBy(found, KEYS[sort], isDown) : found;
}

/** @param {Entry} entry */
function row({ node, given, made, shown, gradient }) {
  const status = known.value.status.get(node.name) ?? "";
  const current = node.name === currentStep.value?.node;
  const { text, value } = shown;
  return html`<tr class="${node.phase} ${status}" aria-selected=${node.name === selectedHere.value} aria-current=${current}>
    <th scope="row">${nodeLink(node.name)}${given && given !== node.name ? html` <var>${given}</var>` : nothing}</th>
    <td>${node.op}${trainingSwitch(given)}</td>
    <td class="made-of">${made.map(nodeLink)}</td>
    <td class="number" title=${value === null ? nothing : exactValue(value)}>${text || askForValue(node)}${value === null ? nothing : saveNumbers(node.name, value)}</td>
    <td class="number" title=${gradient.value === null ? nothing : exactValue(gradient.value)}>${gradient.text}</td>
  </tr>`;
}

/** The rows as they are copied and saved: every digit of what is known. @param {readonly Entry[]} entries @param {string[]} heading */
const rowsOf = (entries, heading) => [
  heading,
  ...entries.map(({ node, given, made, shown, gradient }) => [
    given && given !== node.name ? `${node.name} (${given})` : node.name,
    node.op,
    made.join(" "),
    shown.value === null ? shown.text : cellOf(dataOf(shown.value) ?? shown.text),
    gradient.value === null ? gradient.text : cellOf(dataOf(gradient.value) ?? gradient.text),
  ]),
];

class Table extends Panel {
  render() {
    const program = shownProgram.value;
    if (!program) return nothing;
    if (level.value === "mathematics") return quantityTable();
    const all = entriesOf(program);
    const found = looked(all);
    const names = learnersNames(program);
    const target = program.target && (names.get(nodeOf(program.target)) ?? nodeOf(program.target));
    const gradient = target ? t("table.gradient", { y: target }) : t("table.gradient_plain");
    const columns = ["node", "op", "inputs", "value"].map((name) => ({ name, label: t(`table.${name}`) }));
    const heading = [...columns.map(({ label }) => label), gradient];
    return html`${tableTools(TABLE, { shown: found.length, count: all.length, hint: t("graph.find_hint"), rows: () => rowsOf(found, heading), file: "nodes.csv" })}
    <table class="nodes">
      <caption class="visually-hidden">${t("table.title")}</caption>
      <thead><tr>${columns.map(({ name, label }) => sortHeading(TABLE, name, label, name === "inputs" ? "made-of" : ""))}
        ${sortHeading(TABLE, "gradient", gradient)}</tr></thead>
      <tbody>${found.slice(0, MOST_ROWS).map(row)}</tbody>
    </table>
    ${found.length > MOST_ROWS ? html`<p class="note">${t("table.cut", { shown: MOST_ROWS, count: found.length })}</p>` : nothing}`;
  }
}

customElements.define("gl-table", Table);
