// What tables have in common: headings that sort, a field that filters, and the rows copied or saved as CSV.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";

import { copyText } from "../../browser/copying.js";
import { saveText } from "../../browser/saving.js";
import { lookOfTable, sortedAgain, withTable } from "../../state/tables.js";
import { state, t, update } from "../../store.js";
import { csvOf, tsvOf } from "../../values/csv.js";

/** @import { Cell } from "../../values/csv.js" */

const ARROWS = { ascending: "▲", descending: "▼", none: "" };

/** @param {string} table */
export const lookOf = (table) => lookOfTable(state.value, table);

/** A column's heading, which sorts by it. @param {string} table @param {string} column @param {unknown} label @param {string} [kind] its class */
export function sortHeading(table, column, label, kind = "") {
  const look = lookOf(table);
  const order = look.sort !== column ? "none" : look.isDown ? "descending" : "ascending";
  const press = () => update(withTable(state.value, table, sortedAgain(look, column)));
  return html`<th scope="col" class=${kind || nothing} aria-sort=${order}>
    <button class="sort" title=${t("table.sort")} @click=${press}>${label}<span aria-hidden="true">${ARROWS[order]}</span></button></th>`;
}

/**
 * The row above a table.
 * @param {string} table
 * @param {{shown: number, count: number, hint?: string, isLong?: boolean, rows: () => Cell[][], file: string}} parts  rows: with their
 *   heading; isLong: whether it is worth a filter
 */
export function tableTools(table, { shown, count, hint = t("table.filter_hint"), isLong = true, rows, file }) {
  const { filter } = lookOf(table);
  const typed = (/** @type {Event} */ event) =>
    update(withTable(state.value, table, { filter: /** @type {HTMLInputElement} */ (event.target).value }));
  return html`<div class="table-tools" role="group" aria-label=${t("table.tools")}>
    ${
      isLong
        ? html`<input type="search" class="filter" aria-label=${t("table.filter")} placeholder=${hint} .value=${live(filter)} @input=${typed}>`
        : nothing
    }
    <output>${filter ? t("table.of", { shown, count }) : ""}</output><span class="said" role="status"></span>
    <button @click=${(/** @type {Event} */ event) => void copy(rows(), /** @type {HTMLElement} */ (event.currentTarget))}>${t("writing.copy")}</button>
    <button @click=${() => saveText(csvOf(rows()), file, "text/csv")}>CSV</button></div>`;
}

/** The button says how it went. @param {Cell[][]} rows @param {HTMLElement} button */
async function copy(rows, button) {
  const done = await copyText(tsvOf(rows));
  const place = button.parentElement?.querySelector(".said");
  if (place) place.textContent = t(done ? "writing.copied" : "writing.not_copied");
}

/** Whether a text has what is typed into the filter. @param {string} filter @param {readonly string[]} texts */
export const hasText = (filter, texts) => texts.some((text) => text.toLowerCase().includes(filter.trim().toLowerCase()));
