// The table at level Mathematics: what the learner wrote, each with its value and its gradient.

import { html, nothing } from "lit";

import { givenName } from "../parts/given_name.js";
import { UNKNOWN } from "../../state/lesson.js";
import { knownHere, picture, selectedHere } from "../../state/selectors.js";
import { t } from "../../store.js";
import { cellOf } from "../../values/csv.js";
import { dataOf, exactValue, shortValue } from "../../values/format.js";
import { sortedBy, sortKeyOf } from "../../values/sorting.js";
import { partLink } from "../parts/node_link.js";
import { trainingSwitch } from "../parts/training_switch.js";
import { hasText, lookOf, sortHeading, tableTools } from "./table_tools.js";
import { axesOf, saveNumbers } from "./whole_value.js";

/** @import { Part } from "../../state/mathematics/picture.js" */
/** @typedef {{part: Part, gradient: Part | undefined, made: Part[]}} Entry */

const ROOM = 24; // characters of a value
const IN_ROWS = new Set(["quantity", "process", "update"]);
const TABLE = "quantities";

/** A value as far as it is shown by now. @param {Part | undefined} part */
function shownOf(part) {
  if (!part) return { text: "", value: null };
  const { values, exact, status } = knownHere.value;
  const value = status.get(part.id) === "waiting" ? null : (exact.get(part.id) ?? null);
  return { text: (value === null ? values.get(part.id) : shortValue(value, ROOM)) || UNKNOWN, value };
}

/** It, with every digit as its title. @param {Part | undefined} part */
function number(part) {
  const { text, value } = shownOf(part);
  if (!part) return html`<td class="number"></td>`;
  return html`<td class="number" title=${value === null ? nothing : exactValue(value)}>${text}${value === null ? nothing : saveNumbers(part.label, value)}</td>`;
}

/** @param {Entry} entry */
function row({ part, gradient, made }) {
  const states = [part, gradient].map((each) => each && knownHere.value.status.get(each.id));
  const isSelected = [part.id, gradient?.id].includes(selectedHere.value ?? "");
  return html`<tr class="${part.kind === "quantity" ? "forward" : part.kind} ${states[0]}" aria-selected=${isSelected}
      aria-current=${states.includes("current")}>
    <th scope="row">${partLink(part)}${trainingSwitch(givenName(part))}</th>
    <td class="made-of">${made.map(partLink)}</td>
    ${number(part)}
    ${number(gradient)}
  </tr>`;
}

/** @returns {Entry[]} */
function entries() {
  const parts = picture.value?.parts ?? new Map();
  const all = /** @type {Part[]} */ ([...parts.values()]);
  return all
    .filter(({ kind }) => IN_ROWS.has(kind))
    .map((part) => ({
      part,
      gradient: all.find(({ kind, quantity }) => kind === "gradient" && quantity === part.id),
      made: [...new Set(part.inputs)].flatMap((id) => parts.get(id) ?? []).filter(({ label }) => label),
    }));
}

/** @param {Part | undefined} part */
function keyOf(part) {
  const { value } = shownOf(part);
  return sortKeyOf(dataOf(value), axesOf(value));
}

/** What a column is sorted by. @type {Record<string, (entry: Entry) => import("../../values/sorting.js").SortKey>} */
const KEYS = {
  quantity: ({ part }) => part.label,
  made_of: ({ made }) => made.map(({ label }) => label).join(" "),
  value: ({ part }) => keyOf(part),
  gradient: ({ gradient }) => keyOf(gradient),
};

/** @param {Part | undefined} part */
function cell(part) {
  const { text, value } = shownOf(part);
  return value === null ? text : cellOf(dataOf(value) ?? text);
}

export function quantityTable() {
  const { sort, isDown, filter } = lookOf(TABLE);
  const all = entries();
  const found = filter.trim() ? all.filter(({ part }) => hasText(filter, [part.label])) : all;
  const sorted = sort && KEYS[sort] ? sortedBy(found, KEYS[sort], isDown) : found;
  const y = /^∂(.+)\/∂/.exec(all.find(({ gradient }) => gradient)?.gradient?.label ?? "")?.[1];
  const gradient = y ? t("table.gradient", { y }) : t("table.gradient_plain");
  const heading = [t("table.quantity"), t("table.made_of"), t("table.value"), gradient];
  const rows = () => [
    heading,
    ...sorted.map((each) => [
      each.part.label,
      each.made.map(({ label }) => label).join(" "),
      cell(each.part),
      cell(each.gradient),
    ]),
  ];
  return html`${tableTools(TABLE, { shown: found.length, count: all.length, rows, file: "quantities.csv" })}
  <table class="nodes quantities">
    <caption class="visually-hidden">${t("table.quantities")}</caption>
    <thead><tr>${sortHeading(TABLE, "quantity", heading[0])}${sortHeading(TABLE, "made_of", heading[1], "made-of")}
      ${sortHeading(TABLE, "value", heading[2])}${sortHeading(TABLE, "gradient", gradient)}</tr></thead>
    <tbody>${sorted.map(row)}</tbody>
  </table>`;
}
