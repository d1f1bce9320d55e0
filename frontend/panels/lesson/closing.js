// Beneath the closing step of a lesson: the derivative as a formula, and all paths from the variable to the target.

import { html, nothing } from "lit";

import { derivativesOf, pathsFrom } from "../../requests/lesson/lesson_more.js";
import { inLanguage } from "../../i18n/i18n.js";
import { nodeOf } from "../../state/lesson.js";
import { factorId, gradientId, quantityId } from "../../state/mathematics/ids.js";
import { currentStep } from "../../state/selectors.js";
import { state, t, update } from "../../store.js";
import { formatNumber, formatValue } from "../../values/format.js";
import "../parts/formula.js";
import { styleSheet } from "../parts/style_sheet.js";
import { Panel } from "../panel.js";

/** @import { Path, Paths, Program, Step } from "../../types.js" */

class Closing extends Panel {
  #isStyled = false; // before that it would move under the hand
  /** @type {Program | null} that the formulas and paths are of */
  #program = null;
  /** @type {Record<string, string | null>} */
  #formulas = {};
  /** @type {Map<string, Paths | "asked">} by variable */
  #paths = new Map();

  async firstUpdated() {
    await styleSheet("styles/closing.css");
    this.#isStyled = true;
    this.requestUpdate();
  }

  willUpdate() {
    const { program, run } = state.value;
    if (program === this.#program || run) return;
    [this.#program, this.#formulas, this.#paths] = [program, {}, new Map()];
    if (program) void this.#fetchFormulas(program);
  }

  /** @param {Program} program */
  async #fetchFormulas(program) {
    const found = await derivativesOf(program);
    if (program === this.#program) this.#formulas = found;
    this.requestUpdate();
  }

  /** The formula comes later, so it stands last: what is above it does not move under the hand. */
  render() {
    const step = currentStep.value;
    const x = step?.phase === "close" ? this.#variableOf(step) : undefined;
    if (!this.#isStyled || !step || x === undefined) return nothing;
    const formula = this.#formulas[x];
    return html`
      ${this.#pathsOf(x)}
      ${formula ? html`<p class="note">${t("closing.formula")}</p><gl-formula .latex=${`${step.rule} = ${formula}`}></gl-formula>` : nothing}`;
  }

  /** What the program's gradients call the variable that a step closes with. @param {Step} step */
  #variableOf = (step) => this.#program?.gradients.find(({ x }) => nodeOf(x) === step.of)?.name;

  /** @param {string} x */
  #pathsOf(x) {
    const found = this.#paths.get(x);
    if (!found) return html`<button class="link" @click=${() => this.#fetchPaths(x)}>${t("closing.show_paths", { x })}</button>`;
    return found === "asked" ? html`<p class="note">…</p>` : pathsView(found);
  }

  /** @param {string} x */
  async #fetchPaths(x) {
    const program = this.#program;
    this.#paths.set(x, "asked");
    this.requestUpdate();
    const found = await pathsFrom(x);
    if (program !== this.#program) return;
    if (found) this.#paths.set(x, found);
    else this.#paths.delete(x);
    this.requestUpdate();
  }
}

/** @param {Paths} found */
function pathsView(found) {
  const { x, y, count, paths, reason } = found;
  if (reason) return html`<p class="note">${inLanguage(state.value.language, reason.en, reason.zh)}</p>`;
  return html`<section class="paths" aria-label=${t("closing.paths", { x: x ?? "", y: y ?? "" })}>
    <p>${t("closing.paths_count", { count, x: x ?? "", y: y ?? "" })}</p>
    <ol>${paths.map((path) => html`<li>${pathView(path)}</li>`)}</ol>
    ${count > paths.length ? html`<p class="note">${t("closing.paths_more", { count: count - paths.length })}</p>` : nothing}
    ${paths.length > 1 && count === paths.length ? html`<p>${sumOf(paths)}</p>` : nothing}
    ${naiveView(found)}</section>`;
}

/** The quantities that a path goes through, on a button that lights them up, and its product. @param {Path} path */
function pathView(path) {
  const way = path.quantities.map(({ expression_text: text }) => text).join(" → ");
  const factors = path.factors.map(({ value }, i) => inBrackets(formatValue(value), i)).join(" × ");
  return html`<button class="link" title=${t("closing.light")} @click=${() => light(path)}>${way}</button>
    <span class="product">${factors} = <strong>${formatNumber(Number(path.product))}</strong></span>`;
}

/** "3 + (−6) = −3". @param {readonly Path[]} paths */
function sumOf(paths) {
  const terms = paths.map(({ product }, i) => inBrackets(formatNumber(Number(product)), i)).join(" + ");
  const sum = formatNumber(Number(paths[paths.length - 1].sum));
  return html`${t("closing.sum")} ${terms} = <strong>${sum}</strong>`;
}

/** A negative number behind a sign. @param {string} text @param {number} i */
const inBrackets = (text, i) => (i > 0 && text.startsWith("−") ? `(${text})` : text);

/** What comes of sending on without waiting. @param {Paths} found */
function naiveView({ naive, gradient, visits }) {
  if (naive === null || !visits || visits.naive === null) return nothing;
  const [number, right] = [formatValue(naive), formatValue(gradient)];
  return html`<p class="note">${t(number === right ? "closing.naive_same" : "closing.naive_differs", { naive: number, gradient: right, naive_visits: visits.naive, reverse_visits: visits.reverse })}</p>`;
}

/** Light up a path in the picture, forward and back. @param {Path} path */
function light({ quantities }) {
  const tensors = quantities.map(({ tensor }) => tensor);
  const at = quantityId(tensors[0]);
  const factors = tensors.slice(1).flatMap((from, i) => [0, 1].map((place) => factorId(place, from, tensors[i])));
  const names = [...tensors.map(quantityId), ...tensors.map(gradientId), ...factors];
  const { tab } = state.value;
  update({ selected: at, lit: { at, names }, tab: tab === "step" ? "graph" : tab });
}

customElements.define("gl-closing", Closing);
