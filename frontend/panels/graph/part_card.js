// The card of a part of the picture at level Mathematics: a quantity, its gradient, or what a line multiplies by.

import { html, nothing } from "lit";

import { givenName } from "../parts/given_name.js";
import { nodeOf, UNKNOWN } from "../../state/lesson.js";
import { knownHere, picture, selectedNode, shownProgram } from "../../state/selectors.js";
import { state, t, update } from "../../store.js";
import { exactValue, NO_VALUE } from "../../values/format.js";
import { stripText } from "../../view/drawing/strip.js";
import { opButton } from "../ops/open_op.js";
import { partLink } from "../parts/node_link.js";
import { nodesButton } from "../parts/nodes_button.js";
import { trainingSwitch } from "../parts/training_switch.js";
import { why, whyNone } from "./why.js";

/** @import { Part } from "../../state/mathematics/picture.js" */

/** @param {string} label @param {unknown} content */
const fact = (label, content) => html`<dt>${t(label)}</dt><dd>${content}</dd>`;

/** Every digit. @param {Part} part */
function valueOf({ id }) {
  if (knownHere.value.status.get(id) === "waiting") return UNKNOWN;
  const value = knownHere.value.exact.get(id) ?? null;
  return value === null ? NO_VALUE : exactValue(value);
}

/** @param {Part} part */
function extent({ id }) {
  const strip = knownHere.value.strips.get(id);
  return strip
    ? html`<dt>${t("node.extent")}</dt><dd class=${strip.sound ? "" : "unsound"}>${stripText(strip, t)}</dd>`
    : nothing;
}

/** @param {readonly string[]} ids */
function links(ids) {
  const parts = [...new Set(ids)].flatMap((id) => picture.value?.parts.get(id) ?? []).filter(({ label }) => label !== "");
  return parts.length > 0 ? parts.map(partLink) : t("node.none");
}

/** The parts that read one. @param {string} id */
const readers = (id) =>
  [...(picture.value?.parts.values() ?? [])].filter(({ inputs }) => inputs.includes(id)).map((part) => part.id);

function shape() {
  const axes = selectedNode.value?.outputs[0]?.shape;
  return axes && axes.length > 0 ? fact("node.shape", `(${axes.map((size) => size ?? "?").join(", ")})`) : nothing;
}

function place() {
  const span = selectedNode.value?.span;
  if (!span || state.value.stale) return nothing;
  const label = t("node.show_line", { line: span.line });
  return html`<dt>${t("node.line")}</dt><dd><button class="link" title=${label} aria-label=${label}
    @click=${() => update({ place: { ...span }, tab: "input" })}>${span.line}</button></dd>`;
}

/** What TensorFlow computes a quantity with. @param {Part} part */
function opOf({ kind, tensor }) {
  const node = kind === "quantity" && tensor ? shownProgram.value?.graph.nodes.find(({ name }) => name === nodeOf(tensor)) : null;
  return node ? html` ${opButton(node.op)}` : nothing;
}

/** @param {Part} part */
export function partFacts(part) {
  const lock = trainingSwitch(givenName(part));
  return html`<dl class="facts">
      ${fact("part.kind", html`${t(`part.${part.kind}`)}${opOf(part)}`)}
      ${lock === nothing ? nothing : fact("node.variable", lock)}
      ${fact("node.value", valueOf(part))}
      ${extent(part)}
      ${why(part.saidAt)}
      ${part.kind === "quantity" && part.tensor ? whyNone(nodeOf(part.tensor)) : nothing}
      ${shape()}
      ${fact("node.inputs", links(part.inputs))}
      ${fact("node.readers", links(readers(part.id)))}
      ${part.quantity ? fact("part.of", links([part.quantity])) : nothing}
      ${place()}
    </dl>
    ${nodesButton(part.nodes)}`;
}
