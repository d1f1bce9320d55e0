// From what the learner wrote to the nodes that do it: TensorFlow's, or those of PyTorch for a program of PyTorch.

import { html, nothing } from "lit";

import { scopesAround } from "../../state/lesson.js";
import { looked, revealed } from "../../state/look.js";
import { level, shownProgram } from "../../state/selectors.js";
import { state, t, update } from "../../store.js";

/** What does a step: in a program of PyTorch, its own nodes. @param {import("../../types.js").Step} step */
export function stepButton({ nodes, phase }) {
  const { program, run } = state.value;
  if (program?.dialect !== "torch" || run || phase === "close") return nodesButton(nodes);
  return html`<button class="link nodes" @click=${showInPyTorch}>${t("step.nodes.in", { framework: t("graph.level.torch") })} ▸</button>`;
}

/** @param {readonly string[] | undefined} nodes of TensorFlow; nothing where there are none, or they are drawn already */
export function nodesButton(nodes = []) {
  const own = [...new Set(nodes)];
  if (own.length === 0 || level.value !== "mathematics") return nothing;
  const key = OTHER_FRAMEWORKS.has(state.value.program?.dialect ?? "") ? "step.nodes.would" : "step.nodes";
  return html`<button class="link nodes" @click=${() => show(own)}>${t(key, { count: own.length })} ▸</button>`;
}

const OTHER_FRAMEWORKS = new Set(["torch", "jax"]);

/** The steps follow to PyTorch's level, to the one about the same. */
function showInPyTorch() {
  const { tab } = state.value;
  update({ ...looked(state.value, { level: "torch" }), tab: tab === "step" ? "graph" : tab });
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
