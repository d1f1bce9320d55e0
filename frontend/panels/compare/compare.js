// One derivative three ways: as a formula, automatically, and by difference quotients whose δ can be moved.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";

import { automaticValue, deltaAt, powerOf, quotientsAt, relativeError } from "../../comparing/sweeps.js";
import { inLanguage } from "../../i18n/i18n.js";
import { lacksVariables } from "../../runs/updates.js";
import { chooseInComparison, loadComparison } from "../../requests/docks/compare.js";
import { learnersNames, nodeOf } from "../../state/lesson.js";
import { state, t } from "../../store.js";
import { exactNumber, exactValue, formatValue } from "../../values/format.js";
import { Panel } from "../panel.js";
import "../parts/formula.js";
import { styleSheet } from "../parts/style_sheet.js";
import { troubleWords } from "../parts/trouble.js";
import { noVariables } from "../parts/no_variables.js";
import "./error_figure.js";
import { ownDerivative } from "./own.js";

/** @import { Comparison } from "../../types.js" */

void styleSheet("styles/compare.css");

const DIGITS = 9; // in which the ways differ

/** The figures of a number, with every digit as their title. @param {import("../../types.js").Value | undefined} value @param {(value: any) => string} [format] */
const number = (value, format = formatValue) => html`<td class="number" title=${exactValue(value)}>${format(value)}</td>`;

/** @param {import("../../types.js").Value | undefined} value */
const long = (value) => (typeof value === "number" ? exactNumber(Number(value.toPrecision(DIGITS))) : formatValue(value));

/** A name in LaTeX. @param {string} name */
const letter = (name) => (name.length === 1 ? name : `\\mathit{${name.replace(/_/g, "\\_")}}`);

/** What the target is called. @param {import("../../types.js").Program} program */
const targetName = (program) => (program.target && learnersNames(program).get(nodeOf(program.target))) || "y";

/** @param {Comparison} comparison */
function methods(comparison) {
  const { automatic, symbolic, numeric } = comparison;
  const exact = automaticValue(comparison);
  const delta = deltaAt(numeric, state.value.compare.power);
  const symbolicValue = automaticValue({ ...comparison, automatic: { ...automatic, value: symbolic.value } });
  return html`<table class="methods"><caption class="visually-hidden">${t("compare.table")}</caption>
    <thead><tr>${["way", "value", "relative", "cost"].map((name) => html`<th scope="col">${t(`compare.${name}`)}</th>`)}</tr></thead>
    <tbody>
      <tr><th scope="row">${t("compare.automatic")}</th>${number(exact, long)}<td></td>
        <td>${t("compare.automatic_cost", { count: automatic.evaluations, nodes: automatic.nodes })}</td></tr>
      <tr><th scope="row">${t("compare.symbolic")}</th>${number(symbolic.value === null ? null : symbolicValue, long)}
        ${number(relativeError(symbolicValue, exact))}
        <td>${symbolic.size_naive === null ? nothing : t("compare.symbolic_cost", { naive: symbolic.size_naive, size: symbolic.size ?? "–" })}</td></tr>
      ${quotientsAt(numeric, delta).map(
        ({
          type,
          method,
          value,
        }) => html`<tr class=${method}><th scope="row"><span class="key ${type}" aria-hidden="true"></span>${t(`compare.${method}`)} <small>${type}</small></th>
        ${number(value, long)}${number(relativeError(value, exact))}
        <td>${t("compare.runs", { count: numeric[type].evaluations[method] })}</td></tr>`,
      )}
    </tbody></table>`;
}

class Compare extends Panel {
  render() {
    const { program, comparison } = state.value;
    if (!program) return nothing;
    if (lacksVariables(program)) return noVariables();
    if (comparison?.trouble && comparison.of.program === program)
      return html`<p class="message warning" role="alert">${troubleWords(comparison.trouble)}</p>${ownAgain()}`;
    const answer = comparison?.of.program === program ? comparison.answer : null;
    return answer ? this.found(answer) : html`<p class="note" role="status">${t("compare.waits")}</p>`;
  }

  updated() {
    loadComparison();
  }

  /** @param {Comparison} answer */
  found(answer) {
    const { name } = answer.component;
    const latex = answer.symbolic.derivatives?.[name] ?? answer.symbolic.latex;
    const y = targetName(/** @type {import("../../types.js").Program} */ (state.value.program));
    return html`<div class="ways">
        ${this.variable(answer)}${this.start(answer)}
        <div class="formula">${latex ? html`<gl-formula .latex=${`\\frac{\\partial ${letter(y)}}{\\partial ${letter(name)}} = ${latex}`}></gl-formula>` : html`<p class="note">${t("compare.no_formula")}</p>`}</div>
        ${ownDerivative(`∂${y}/∂${name}`)}
        <p class="verdict">${inLanguage(state.value.language, answer.verdict.en, answer.verdict.zh)}</p>
        <p class="note">${t("compare.relative_formula")}</p>
      </div>
      <div class="numbers">${this.slider(answer)}${methods(answer)}</div>
      <gl-error-figure></gl-error-figure>`;
  }

  /** Which variable to differentiate by, where there are several. @param {Comparison} answer */
  variable({ at, component }) {
    const names = Object.keys(at);
    if (names.length < 2) return nothing;
    const choose = (/** @type {Event} */ event) =>
      chooseInComparison({ by: /** @type {HTMLSelectElement} */ (event.target).value, typed: "" });
    return html`<label class="by">${t("compare.by")} <select @change=${choose}>${names.map(
      (name) => html`<option value=${name} .selected=${name === component.name}>${name}</option>`,
    )}</select></label>`;
  }

  /** Where a program's derivative is taken, which need not be where its last step stands. @param {Comparison} answer */
  start({ at, component: { name, index } }) {
    if (state.value.program?.dialect === "math") return nothing;
    const value = index.reduce((/** @type {any} */ data, place) => data?.[place], at[name]);
    const place = `${name}${index.length > 0 ? `[${index.join(", ")}]` : ""} = ${formatValue(value)}`;
    return html`<p class="note">${t("compare.at_start", { place })}</p>`;
  }

  /** @param {Comparison} answer */
  slider({ numeric }) {
    const delta = deltaAt(numeric, state.value.compare.power);
    const powers = numeric.float64.delta.map(powerOf);
    const moved = (/** @type {Event} */ event) =>
      chooseInComparison({ power: Number(/** @type {HTMLInputElement} */ (event.target).value) });
    return html`<label class="delta"><span>δ = ${formatValue(delta)}</span>
      <input type="range" min=${Math.min(...powers)} max=${Math.max(...powers)} step="1" aria-label=${t("compare.delta")}
        aria-valuetext=${formatValue(delta)} .value=${live(String(powerOf(delta)))} @input=${moved}></label>`;
  }
}

/** A way back to the first variable, where the chosen one is none of this program's. */
const ownAgain = () =>
  state.value.compare.by === null
    ? nothing
    : html`<button @click=${() => chooseInComparison({ by: null, typed: "" })}>${t("compare.first")}</button>`;

customElements.define("gl-compare", Compare);
