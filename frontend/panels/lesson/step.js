// The card of the current step: always a sentence, a formula, the formula with numbers, a result.

import { html, nothing } from "lit";

import { inLanguage } from "../../i18n/i18n.js";
import { fetched } from "../../requests/request.js";
import { partAt } from "../../runs/parts.js";
import { isInRun, lastStop, nodeOf, phaseOf } from "../../state/lesson.js";
import { guessAt, isAsked } from "../../state/predicting.js";
import { currentStep, shownProgram } from "../../state/selectors.js";
import { state, t, wordsForNothing } from "../../store.js";
import { exactValue, formatValue, NO_VALUE } from "../../values/format.js";
import { withCode } from "../parts/code.js";
import "../parts/formula.js";
import { troubleWords } from "../parts/trouble.js";
import { updateFormula } from "../optimizer/settings.js";
import { Panel } from "../panel.js";
import { mathematicsCard } from "./mathematics.js";
import "./predict.js";
import { sentenceOf, updateSentences } from "./sentence.js";

/** @import { Step, Value } from "../../types.js" */

class StepCard extends Panel {
  /** @type {Step | null} */
  #step = null;

  render() {
    const { optimising } = state.value;
    const step = currentStep.value;
    const body = optimising ? this.updateBody() : step ? this.stepBody(step) : html`<p class="sentence muted">${noLesson()}</p>`;
    return html`
      <div class="row"><h2>${t("step.title")}</h2>${this.where(step)}</div>
      ${this.revealed()}
      ${body}
      ${this.selection()}`;
  }

  /** A new step is read from its beginning. */
  updated() {
    if (currentStep.value !== this.#step) this.scrollTop = 0;
    this.#step = currentStep.value;
    this.setAttribute("aria-label", t("step.title"));
  }

  /** Where it is longer than its room it is scrolled with the keyboard, too, once it has the focus. */
  connectedCallback() {
    super.connectedCallback();
    this.role = "region";
    this.tabIndex = 0;
  }

  /** What was said before this step was shown. */
  revealed() {
    return guessAt(state.value) ? html`<gl-revealed></gl-revealed>` : nothing;
  }

  /** What is asked before the next step. */
  prediction() {
    if (state.value.predict === "off" && !isAsked(state.value)) return nothing;
    return html`<gl-predict></gl-predict>`;
  }

  /** The card of what is selected, fetched when something is for the first time. */
  selection() {
    if (!state.value.selected) return nothing;
    void fetched(() => import("../graph/selection.js"));
    return html`<gl-selection></gl-selection>`;
  }

  /** @param {Step | null} step */
  where(step) {
    const { optimising, row } = state.value;
    if (optimising) return html`<span class="phase update">${t("step.update", { count: row })}</span>`;
    if (!step) return nothing;
    const place = t("step.of", { index: step.index + 1, count: lastStop(state.value) + 1 });
    const inUpdate = isInRun(state.value) ? `${t("transport.update", { row })} · ` : "";
    return html`<span class="count">${inUpdate}${place}</span>
      <span class="phase ${phaseOf(step)}">${t(`phase.${phaseOf(step)}`)}</span>`;
  }

  /** @param {Step} step */
  stepBody(step) {
    if (state.value.stepLevel === "mathematics") return mathematicsCard(step, this.prediction());
    const { output } = step;
    const result = output ? this.value(output.value, output.tensor) : NO_VALUE;
    return html`${this.lines([sentenceOf(step)], step.rule, step.rule_numbers, result)}${this.whyNodes()}`;
  }

  /** Why the steps go node by node, where they were wanted as mathematics. */
  whyNodes() {
    const { level, lessons } = state.value;
    const lesson = lessons[level];
    if (level !== "mathematics" || !lesson || lesson.level === level) return nothing;
    return html`<p class="note">${t("graph.level.missing")} ${reasonGiven()}</p>`;
  }

  /** @param {Value} value @param {string} of a tensor, or what it is */
  value(value, of) {
    return html`<strong title=${exactValue(value)}>${formatValue(value)}</strong><code>${nodeOf(of)}</code>`;
  }

  updateBody() {
    const { run, row, rowWithoutLesson } = state.value;
    const loss = (/** @type {number} */ at) => /** @type {Value} */ (run?.loss[at] ?? null);
    const before = html`<span class="from">${formatValue(loss(row - 1))} →</span> `;
    const rowWithoutLessonWhy =
      rowWithoutLesson === row ? html`<p class="note">${t("step.rowWithoutLesson", { row })}</p>` : nothing;
    const lines = this.lines(
      updateSentences(),
      run && updateFormula(partAt(run, row)),
      null,
      html`${before}${this.value(loss(row), t("optimizer.loss"))}`,
    );
    return html`${lines}${rowWithoutLessonWhy}`;
  }

  /**
   * @param {string[]} sentences
   * @param {string | null} rule
   * @param {string | null} numbers
   * @param {unknown} result
   */
  lines(sentences, rule, numbers, result) {
    const scrolls = state.value.optimising ? 0 : nothing; // an optimizer's formulas may be wider than the card
    return html`
      ${sentences.map((text) => html`<p class="sentence">${withCode(text)}</p>`)}
      ${this.prediction()}
      <dl class="lines">
        ${rule ? html`<dt>${t("step.formula")}</dt><dd tabindex=${scrolls}><gl-formula .latex=${rule}></gl-formula></dd>` : nothing}
        ${numbers ? html`<dt>${t("step.numbers")}</dt><dd><gl-formula .latex=${numbers}></gl-formula></dd>` : nothing}
        <dt>${t("step.result")}</dt>
        <dd class="result">${result}</dd>
      </dl>`;
  }
}

const MOST_STEPS = 500; // of a lesson

/** Why there is no lesson at this level, or none of mathematics, as the server says it; "" where it says nothing. */
function reasonGiven() {
  const { level, lessons, language } = state.value;
  const reason = lessons[level]?.reason;
  return reason ? inLanguage(language, reason.en, reason.zh) : "";
}

function noLesson() {
  const {
    graph: { nodes },
    gradients,
  } = shownProgram.value ?? { graph: { nodes: [] }, gradients: [] };
  if (nodes.length === 0) return t(wordsForNothing(state.value));
  const { lessonTrouble } = state.value;
  if (lessonTrouble) return t("step.failed", { trouble: troubleWords(lessonTrouble) });
  const reason = reasonGiven();
  if (reason) return reason;
  return t(gradients.length > 0 && nodes.length > MOST_STEPS ? "step.too_large" : "step.none_graph");
}

customElements.define("gl-step", StepCard);
