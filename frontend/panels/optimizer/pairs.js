// The (gradient, variable) pairs of one update at its three stages.

import { html, nothing } from "lit";
import { isClip, isProcessedByProgram } from "../../runs/optimizers.js";
import { ASKED, pairsAt, pairsBefore } from "../../runs/updates.js";
import { known, shownProgram } from "../../state/selectors.js";
import { state, t } from "../../store.js";
import { exactValue, formatValue, shortValue } from "../../values/format.js";

/** @import { Value } from "../../values/format.js" */
/** @import { Pair } from "../../runs/updates.js" */

const ROOM = 24; // characters of a value
const IN_NAMES = /(?<=[_/])/; // where a narrow column may break them
const IN_NUMBERS = /(?=×10[⁻⁰¹²³⁴-⁹])/;
const COLUMNS = ["variable", "gradient", "processed", "old", "new"];

/** The pairs of the row that is shown; none where there is nothing to optimise. @returns {Pair[]} */
export function shownPairs() {
  const { run, row } = state.value;
  const program = shownProgram.value;
  if (run) return pairsAt(run, row);
  return program ? pairsBefore(program, known.value) : [];
}

/** A text that a narrow column may break at these places. @param {string} text @param {RegExp} places */
const breakable = (text, places) => text.split(places).map((part, n) => (n === 0 ? part : html`<wbr>${part}`));

/** @param {unknown} data */
function cell(data) {
  const value = /** @type {Value} */ (data);
  return html`<span title=${exactValue(value)}>${breakable(shortValue(value, ROOM), IN_NUMBERS)}</span>`;
}

/** Whether a gradient goes on as it was, as far as that is known. @param {Pair} pair */
const isSame = ({ gradient, processed }) =>
  [null, ASKED].includes(/** @type {string | null} */ (processed)) ||
  formatValue(/** @type {Value} */ (processed)) === formatValue(/** @type {Value} */ (gradient));

/** Whether clipping was asked for and left a gradient as it was. @param {Pair} pair */
function isUnchanged(pair) {
  const { runSettings: settings } = state.value;
  return settings !== null && isClip(settings.process) && pair.processed !== ASKED && pair.processed !== null && isSame(pair);
}

/** Whether gradients are not processed at all; a narrow screen then leaves that stage out. @param {Pair[]} pairs */
function areUnprocessed(pairs) {
  const { settings, program } = state.value;
  return settings.process === "none" && !isProcessedByProgram(settings, program) && pairs.every(isSame);
}

/** @param {Pair} pair */
const row = (pair) => html`<tr>
  <th scope="row"><var>${breakable(pair.label, IN_NAMES)}</var></th>
  <td>${pair.gradient === null ? t("optimizer.not_connected") : cell(pair.gradient)}</td>
  <td>${cell(pair.processed)}${isUnchanged(pair) ? html` <small>${t("optimizer.unchanged")}</small>` : nothing}</td>
  <td>${cell(pair.before)}</td>
  <td><strong>${cell(pair.after)}</strong></td>
</tr>
${pair.slots.map(slot)}`;

/** One part of the optimizer's state, below its variable. @param {import("../../runs/updates.js").Slot} slot */
const slot = ({ name, before, after }) => html`<tr class="slot">
  <td class="gap"></td>
  <th scope="row" colspan="2"><code>${name}</code></th>
  <td>${cell(before)}</td>
  <td>${cell(after)}</td>
</tr>`;

/** The table. */
export function pairsTable() {
  const pairs = shownPairs();
  return html`<table class="pairs ${areUnprocessed(pairs) ? "unprocessed" : ""}">
    <caption class="visually-hidden">${t("optimizer.pairs")}</caption>
    <thead>
      <tr class="stage-names">
        <td></td>
        <th scope="colgroup" class="gradient">${breakable("compute_gradients", IN_NAMES)}</th>
        <th scope="colgroup" class="process">${t("optimizer.process")}</th>
        <th scope="colgroup" colspan="2" class="update">${breakable("apply_gradients", IN_NAMES)}</th>
      </tr>
      <tr>${COLUMNS.map((name) => html`<th scope="col">${t(`optimizer.${name}`)}</th>`)}</tr>
    </thead>
    <tbody>${pairs.map(row)}</tbody>
  </table>`;
}
