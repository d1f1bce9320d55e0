// The optimizer's settings: which one, its learning rate, what is done to the gradient in between.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";

import { formatNumber } from "../format.js";
import { buildsUpdates, state, t, update } from "../store.js";

/** @typedef {import("../store.js").OptimizerSettings} Settings */

const POWERS = { least: -5, most: 1, step: 0.05 }; // of ten, on the learning rate's slider
const PROCESSES = /** @type {const} */ ({
  none: "optimizer.process_none",
  clip_by_norm: "optimizer.process_clip",
});

/** @param {Event} event */
const text = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/**
 * Change a setting; the same value again is no change.
 * @param {keyof Settings} field
 * @param {string | number} value
 */
function set(field, value) {
  const { settings } = state.value;
  update({ settings: settings[field] === value ? settings : { ...settings, [field]: value } });
}

/** Take over a choice. @param {keyof Settings} field */
const chosen = (field) => (/** @type {Event} */ event) => set(field, text(event));

/** Take over a number above zero; anything else leaves the setting as it is. @param {"rate" | "limit"} field */
const typed = (field) => (/** @type {Event} */ event) =>
  set(field, Number(text(event)) > 0 ? Number(text(event)) : state.value.settings[field]);

/** @param {Event} event */
const slid = (event) => set("rate", Number((10 ** Number(text(event))).toPrecision(2)));

/** @param {number} value @param {string} label @param {(event: Event) => void} changed */
const number = (value, label, changed) => html`
  <input class="value" inputmode="decimal" aria-label=${label} title=${label}
    .value=${live(String(value))} @change=${changed}>`;

/** @param {Settings} settings */
function learningRate({ rate }) {
  const label = t("optimizer.rate");
  return html`<div class="setting"><span aria-hidden="true">${label}</span>
    <span class="pair">${number(rate, label, typed("rate"))}
      <input class="rate" type="range" min=${POWERS.least} max=${POWERS.most} step=${POWERS.step}
        aria-label=${t("optimizer.rate_slide")} aria-valuetext=${formatNumber(rate)}
        .value=${live(String(Math.log10(rate)))} @input=${slid}></span></div>`;
}

/** @param {Settings} settings */
function processing({ process, limit }) {
  const label = t("optimizer.process");
  const options = Object.entries(PROCESSES).map(
    ([name, key]) => html`<option value=${name} .selected=${name === process}>${t(key)}</option>`,
  );
  return html`<div class="setting"><span aria-hidden="true">${label}</span>
    <span class="pair"><select aria-label=${label} @change=${chosen("process")}>${options}</select>
      ${process === "none" ? nothing : number(limit, t("optimizer.limit"), typed("limit"))}</span></div>`;
}

/** The form; the program's own optimizer comes with its own settings. */
export function settingsForm() {
  const { settings, program } = state.value;
  const own = settings.name === "own";
  const label = t("optimizer.name");
  const ownOption = html`<option value="own" .selected=${own}>${t("optimizer.own")}</option>`;
  return html`<div class="settings">
    <div class="setting"><span aria-hidden="true">${label}</span>
      <select aria-label=${label} @change=${chosen("name")}>
        ${program && buildsUpdates(program) ? ownOption : nothing}
        <option value="GradientDescent" .selected=${!own}>GradientDescent</option>
      </select></div>
    ${own ? nothing : [learningRate(settings), processing(settings)]}
  </div>`;
}
