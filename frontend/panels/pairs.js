// The (gradient, variable) pairs of one update at its three stages.

import { html, nothing } from "lit";

import { known, shownProgram } from "../drawn.js";
import { exactValue, formatValue, shortValue } from "../format.js";
import { isClip } from "../optimizers.js";
import { ASKED, pairsAt, pairsBefore } from "../optimizing.js";
import { state, t } from "../store.js";

/** @typedef {import("../format.js").Value} Value */
/** @typedef {import("../optimizing.js").Pair} Pair */

const ROOM = 24; // characters of a value
const COLUMNS = ["variable", "gradient", "processed", "old", "new"];

/** The pairs of the row that is shown; none where there is nothing to optimise. @returns {Pair[]} */
export function shownPairs() {
  const { run, row } = state.value;
  const program = shownProgram.value;
  if (run) return pairsAt(run, row);
  return program ? pairsBefore(program, known.value) : [];
}

/** @param {unknown} data */
function cell(data) {
  const value = /** @type {Value} */ (data);
  return html`<span title=${exactValue(value)}>${shortValue(value, ROOM)}</span>`;
}

/** Whether clipping was asked for and left a gradient as it was. @param {Pair} pair */
function isUnchanged({ gradient, processed }) {
  const settings = state.value.runSettings;
  const clips = settings && isClip(settings.process) && processed !== ASKED;
  return Boolean(clips) && processed !== null && formatValue(/** @type {Value} */ (processed)) === formatValue(/** @type {Value} */ (gradient));
}

/** @param {Pair} pair */
const row = (pair) => html`<tr>
  <th scope="row"><var>${pair.label}</var></th>
  <td>${pair.gradient === null ? t("optimizer.not_connected") : cell(pair.gradient)}</td>
  <td>${cell(pair.processed)}${isUnchanged(pair) ? html` <small>${t("optimizer.unchanged")}</small>` : nothing}</td>
  <td>${cell(pair.before)}</td>
  <td><strong>${cell(pair.after)}</strong></td>
</tr>
${pair.slots.map(slot)}`;

/** One part of the optimizer's state, below its variable. @param {import("../optimizing.js").Slot} slot */
const slot = ({ name, before, after }) => html`<tr class="slot">
  <th scope="row" colspan="3"><code>${name}</code></th>
  <td>${cell(before)}</td>
  <td>${cell(after)}</td>
</tr>`;

/** The table. A narrow column breaks a stage's name after its underscore. */
export const pairsTable = () => html`<table class="pairs">
  <caption class="visually-hidden">${t("optimizer.pairs")}</caption>
  <thead>
    <tr class="stage-names">
      <td></td>
      <th scope="colgroup" class="gradient">compute_<wbr>gradients</th>
      <th scope="colgroup" class="process">${t("optimizer.process")}</th>
      <th scope="colgroup" colspan="2" class="update">apply_<wbr>gradients</th>
    </tr>
    <tr>${COLUMNS.map((name) => html`<th scope="col">${t(`optimizer.${name}`)}</th>`)}</tr>
  </thead>
  <tbody>${shownPairs().map(row)}</tbody>
</table>`;
