// The variables of an expression: each with a value to type, a slider, and the slider's two ends.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { setVariable } from "../../requests/session.js";
import { learnersNames, nodeOf } from "../../state/lesson.js";
import { state, t, update } from "../../store.js";
import { dataOf, exactNumber, formatNumber } from "../../values/format.js";
import { typedNumber } from "../../values/typed.js";
import { fieldMistake, numberField } from "../parts/number_field.js";
import { trainingSwitch } from "../parts/training_switch.js";

const STEPS = 200; // places of a slider

/** The value of a variable in the run that is shown: after the update, or before it while it is walked through. @param {string} name */
function presentValue(name) {
  const { run, row, optimising } = state.value;
  const value = run && row > 0 ? run.variables[name]?.[optimising ? row : row - 1] : undefined;
  return typeof value === "number" ? value : undefined;
}

/** What a variable was at the start, where a run has moved it. @param {string} name @param {number} given */
function startValue(name, given) {
  const present = presentValue(name);
  return present === undefined || present === given ? null : formatNumber(given);
}

/** The scalar variables of a mathematical text, their values, and their start in words where it is another. @returns {[string, number, string | null][]} */
function variables() {
  const { program, at } = state.value;
  if (program?.dialect !== "math") return [];
  const names = learnersNames(program); // a variable with two names has one slider
  return program.bindings.flatMap(({ kind, name, tensor, value }) => {
    if (names.get(nodeOf(tensor ?? "")) !== name) return [];
    const given = name === undefined ? undefined : (at[name] ?? dataOf(value));
    return kind === "variable" && name !== undefined && typeof given === "number"
      ? [/** @type {[string, number, string | null]} */ ([name, presentValue(name) ?? given, startValue(name, given)])]
      : [];
  });
}

/**
 * The ends of a slider at first: the value lies well inside.
 * @param {number} value
 * @returns {[number, number]}
 */
function firstRange(value) {
  const reach = Math.abs(value) <= 10 ? 10 : 2 * Math.abs(value);
  return [-reach, reach];
}

/** What is said of a text that is no number. */
const NO_NUMBER = { key: "input.no_number" };

/** The range, widened where a run has left it. @param {readonly [number, number]} range @param {number} value @returns {readonly [number, number]} */
const around = ([low, high], value) => (Number.isFinite(value) ? [Math.min(low, value), Math.max(high, value)] : [low, high]);

/** @param {string} name @param {readonly [number, number]} range */
const setRange = (name, range) => update({ ranges: { ...state.value.ranges, [name]: range } });

/** @typedef {Parameters<typeof numberField>[0]["entered"]} Entered */

/** One end of a slider. @param {string} label @param {number} value @param {Entered} entered */
const end = (label, value, entered) => numberField({ label, shown: exactNumber(value), entered, kind: "end" });

/** @param {string} name @param {number} value @param {string | null} start */
function slider(name, value, start) {
  const [low, high] = around(state.value.ranges[name] ?? firstRange(value), value);
  const typed = (/** @type {string} */ text) => {
    const number = typedNumber(text);
    if (number === null) return NO_NUMBER;
    if (number < low || number > high) setRange(name, [Math.min(low, number), Math.max(high, number)]);
    setVariable(name, number);
    return undefined;
  };
  const slid = (/** @type {Event} */ event) => setVariable(name, Number(/** @type {HTMLInputElement} */ (event.target).value));
  const ended = (/** @type {0 | 1} */ side) => (/** @type {string} */ text) => {
    const number = typedNumber(text);
    if (number === null) return NO_NUMBER;
    if (side === 0 && number >= high) return { key: "input.end_too_high", params: { end: high } };
    if (side === 1 && number <= low) return { key: "input.end_too_low", params: { end: low } };
    setRange(name, side === 0 ? [number, high] : [low, number]);
    return undefined;
  };
  const fields = /** @type {const} */ ([
    [t("input.value_of", { name }), start === null ? exactNumber(value) : formatNumber(value)],
    [t("input.lowest", { name }), exactNumber(low)],
    [t("input.highest", { name }), exactNumber(high)],
  ]);
  return html`<div class="variable">
    <label><var>${name}</var> =${numberField({ label: fields[0][0], shown: fields[0][1], entered: typed, id: `value-of-${name}` })}</label>
    <input type="range" min=${low} max=${high} step=${(high - low) / STEPS}
      aria-label=${t("input.slide", { name })} .value=${live(String(value))} @input=${slid}>
    <span class="state">${trainingSwitch(name)}${start === null ? nothing : html`<small>${t("input.at_start", { value: start })}</small>`}</span>
    <div class="ends">
      ${end(t("input.lowest", { name }), low, ended(0))}
      ${end(t("input.highest", { name }), high, ended(1))}
    </div>
    ${fields.map(([label, shown]) => fieldMistake(label, shown))}
  </div>`;
}

/** All sliders; nothing where there is no variable. */
export function sliders() {
  const found = variables();
  if (found.length === 0) return nothing;
  return html`<section class="variables" aria-label=${t("input.variables")}>${repeat(
    found,
    ([name]) => name,
    ([name, value, start]) => slider(name, value, start),
  )}</section>`;
}
