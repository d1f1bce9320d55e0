// Every node in a table: the graph for those who read rather than look.

import { html, nothing } from "lit";
import { gradientValue, learnersNames, nodeOf, UNKNOWN } from "../../state/lesson.js";
import { currentStep, known, level, selectedHere, shownProgram } from "../../state/selectors.js";
import { state, t } from "../../store.js";
import { exactValue, formatValue, shortValue } from "../../values/format.js";
import { Panel } from "../panel.js";
import { nodeLink } from "../parts/node_link.js";
import { trainingSwitch } from "../parts/training_switch.js";
import { quantityTable } from "./quantity_table.js";

/** @import { ApiNode, Program, Value } from "../../types.js" */

const MOST_ROWS = 1000;
const ROOM = 24; // characters of a value

/**
 * The gradient that has arrived at each node so far, as text.
 * @param {Program} program
 * @returns {Map<string, string>}
 */
function gradientsSoFar(program) {
  const { steps, cursor, optimising } = state.value;
  const { status, exact } = known.value;
  /** In a run it is what stands on the node. @param {string} tensor @param {Value} value @param {boolean} arrived */
  const shown = (tensor, value, arrived) => (optimising ? valueText(nodeOf(tensor)) : arrived && formatValue(value)) || UNKNOWN;
  /** @type {Map<string, string>} */
  const gradients = new Map();
  for (const { of, upstream, index } of steps) {
    if (of && upstream) gradients.set(of, shown(upstream.tensor, upstream.value, index <= cursor));
  }
  for (const gradient of program.gradients) {
    const { x, tensor } = gradient;
    const arrived = tensor !== null && status.get(nodeOf(tensor)) !== "waiting";
    gradients.set(
      nodeOf(x),
      tensor === null ? t("optimizer.not_connected") : shown(tensor, gradientValue(gradient, exact), arrived),
    );
  }
  return gradients;
}

/** The value of a node, if it is known by now. @param {string} name */
const valueOf = (name) => (known.value.status.get(name) === "waiting" ? null : (known.value.exact.get(name) ?? null));

/** It in the room that the table has; what stands on the drawing where it is not known. @param {string} name */
function valueText(name) {
  const value = valueOf(name);
  return value === null ? known.value.values.get(name) : shortValue(value, ROOM);
}

/** Every digit of it. @param {string} name */
function everyDigit(name) {
  const value = valueOf(name);
  return value === null ? "" : exactValue(value);
}

/** @param {ApiNode} node @param {Map<string, string>} gradients @param {Map<string, string>} names */
function row(node, gradients, names) {
  const name = names.get(node.name);
  const own = name && name !== node.name ? html` <var>${name}</var>` : nothing;
  const status = known.value.status.get(node.name) ?? "";
  const current = node.name === currentStep.value?.node;
  return html`<tr class="${node.phase} ${status}" aria-selected=${node.name === selectedHere.value} aria-current=${current}>
    <th scope="row">${nodeLink(node.name)}${own}</th>
    <td>${node.op}${trainingSwitch(name)}</td>
    <td class="made-of">${[...node.inputs, ...node.control_inputs.map((input) => `^${input}`)].map(nodeLink)}</td>
    <td class="number" title=${everyDigit(node.name)}>${valueText(node.name)}</td>
    <td class="number">${gradients.get(node.name) ?? ""}</td>
  </tr>`;
}

class Table extends Panel {
  render() {
    const program = shownProgram.value;
    if (!program) return nothing;
    if (level.value === "mathematics") return quantityTable();
    const { nodes } = program.graph;
    const names = learnersNames(program);
    const gradients = gradientsSoFar(program);
    const cut = t("table.cut", { shown: MOST_ROWS, count: nodes.length });
    const target = program.target && (names.get(nodeOf(program.target)) ?? nodeOf(program.target));
    return html`<table class="nodes">
      <caption class="visually-hidden">${t("table.title")}</caption>
      <thead><tr>${["node", "op", "inputs", "value"].map((name) => html`<th scope="col" class=${name === "inputs" ? "made-of" : nothing}>${t(`table.${name}`)}</th>`)}
        <th scope="col">${target ? t("table.gradient", { y: target }) : t("table.gradient_plain")}</th></tr></thead>
      <tbody>${nodes.slice(0, MOST_ROWS).map((node) => row(node, gradients, names))}</tbody>
    </table>
    ${nodes.length > MOST_ROWS ? html`<p class="note">${cut}</p>` : nothing}`;
  }
}

customElements.define("gl-table", Table);
