// The (gradient, variable) pairs of one update at its three stages.

import { html, nothing } from "lit";
import { isClip, isProcessedByProgram } from "../../runs/optimizers.js";
import { ASKED, pairsAt, pairsBefore } from "../../runs/updates.js";
import { known, shownProgram } from "../../state/selectors.js";
import { state, t } from "../../store.js";
import { cellOf } from "../../values/csv.js";
import { dataOf, exactValue, formatValue, shortValue } from "../../values/format.js";
import { sortedBy, sortKeyOf } from "../../values/sorting.js";
import { hasText, lookOf, sortHeading, tableTools } from "../dock/table_tools.js";
import { axesOf } from "../dock/whole_value.js";

/** @import { Value } from "../../values/format.js" */
/** @import { Pair } from "../../runs/updates.js" */

const ROOM = 24; // characters of a value
const IN_NAMES = /(?<=[_/])/; // where a narrow column may break them
const IN_NUMBERS = /(?=×10[⁻⁰¹²³⁴-⁹])/;
const COLUMNS = ["variable", "gradient", "processed", "old", "new"];

/** The pairs of the row that is shown; none where there is nothing to optimise. @returns {Pair[]} */
export function shownPairs() {
  const { run, row, around } = state.value;
  const program = shownProgram.value;
  if (run) return pairsAt(run, row, around?.run === run && around.row === row ? around : null);
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

const TABLE = "pairs";
const FEW = 8; // pairs that need no filter
/** What a column is sorted by. @type {Record<string, (pair: Pair) => import("../../values/sorting.js").SortKey>} */
const KEYS = {
  variable: ({ label }) => label,
  gradient: ({ gradient }) => keyOf(gradient),
  processed: ({ processed }) => keyOf(processed),
  old: ({ before }) => keyOf(before),
  new: ({ after }) => keyOf(after),
};

/** @param {unknown} data */
const keyOf = (data) =>
  sortKeyOf(data === ASKED ? null : dataOf(/** @type {Value} */ (data)), axesOf(/** @type {any} */ (data ?? null)));

/** Those that are looked for, in order. @param {Pair[]} pairs */
function looked(pairs) {
  const { sort, isDown, filter } = lookOf(TABLE);
  const found = filter.trim() && pairs.length > FEW ? pairs.filter(({ label }) => hasText(filter, [label])) : pairs;
  return sort && KEYS[sort] ? sortedBy(found, KEYS[sort], isDown) : found;
}

/** What is copied and saved, slots below their variables. @param {Pair[]} pairs */
function rowsOf(pairs) {
  const cellFor = (/** @type {unknown} */ data) => cellOf(dataOf(/** @type {Value} */ (data)) ?? null);
  return [
    [...COLUMNS.slice(0, 1), "slot", ...COLUMNS.slice(1)].map((name) => t(`optimizer.${name}`)),
    ...pairs.flatMap(({ label, gradient, processed, before, after, slots }) => [
      [
        label,
        "",
        gradient === null ? t("optimizer.not_connected") : cellFor(gradient),
        ...[processed, before, after].map(cellFor),
      ],
      ...slots.map((each) => [label, each.name, "", "", cellFor(each.before), cellFor(each.after)]),
    ]),
  ];
}

// What asks for gradients, and what applies them.
const IN_TENSORFLOW = ["compute_gradients", "apply_gradients"];
const IN_PYTORCH = ["loss.backward()", "optimizer.step()"];

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
  const found = looked(pairs);
  const [gradients, updates] = state.value.program?.dialect === "torch" ? IN_PYTORCH : IN_TENSORFLOW;
  return html`<table class="pairs ${areUnprocessed(pairs) ? "unprocessed" : ""}">
    <caption class="visually-hidden">${t("optimizer.pairs")}</caption>
    <thead>
      <tr class="stage-names">
        <td></td>
        <th scope="colgroup" class="gradient">${breakable(gradients, IN_NAMES)}</th>
        <th scope="colgroup" class="process">${t("optimizer.process")}</th>
        <th scope="colgroup" colspan="2" class="update">${breakable(updates, IN_NAMES)}</th>
      </tr>
      <tr>${COLUMNS.map((name) => sortHeading(TABLE, name, t(`optimizer.${name}`)))}</tr>
    </thead>
    <tbody>${found.map(row)}</tbody>
  </table>
  ${tableTools(TABLE, { shown: found.length, count: pairs.length, isLong: pairs.length > FEW, rows: () => rowsOf(found), file: "updates.csv" })}`;
}
