// From what the learner wrote to the nodes that TensorFlow does it with: one click shows them.

import { html, nothing } from "lit";

import { scopesAround } from "../../state/lesson.js";
import { looked, revealed } from "../../state/look.js";
import { level, shownProgram } from "../../state/selectors.js";
import { state, t, update } from "../../store.js";

/** @param {readonly string[] | undefined} nodes of TensorFlow; nothing where there are none, or they are drawn already */
export function nodesButton(nodes = []) {
  const own = [...new Set(nodes)];
  if (own.length === 0 || level.value !== "mathematics") return nothing;
  return html`<button class="link nodes" @click=${() => show(own)}>${t("step.nodes", { count: own.length })} ▸</button>`;
}

/** Draw TensorFlow's nodes, with these lit up. @param {readonly string[]} nodes */
function show(nodes) {
  const at = nodes[nodes.length - 1];
  const { tab } = state.value;
  const look = looked(state.value, { level: "tensorflow" });
  const now = { ...state.value, ...look };
  const found = revealed(now, at, shownProgram.value?.graph.nodes ?? []);
  const names = [...nodes, ...nodes.flatMap(scopesAround)];
  update({ ...look, ...found, past: look.past, lit: { at, names }, tab: tab === "step" ? "graph" : tab });
}
