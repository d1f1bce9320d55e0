// What was clicked in the graph or the table: what it computes, its value, its neighbours, its place in the text.

import { html, nothing } from "lit";
import { readersOf } from "../../finding/trace.js";
import { inLanguage } from "../../i18n/i18n.js";
import { scopeTree } from "../../layout/graph/scopes.js";
import { learnersNames, nodeOf, UNKNOWN } from "../../state/lesson.js";
import { hidden } from "../../state/look.js";
import { known, selectedHere, selectedNode, selectedPart, shownNodes, shownProgram } from "../../state/selectors.js";
import { state, t, update } from "../../store.js";
import { exactValue, formatValue, NO_VALUE } from "../../values/format.js";
import { stripText } from "../../view/drawing/strip.js";
import "../parts/formula.js";
import { Panel } from "../panel.js";
import { icons } from "../parts/icons.js";
import { opButton } from "../ops/open_op.js";
import { nodeLink } from "../parts/node_link.js";
import { trainingSwitch } from "../parts/training_switch.js";
import { partFacts } from "./part_card.js";
import { pathsTo, traces } from "./ways.js";
import { whyNode, whyNone } from "./why.js";

/** @import { ApiNode } from "../../types.js" */

const LINKS_AT_FIRST = 6;

/** @param {ApiNode} node */
function shapeOf(node) {
  const output = node.outputs[0];
  if (!output?.shape) return NO_VALUE;
  const shape = output.shape.length === 0 ? t("node.scalar") : `(${output.shape.map((size) => size ?? "?").join(", ")})`;
  return t("node.shape_and_type", { shape, dtype: output.dtype });
}

/** Every digit of a value. @param {ApiNode} node */
function valueOf({ name }) {
  if (known.value.status.get(name) === "waiting") return UNKNOWN;
  const value = known.value.exact.get(name) ?? null;
  if (value === null) return state.value.optimising ? NO_VALUE : t("node.no_value");
  return exactValue(value);
}

/** Links to tensors, a few at first. @param {readonly string[]} tensors */
function links(tensors) {
  if (tensors.length === 0) return t("node.none");
  const rest = tensors.length - LINKS_AT_FIRST;
  if (rest < 2) return tensors.map(nodeLink);
  return html`${tensors.slice(0, LINKS_AT_FIRST).map(nodeLink)}
    <details><summary>${t("node.more", { count: rest })}</summary>${tensors.slice(LINKS_AT_FIRST).map(nodeLink)}</details>`;
}

/** What the node's op computes, and what its gradient rule sends back. @param {ApiNode} node */
function formula({ op }) {
  const about = state.value.ops[op];
  if (!about?.latex || about.inputs.length === 0) return nothing;
  const back = about.adjoints.map((latex, i) => `\\bar{${about.inputs[i] ?? "x"}} = ${latex}`);
  const latex = [about.latex, ...back].join(",\\quad ");
  const title = inLanguage(state.value.language, about.doc, about.doc_zh);
  return html`<dt>${t("node.formula")}</dt><dd class="wide" title=${title}>
    <gl-formula .latex=${latex}></gl-formula></dd>`;
}

/** @param {ApiNode} node */
function place({ span }) {
  if (!span || state.value.stale) return nothing;
  const label = t("node.show_line", { line: span.line });
  return html`<dt>${t("node.line")}</dt><dd><button class="link" title=${label} aria-label=${label}
    @click=${() => update({ place: { ...span }, tab: "input" })}>${span.line}</button></dd>`;
}

/** @param {ApiNode} node */
function attributes({ attrs }) {
  const entries = Object.entries(attrs ?? {});
  if (entries.length === 0) return nothing;
  return html`<dt>${t("node.attributes")}</dt><dd><details><summary>${entries.length}</summary>
    <ul>${entries.map(([name, value]) => html`<li><code>${name} = ${attributeText(value)}</code></li>`)}</ul></details></dd>`;
}

