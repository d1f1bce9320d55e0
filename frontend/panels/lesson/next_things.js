// What a lesson leads to: its gradient in the hands of an optimizer, or the same with another number.

import { html, nothing } from "lit";

import { optimiseText } from "../../requests/session.js";
import { variableGradients } from "../../runs/updates.js";
import { nodeOf, learnersNames } from "../../state/lesson.js";
import { docked, state, t, update } from "../../store.js";

/** @param {import("../../types.js").Step} step that closes the lesson */
export function nextThings(step) {
  const { program } = state.value;
  if (!program) return nothing;
  const name = learnersNames(program).get(nodeOf(step.of ?? "")) ?? "";
  const field = fieldOf(name);
  return html`<div class="next-things" role="group" aria-label=${t("step.next")}>
    ${variableGradients(program).length > 0 ? html`<button @click=${optimiseOnce}>${t("step.optimise")}</button>` : nothing}
    ${field ? html`<button @click=${() => another(name)}>${t("step.another", { name })}</button>` : nothing}</div>`;
}

/** The field that holds a variable's value; none of a program's. @param {string} name */
const fieldOf = (name) => /** @type {HTMLInputElement | null} */ (document.querySelector(`#value-of-${CSS.escape(name)}`));

function optimiseOnce() {
  update({ ...docked(state.value, "optimizer"), tab: "dock" });
  void optimiseText(1);
}

/** @param {string} name */
function another(name) {
  update({ tab: "input" });
  requestAnimationFrame(() => {
    fieldOf(name)?.focus();
    fieldOf(name)?.select();
  });
}
