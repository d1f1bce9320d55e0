// The card of a step at level Mathematics: what the operation does, by which rule, with which numbers, and what comes out.

import { html, nothing } from "lit";

import { fetched } from "../../requests/request.js";
import { isInRun } from "../../state/lesson.js";
import { state, t } from "../../store.js";
import { exactValue, formatNumber, formatValue, NO_VALUE } from "../../values/format.js";
import "../parts/formula.js";
import { stepButton } from "../parts/nodes_button.js";
import { nextThings } from "./next_things.js";
import { sentenceOf } from "./sentence.js";
import { meanings, named, withTerms } from "./terms.js";

/** @import { Step } from "../../types.js" */

/** @param {Step} step @param {unknown} prediction what is asked before the next step */
export function mathematicsCard(step, prediction) {
  const isEnd = step.phase === "close" && !isInRun(state.value);
  return html`
    <p class="sentence">${withTerms(sentenceOf(step))}</p>
    ${prediction}
    <dl class="lines">
      <dt>${ruleName(step)}</dt>
      <dd>${step.rule ? html`<gl-formula .latex=${step.rule}></gl-formula>` : NO_VALUE}</dd>
      <dt>${numbersName(step)}</dt>
      <dd>${numbersOf(step)}</dd>
      <dt>${t("step.result")}</dt>
      <dd class="result">${resultOf(step)}</dd>
    </dl>
    ${stepButton(step)}
    ${isEnd ? html`${closing()}${nextThings(step)}` : nothing}
    ${meanings()}`;
}

/** The derivative as a formula, and the paths to it, fetched with the first lesson that ends. */
function closing() {
  void fetched(() => import("./closing.js"));
  return html`<gl-closing></gl-closing>`;
}

/** What the rule of a step is called. @param {Step} step */
function ruleName({ phase }) {
  const term = { seed: "seed", backward: "chain", sum: "sum", close: "gradient" }[/** @type {"seed"} */ (phase)];
  return term ? named(term) : t("step.formula");
}

/** What is put in: on the way back "upstream gradient × local derivative". @param {Step} step */
function numbersName({ phase, contributions = [] }) {
  if (phase === "close") return named("difference");
  const isProduct = phase === "backward" && contributions.some(({ factor }) => factor !== null);
  return isProduct ? html`${named("upstream")} × ${withTerms(t("node.local"))}` : t("step.numbers");
}

/** @param {Step} step */
function numbersOf({ rule_numbers: numbers, tried }) {
  if (numbers) return html`<gl-formula .latex=${numbers}></gl-formula>`;
  if (!tried) return NO_VALUE;
  const [step, predicted, measured] = [tried.step, tried.predicted, tried.measured].map(formatNumber);
  return t("step.tried", { step, predicted, measured });
}

/** What the result is called, and its number. @param {Step} step */
function resultOf({ result, output }) {
  const value = output?.value ?? null;
  if (value === null && !result) return NO_VALUE;
  const at = result?.lastIndexOf(" = ") ?? -1;
  const isNumber = typeof value === "number" || (value instanceof Object && value.shape.length === 0);
  const isOne = isNumber && at > 0 && !result?.includes("{aligned}");
  if (!isOne && result) return html`<gl-formula .latex=${result} title=${exactValue(value)}></gl-formula>`;
  const left = isOne ? html`<gl-formula .latex=${`${result?.slice(0, at)} =`}></gl-formula>` : nothing;
  return html`${left}<strong title=${exactValue(value)}>${formatValue(value)}</strong>`;
}
