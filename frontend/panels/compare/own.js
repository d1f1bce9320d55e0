// The learner's own derivative: a field, and what the server makes of it.

import { html, nothing } from "lit";

import { inLanguage } from "../../i18n/i18n.js";
import { chooseInComparison, isCompared } from "../../requests/docks/compare.js";
import { state, t } from "../../store.js";

/** @param {SubmitEvent} event */
function taken(event) {
  event.preventDefault();
  const field = /** @type {HTMLFormElement} */ (event.target).querySelector("input");
  chooseInComparison({ typed: field?.value.trim() ?? "" });
}

/** The field, with the judgement below. @param {string} label what it is the derivative of */
export function ownDerivative(label) {
  const { compare, comparison } = state.value;
  const judgement = isCompared(state.value) ? comparison?.answer?.judgement : null;
  const name = t("compare.own", { derivative: label });
  return html`<form class="own" @submit=${taken}>
      <label>${name} <input class="value" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="1000"
        .value=${compare.typed} placeholder=${t("compare.own_example")}></label>
      <button type="submit">${t("compare.judge")}</button>
    </form><div role="status">${judgement ? judged(judgement) : nothing}</div>`;
}

const KINDS = { right: "", wrong: "warning", refused: "error" };

/** @param {import("../../types.js").Judgement} judgement */
function judged({ verdict, says, latex }) {
  return html`<div class="message ${KINDS[verdict]}"><p><strong>${t(`compare.${verdict}`)}</strong>
    ${inLanguage(state.value.language, says.en, says.zh)}</p>
    ${latex ? html`<gl-formula .latex=${latex}></gl-formula>` : nothing}</div>`;
}
