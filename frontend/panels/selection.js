// What was clicked in the graph or the table: its full name, inputs, value and place in the text.

import { html, nothing } from "lit";

import { exactValue, NO_VALUE } from "../format.js";
import { nodeOf } from "../lesson.js";
import { known, shownProgram, state, t, update } from "../store.js";
import { icons } from "./icons.js";

/** @typedef {import("../api.js").ApiNode} ApiNode */

/** A button that selects another node. @param {string} tensor */
export const nodeLink = (tensor) =>
  html`<button class="link" @click=${() => update({ selected: nodeOf(tensor) })}><code>${tensor}</code></button>`;

/** @param {ApiNode} node */
function shapeOf(node) {
  const output = node.outputs[0];
  if (!output?.shape) return NO_VALUE;
  const shape =
    output.shape.length === 0 ? t("node.scalar") : `(${output.shape.map((size) => size ?? "?").join(", ")})`;
  return t("node.shape_and_type", { shape, dtype: output.dtype });
}

/** Every digit of a value; in a run the row's value, as the drawing has it. @param {ApiNode} node */
function valueOf(node) {
  const shown = known.value.values.get(node.name);
  if (state.value.optimising || known.value.status.get(node.name) === "waiting") return shown;
  return node.value === null ? t("node.no_value") : exactValue(node.value);
}

/** @param {ApiNode} node */
function nodeFacts(node) {
  const inputs = [...node.inputs, ...node.control_inputs.map((input) => `^${input}`)];
  return html`
    <dt>${t("node.op")}</dt><dd><code>${node.op}</code></dd>
    <dt>${t("node.inputs")}</dt><dd>${inputs.length === 0 ? t("node.none") : inputs.map(nodeLink)}</dd>
    <dt>${t("node.value")}</dt><dd>${valueOf(node)}</dd>
    <dt>${t("node.shape")}</dt><dd>${shapeOf(node)}</dd>
    ${node.span ? html`<dt>${t("node.line")}</dt><dd>${node.span.line}</dd>` : nothing}`;
}

/** @param {string} scope */
function scopeFacts(scope) {
  const count =
    shownProgram.value?.graph.nodes.filter((node) => node.name.startsWith(`${scope}/`)).length ?? 0;
  const value = known.value.values.get(scope);
  return html`<dt>${t("node.op")}</dt><dd>${t("node.scope", { count })}</dd>
    ${value ? html`<dt>${t("node.value")}</dt><dd>${value}</dd>` : nothing}`;
}

/** The selection's card; nothing without one. */
export function selection() {
  const name = state.value.selected;
  if (!name) return nothing;
  const node = shownProgram.value?.graph.nodes.find((one) => one.name === name);
  return html`<section class="selection" aria-label=${t("node.title")}>
    <div class="row"><h3><code>${name}</code></h3>
      <button class="quiet square" aria-label=${t("node.close")} title=${t("node.close")}
        @click=${() => update({ selected: null })}>${icons.close}</button></div>
    <dl class="facts">${node ? nodeFacts(node) : scopeFacts(name)}</dl>
  </section>`;
}
