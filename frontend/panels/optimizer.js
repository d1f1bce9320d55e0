// The optimizer: its settings, the three stages of one update, and the loss curve.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";

import { exactValue, formatNumber, formatValue, shortValue } from "../format.js";
import { ASKED, pairsAt, pairsBefore } from "../optimizing.js";
import { optimise } from "../session.js";
import { atRow, buildsUpdates, known, shownProgram, state, t, update, WITHOUT_RUN } from "../store.js";
import "./curve.js";
import { icons } from "./icons.js";
import { Panel } from "./panel.js";
import { updateSentences } from "./sentence.js";
import { troubleMessage } from "./trouble.js";

/** @typedef {import("../format.js").Value} Value */
/** @typedef {import("../store.js").OptimizerSettings} Settings */

const COUNTS = [1, 10, 100];
const RATES = { min: -5, max: 1, step: 0.05 }; // powers of ten on the slider

/** @param {Partial<Settings>} fields */
const set = (fields) => update({ settings: { ...state.value.settings, ...fields } });

/** @param {Event} event */
const text = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** Take over a number above zero; anything else leaves the setting as it is. @param {"rate" | "limit"} field */
const typed = (field) => (/** @type {Event} */ event) => set(Number(text(event)) > 0 ? { [field]: Number(text(event)) } : {});

class Optimizer extends Panel {
  render() {
    const program = shownProgram.value;
    if (!program || shownPairs(program).length === 0) return html`<p class="note">${t("optimizer.none")}</p>`;
    return html`${this.settings()}<div class="stages">${this.buttons()}${this.pairs(program)}${this.sentence()}${troubleMessage()}</div><gl-curve></gl-curve>`;
  }

  settings() {
    const { settings, program } = state.value;
    return html`<div class="settings">
      <label><span>${t("optimizer.name")}</span><select @change=${(/** @type {Event} */ event) => set({ name: /** @type {Settings["name"]} */ (text(event)) })}>
        ${program && buildsUpdates(program) ? html`<option value="own" .selected=${settings.name === "own"}>${t("optimizer.own")}</option>` : nothing}
        <option value="GradientDescent" .selected=${settings.name !== "own"}>GradientDescent</option></select></label>
      ${settings.name === "own" ? nothing : this.ownSettings(settings)}
    </div>`;
  }

  /** @param {Settings} settings */
  ownSettings({ rate, process, limit }) {
    return html`
      <label><span>${t("optimizer.rate")}</span>
        <span class="pair"><input class="value" inputmode="decimal" .value=${live(String(rate))} @change=${typed("rate")}>
      <input class="rate" type="range" min=${RATES.min} max=${RATES.max} step=${RATES.step} .value=${live(String(Math.log10(rate)))} aria-label=${t("optimizer.rate_slide")}
        aria-valuetext=${formatNumber(rate)} @input=${(/** @type {Event} */ event) => set({ rate: Number((10 ** Number(text(event))).toPrecision(2)) })}></span></label>
      <label><span>${t("optimizer.process")}</span><span class="pair"><select @change=${(/** @type {Event} */ event) => set({ process: /** @type {Settings["process"]} */ (text(event)) })}>
        ${/** @type {const} */ (["none", "clip_by_norm"]).map((name) => html`<option value=${name} .selected=${name === process}>${t(name === "none" ? "optimizer.process_none" : "optimizer.process_clip")}</option>`)}</select>
        ${process === "none" ? nothing : html`<input class="value" inputmode="decimal" aria-label=${t("optimizer.limit")} title=${t("optimizer.limit")} .value=${live(String(limit))} @change=${typed("limit")}>`}</span></label>`;
  }

  buttons() {
    const { row, run } = state.value;
    return html`<div class="buttons">
      <button aria-disabled=${row === 0} @click=${() => update(atRow(state.value, row - 1))}>${icons.back}${t("optimizer.back")}</button>
      ${COUNTS.map((count) => html`<button class="step-${count}" @click=${() => optimise(count)}>${count === 1 ? t("optimizer.step") : html`×${count}`}</button>`)}
      <button aria-disabled=${!run} @click=${() => update(WITHOUT_RUN)}>${t("optimizer.reset")}</button>
      <output class="count">${t("optimizer.row", { row })}</output>
    </div>`;
  }

  /** @param {import("../api.js").Program} program */
  pairs(program) {
    return html`<table class="pairs">
      <caption class="visually-hidden">${t("optimizer.pairs")}</caption>
      <thead>
        <tr class="stage-names"><td></td><th scope="colgroup" class="gradient">compute_<wbr>gradients</th><th scope="colgroup" class="process">${t("optimizer.process")}</th><th scope="colgroup" colspan="2" class="update">apply_<wbr>gradients</th></tr>
        <tr>${["variable", "gradient", "processed", "old", "new"].map((name) => html`<th scope="col">${t(`optimizer.${name}`)}</th>`)}</tr>
      </thead>
      <tbody>${shownPairs(program).map((pair) => this.pair(pair))}</tbody>
    </table>`;
  }

  /** @param {import("../optimizing.js").Pair} pair */
  pair({ label, gradient, processed, before, after }) {
    const settings = state.value.runSettings;
    const clipped = processed !== ASKED && settings?.name !== "own" && settings?.process === "clip_by_norm";
    const same = clipped && formatValue(/** @type {Value} */ (processed)) === formatValue(/** @type {Value} */ (gradient));
    return html`<tr><th scope="row"><var>${label}</var></th>
      <td>${gradient === null ? t("optimizer.not_connected") : cell(gradient)}</td>
      <td>${cell(processed)}${same ? html` <small>${t("optimizer.unchanged")}</small>` : nothing}</td>
      <td>${cell(before)}</td><td><strong>${cell(after)}</strong></td></tr>`;
  }

  /** What happened in words, and why it went no further. */
  sentence() {
    const { run, row } = state.value;
    const ended = run && run.status !== "ok" && row === run.steps.length - 1;
    return html`${updateSentences().map((one) => html`<p class="update-sentence">${one}</p>`)}
      ${ended ? html`<p class="message warning" role="status">${t(`optimizer.${run.status === "limit" ? "limit_reached" : run.status}`)}</p>` : nothing}`;
  }
}

/** The pairs of the row that is shown. @param {import("../api.js").Program} program */
function shownPairs(program) {
  const { run, row } = state.value;
  return run ? pairsAt(run, row) : pairsBefore(program, (name) => known.value.status.get(name) !== "waiting");
}

/** @param {unknown} data */
const cell = (data) => html`<span title=${exactValue(/** @type {Value} */ (data))}>${shortValue(/** @type {Value} */ (data), 24)}</span>`;

customElements.define("gl-optimizer", Optimizer);
