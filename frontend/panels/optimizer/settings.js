// The optimizer's settings: which one, its learning rate and how that changes, what is done to the gradient.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { inLanguage } from "../../i18n/i18n.js";
import { settingsMoved } from "../../requests/run.js";
import { loadOptimizers } from "../../requests/session.js";
import {
  firstTiming,
  isProcessedByProgram,
  latexOf,
  OWN,
  ownOptimizer,
  parametersOf,
  rateOf,
  withRate,
} from "../../runs/optimizers.js";
import { state, t, update } from "../../store.js";
import { formatNumber } from "../../values/format.js";
import { typedNumber } from "../../values/typed.js";
import { fieldMistake, numberField } from "../parts/number_field.js";

/** @typedef {import("../../runs/optimizers.js").OptimizerSettings} Settings */
/** @import { OptimizerDoc } from "../../types.js" */

const POWERS = { least: -5, most: 1, step: 0.05 }; // of ten, on the learning rate's slider
const FAMILIES = /** @type {const} */ ({ tensorflow1: "TensorFlow 1", keras: "Keras" });
const PROCESSES = ["clip_by_norm", "clip_by_value", "clip_by_global_norm", "scale"];

/** @param {Event} event */
const text = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** What is said of a text that is no number, and of a number that is not above 0. */
const NO_NUMBER = { key: "input.no_number" };
const NOT_POSITIVE = { key: "input.not_positive" };

/** A field's way to take a number above 0. @param {(number: number) => void} take */
const positive = (take) => (/** @type {string} */ typed) => {
  const number = typedNumber(typed);
  if (number === null) return NO_NUMBER;
  if (number <= 0) return NOT_POSITIVE;
  return void take(number);
};

/** Change some settings; the same values again are no change. @param {Partial<Settings>} fields */
function set(fields) {
  const { settings } = state.value;
  const changed = Object.entries(fields).some(([field, value]) => settings[/** @type {keyof Settings} */ (field)] !== value);
  if (!changed) return;
  update({ settings: { ...settings, ...fields } });
  settingsMoved();
}

/** The optimizer or schedule of this name, as the catalogue describes it. @param {"optimizers" | "schedules"} kind @param {string} name */
const entryOf = (kind, name) => state.value.optimizers?.[kind].find((entry) => entry.name === name);

/** An optimizer's update in LaTeX; "" while it is not known. @param {{optimizer: string, parameters: Settings["parameters"]}} chosen */
export function updateFormula({ optimizer, parameters }) {
  const { program } = state.value;
  const own = optimizer === OWN && program ? ownOptimizer(program)?.name : null;
  const entry = entryOf("optimizers", own ?? optimizer);
  const all = parametersOf(entry, parameters).map(({ name, value }) => [name, value]);
  const lines = latexOf(entry?.latex ?? [], own ? {} : Object.fromEntries(all));
  const aligned = lines.map((line) => line.replace("=", "&=")).join(" \\\\ ");
  return lines.length > 0 ? `\\begin{aligned} ${aligned} \\end{aligned}` : "";
}

/** @param {string} label @param {unknown} controls @param {string} [title] @param {unknown} [below] */
const setting = (label, controls, title = "", below = nothing) => html`<div class="setting">
  <span aria-hidden="true" title=${title}>${label}</span><span class="pair">${controls}</span>${below}</div>`;

// ---- learning rate -------------------------------------------------------------------------------

/** @param {number} rate @param {(rate: number) => void} changed */
function learningRate(rate, changed) {
  const label = t("optimizer.rate");
  const slid = (/** @type {Event} */ event) => changed(Number((10 ** Number(text(event))).toPrecision(2)));
  return setting(
    label,
    html`${numberField({ label, shown: String(rate), entered: positive(changed) })}
      <input class="rate" type="range" min=${POWERS.least} max=${POWERS.most} step=${POWERS.step}
        aria-label=${t("optimizer.rate_slide")} aria-valuetext=${formatNumber(rate)}
        .value=${live(String(Math.log10(rate)))} @input=${slid}>`,
    "",
    fieldMistake(label, String(rate)),
  );
}

/** The rate, to be moved; nothing where the program changes it itself. */
function rateSetting() {
  const { program, settings } = state.value;
  const rate = rateOf(settings, program);
  return rate === null ? nothing : learningRate(rate, (moved) => set(withRate(settings, moved)));
}

/** What else the program gave its optimizer. */
function ownParameters() {
  const { program } = state.value;
  const given = Object.entries((program && ownOptimizer(program)?.parameters) ?? {});
  if (given.length === 0) return nothing;
  return html`<div class="given">${given.map(
    ([name, value]) => html`
    <span><code>${name}</code> ${formatNumber(Number(value))}</span>`,
  )}</div>`;
}

// ---- parameters ----------------------------------------------------------------------------------

/** A typed parameter: a number, or numbers with commas between them; undefined of anything else. @param {string} typed */
function numbersIn(typed) {
  const numbers = typed.split(/[,，]/).map((each) => typedNumber(each) ?? NaN);
  if (numbers.some(Number.isNaN)) return undefined;
  return numbers.length > 1 ? numbers : numbers[0];
}

/**
 * @param {OptimizerDoc | undefined} entry
 * @param {"parameters" | "timing"} kind
 */