/** @param {unknown} value */
function attributeText(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** @param {string} label @param {unknown} content */
const fact = (label, content) => html`<dt>${t(label)}</dt><dd>${content}</dd>`;

/** What the lesson says of a gradient: what arrived, and what it was multiplied by; in a run, what arrived there. @param {string} name of a node or scope */
function chainRule(name) {
  const { steps, cursor, optimising } = state.value;
  const step = steps.find(({ node, upstream }) => upstream && (node === name || node.startsWith(`${name}/`)));
  if (!step?.upstream) return nothing;
  if (optimising) return fact("node.upstream", known.value.values.get(nodeOf(step.upstream.tensor)) || UNKNOWN);
  const reached = (/** @type {import("../../types.js").Value} */ value) => (step.index <= cursor ? formatValue(value) : UNKNOWN);
  return html`${fact("node.upstream", reached(step.upstream.value))}
    ${step.local?.map(({ value }) => fact("node.local", reached(value)))}`;
}

/** @param {ApiNode} node */
function extent({ name }) {
  const strip = known.value.strips.get(name);
  if (!strip) return nothing;
  return html`<dt>${t("node.extent")}</dt><dd class=${strip.sound ? "" : "unsound"}>${stripText(strip, t)}</dd>`;
}

/** The lock of a variable of a formula. @param {string} name */
function training(name) {
  const lock = trainingSwitch(shownProgram.value ? learnersNames(shownProgram.value).get(name) : undefined);
  return lock === nothing ? nothing : fact("node.variable", lock);
}

/** @param {ApiNode} node */
function nodeFacts(node) {
  const readers = readersOf(shownProgram.value?.graph.nodes ?? []).get(node.name) ?? [];
  return html`
    ${fact("node.op", opButton(node.op))}
    ${training(node.name)}
    ${formula(node)}
    ${fact("node.value", valueOf(node))}
    ${extent(node)}
    ${whyNode(node.name)}
    ${whyNone(node.name)}
    ${chainRule(node.name)}
    ${fact("node.shape", shapeOf(node))}
    ${fact("node.inputs", links(node.inputs))}
    ${node.control_inputs.length > 0 ? fact("node.control", links(node.control_inputs)) : nothing}
    ${fact("node.readers", links(readers))}
    ${node.of ? fact("node.rule", nodeLink(node.of)) : nothing}
    ${place(node)}
    ${attributes(node)}
    ${node.device ? fact("node.device", html`<code>${node.device}</code>`) : nothing}`;
}

const NESTED = /\//; // "gradients/Exp_grad" is one op's rule, "gradients" holds them all

/** @param {string} scope */
function scopeFacts(scope) {
  const count = scopeTree(shownNodes.value).scopes.get(scope)?.members.length ?? 0;
  const value = known.value.values.get(scope);
  return html`${fact("node.op", t("node.scope", { count }))}
    ${value ? fact("node.value", value) : nothing}
    ${NESTED.test(scope) ? chainRule(scope) : nothing}`;
}

/** @param {ApiNode} node */
const hideKind = ({ op }) =>
  html`<button @click=${() => update(hidden({ ...state.value }, op))}>${t("graph.hide_kind", { op })}</button>`;

/** Take the selection back. */
const close = () => update({ selected: null, trace: null, pathFrom: null, lit: null });

/** @param {string} name */
function card(name) {
  const [node, part] = [selectedNode.value, selectedPart.value];
  return html`<section class="selection" aria-label=${t("node.title")}>
    <div class="row"><h3><code>${part?.label || name}</code></h3>
      <button class="quiet square" aria-label=${t("node.close")} title=${t("node.close")}
        @click=${close}>${icons.close}</button></div>
    ${traces()}
    ${pathsTo(name)}
    ${part ? partFacts(part) : html`<dl class="facts">${node ? nodeFacts(node) : scopeFacts(name)}</dl>`}
    ${node && !part ? html`<div class="traces">${hideKind(node)}</div>` : nothing}
    <p class="note">${t("graph.move")}</p>
  </section>`;
}

class Selection extends Panel {
  /** @type {string | null} */
  #name = null;

  render() {
    return selectedHere.value ? card(selectedHere.value) : nothing;
  }

  /** Bring the card of what was just selected into sight; where a path is lit up, what lit it stays in sight. */
  updated() {
    const { selected, lit } = state.value;
    if (selected !== this.#name && lit?.at !== selected) this.firstElementChild?.scrollIntoView({ block: "nearest" });
    this.#name = selected;
  }
}

customElements.define("gl-selection", Selection);
