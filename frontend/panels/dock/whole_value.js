// All numbers of an array as a file, fetched where the answer has only a summary of them; and a value that it has not got at all.

import { html, nothing } from "lit";

import { inLanguage } from "../../i18n/i18n.js";
import { fetchedTensor, wholeTensor } from "../../requests/docks/tensors.js";
import { state, t } from "../../store.js";
import { csvOf, rowsOfTensor } from "../../values/csv.js";
import { dataOf, shapeOf } from "../../values/format.js";
import { icons } from "../parts/icons.js";
import { saveText } from "../../browser/saving.js";

/** @import { ApiNode, Value } from "../../types.js" */

/** The axes of a value. @param {Value | null} value */
export const axesOf = (value) => (value instanceof Object && "shape" in value ? value.shape : shapeOf(dataOf(value)));

/** Whether what is shown of a node is what its program's answer has: then the server has the whole of it. @param {string} name */
const isOfAnswer = (name) => state.value.row === 0 && !(name in state.value.lessonValues) && !state.value.stale;

/** A value as far as it is here: fetched by itself, or as it was sent. @param {string} name @param {Value | null} value @returns {Value | null} */
export function knownWhole(name, value) {
  const isShort = value === null || dataOf(value) === null;
  return (isShort && isOfAnswer(name) && fetchedTensor(name)?.value) || value;
}

/** A button that saves every number of an array. @param {string} name @param {Value | null} value */
export function saveNumbers(name, value) {
  if (axesOf(value).length === 0 || (dataOf(value) === null && !isOfAnswer(name))) return nothing;
  const label = t("table.save_numbers", { name });
  return html`<button class="quiet mini" title=${label} aria-label=${label} @click=${() => void save(name, value)}>${icons.save}</button>`;
}

/** @param {string} name @param {Value | null} value */
async function save(name, value) {
  const data = dataOf(value) ?? dataOf(await wholeTensor(name));
  if (data !== null && data !== undefined) saveText(csvOf(rowsOfTensor(data)), `${name.replaceAll("/", "_")}.csv`, "text/csv");
}

/** Of a node whose value the answer has not got: a button that asks for it, or why there is none. @param {ApiNode} node */
export function askForValue({ name, outputs }) {
  if (outputs.length === 0 || !isOfAnswer(name)) return nothing;
  const problem = fetchedTensor(name)?.problem;
  const { language } = state.value;
  if (problem)
    return html`<small title=${inLanguage(language, problem.detail, problem.message_zh)}>${t("table.no_value")}</small>`;
  const label = t("table.fetch_this", { name });
  return html`<button class="link" aria-label=${label} @click=${() => void wholeTensor(name)}>${t("table.fetch")}</button>`;
}