function parameterFields(entry, kind) {
  const all = parametersOf(entry, state.value.settings[kind]);
  return all.length === 0 ? nothing : html`<div class="parameters">${all.map((one) => parameter(one, kind))}</div>`;
}

/** @param {ReturnType<typeof parametersOf>[number]} parameter @param {"parameters" | "timing"} kind */
function parameter({ name, value, doc }, kind) {
  const title = inLanguage(state.value.language, doc.en, doc.zh);
  const choose = (/** @type {unknown} */ chosen) => set({ [kind]: { ...state.value.settings[kind], [name]: chosen } });
  if (typeof value === "boolean")
    return html`<label title=${title}><code>${name}</code>
      <input type="checkbox" .checked=${live(value)}
        @change=${(/** @type {Event} */ event) => choose(/** @type {HTMLInputElement} */ (event.target).checked)}></label>`;
  const entered = (/** @type {string} */ typed) => {
    const chosen = numbersIn(typed);
    if (chosen === undefined) return NO_NUMBER;
    return void choose(Array.isArray(value) ? [chosen].flat() : chosen);
  };
  const shown = String(value ?? "");
  return html`<label title=${title}><code>${name}</code> ${numberField({ label: name, shown, entered })}</label>
    ${fieldMistake(name, shown)}`;
}

// ---- choices -------------------------------------------------------------------------------------

/** @param {string} name @param {string} label @param {boolean} selected */
const option = (name, label, selected) => html`<option value=${name} .selected=${selected}>${label}</option>`;

/** What is done where nothing is chosen: what the program does, or the usual. @param {boolean} byProgram @param {string} usual */
const unchosen = (byProgram, usual) => t(byProgram ? "optimizer.as_program" : usual);

/** @param {Settings} settings @param {boolean} byProgram  whether the program processes its gradients itself */
function processing({ process, limit }, byProgram) {
  const label = t("optimizer.process");
  const choose = (/** @type {Event} */ event) => set({ process: /** @type {Settings["process"]} */ (text(event)) });
  const limitLabel = process === "none" ? "" : t(`optimizer.limit_${process}`);
  const entered = positive((number) => set({ limit: number }));
  return setting(
    label,
    html`<select aria-label=${label} @change=${choose}>
        ${option("none", unchosen(byProgram, "optimizer.process_none"), process === "none")}
        ${PROCESSES.map((name) => option(name, t(`optimizer.process_${name}`), name === process))}</select>
      ${process === "none" ? nothing : numberField({ label: limitLabel, shown: String(limit), entered })}`,
    "",
    fieldMistake(limitLabel, String(limit)),
  );
}

/** @param {Settings} settings @param {boolean} byProgram  whether the program changes the rate itself */
function scheduling({ schedule }, byProgram) {
  const label = t("optimizer.schedule");
  const entry = entryOf("schedules", schedule);
  const choose = (/** @type {Event} */ event) =>
    set({ schedule: text(event), timing: firstTiming(entryOf("schedules", text(event))) });
  const names = (state.value.optimizers?.schedules ?? []).map(({ name }) => name);
  return html`${setting(
    label,
    html`<select class="schedule" aria-label=${label} @change=${choose}>
      ${option("none", unchosen(byProgram, "optimizer.schedule_none"), schedule === "none")}
      ${names.map((name) => option(name, name, name === schedule))}</select>`,
    entry ? inLanguage(state.value.language, entry.doc.en, entry.doc.zh) : "",
  )}${parameterFields(entry, "timing")}`;
}

/** Every optimizer by family; gradient descent alone until the catalogue is there. @param {string} chosen */
function choices(chosen) {
  const all = state.value.optimizers?.optimizers;
  if (!all) return option("GradientDescent", "GradientDescent", chosen === "GradientDescent");
  return Object.entries(FAMILIES).map(
    ([family, label]) => html`<optgroup label=${label}>
      ${all.filter((entry) => entry.family === family).map(({ name }) => option(name, name, name === chosen))}</optgroup>`,
  );
}

/** The optimizer that the program itself builds, in a group of its own. @param {string} name @param {boolean} chosen */
function ownChoice(name, chosen) {
  return html`<optgroup label=${t("optimizer.own_group")}>${option(OWN, t("optimizer.own", { name }), chosen)}</optgroup>`;
}

/** The form; the program's own optimizer comes with its own settings. */
export function settingsForm() {
  const { settings, program } = state.value;
  const own = program ? ownOptimizer(program) : null;
  const isOwn = own !== null && settings.name === OWN;
  const label = t("optimizer.name");
  const choose = (/** @type {Event} */ event) => set({ name: text(event), parameters: {} });
  const select = html`<select aria-label=${label} @change=${choose} @focus=${loadOptimizers}>
    ${own ? ownChoice(own.name, isOwn) : nothing}
    ${choices(settings.name)}</select>`;
  return html`<div class="settings">
    ${setting(label, select)}
    ${rateSetting()}
    ${processing(settings, isProcessedByProgram(settings, program))}
    ${scheduling(settings, isOwn && own.rate === null)}
    ${settings.name === OWN ? ownParameters() : parameterFields(entryOf("optimizers", settings.name), "parameters")}
  </div>`;
}
