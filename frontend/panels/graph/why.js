// Why a number is what it is: the steps of the lesson that compute it; why there is none: no path joins the two.

import { html, nothing } from "lit";

import { inLanguage } from "../../i18n/i18n.js";
import { showStep } from "../../requests/run.js";
import { nodeOf } from "../../state/lesson.js";
import { shownProgram } from "../../state/selectors.js";
import { state, t } from "../../store.js";

/** The steps that say something of what is selected, those that are still to come by their number alone. @param {readonly number[]} saidAt */
export function why(saidAt) {
  const { steps, cursor, optimising, language } = state.value;
  const found = saidAt.flatMap((index) => steps[index] ?? []);
  if (found.length === 0 || optimising) return nothing;
  return html`<dt>${t("node.why")}</dt><dd>${found.map(({ index, sentence: { en, zh } }) => {
    const says = index <= cursor ? inLanguage(language, en, zh) : t("node.why_later");
    return html`<button class="link" @click=${() => showStep(index)}>${t("node.why_step", { index: index + 1, says })}</button>`;
  })}</dd>`;
}

/** The steps that compute a node. @param {string} name */
export const whyNode = (name) => why(state.value.steps.filter(({ node }) => node === name).map(({ index }) => index));

/** Why the target has no gradient by a variable; nothing where it has one. @param {string} node of the variable */
export function whyNone(node) {
  const { language } = state.value;
  const none = shownProgram.value?.gradients.find(({ x, tensor, reason }) => nodeOf(x) === node && tensor === null && reason);
  if (!none?.reason) return nothing;
  return html`<dt>${t("node.no_gradient")}</dt>
    <dd>${inLanguage(language, none.reason, none.reason_zh)} ${t("node.not_zero")}</dd>`;
}
