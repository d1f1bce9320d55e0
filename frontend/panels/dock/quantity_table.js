// The table at level Mathematics: what the learner wrote, each with its value and its gradient.

import { html, nothing } from "lit";

import { givenName } from "../parts/given_name.js";
import { UNKNOWN } from "../../state/lesson.js";
import { knownHere, picture, selectedHere } from "../../state/selectors.js";
import { t } from "../../store.js";
import { exactValue, shortValue } from "../../values/format.js";
import { partLink } from "../parts/node_link.js";
import { trainingSwitch } from "../parts/training_switch.js";

/** @import { Part } from "../../state/mathematics/picture.js" */

const ROOM = 24; // characters of a value
const IN_ROWS = new Set(["quantity", "process", "update"]);

/** A value as far as it is shown by now, with every digit as its title. @param {Part | undefined} part */
function number(part) {
  if (!part) return html`<td class="number"></td>`;
  const { values, exact, status } = knownHere.value;
  const value = status.get(part.id) === "waiting" ? null : (exact.get(part.id) ?? null);
  const text = value === null ? values.get(part.id) : shortValue(value, ROOM);
  return html`<td class="number" title=${value === null ? nothing : exactValue(value)}>${text || UNKNOWN}</td>`;
}

/** @param {Part} part @param {ReadonlyMap<string, Part>} parts */
function row(part, parts) {
  const gradient = [...parts.values()].find(({ kind, quantity }) => kind === "gradient" && quantity === part.id);
  const states = [part, gradient].map((each) => each && knownHere.value.status.get(each.id));
  const isSelected = [part.id, gradient?.id].includes(selectedHere.value ?? "");
  const made = [...new Set(part.inputs)].flatMap((id) => parts.get(id) ?? []).filter(({ label }) => label);
  return html`<tr class="${part.kind === "quantity" ? "forward" : part.kind} ${states[0]}" aria-selected=${isSelected}
      aria-current=${states.includes("current")}>
    <th scope="row">${partLink(part)}${trainingSwitch(givenName(part))}</th>
    <td class="made-of">${made.map(partLink)}</td>
    ${number(part)}
    ${number(gradient)}
  </tr>`;
}

export function quantityTable() {
  const parts = picture.value?.parts ?? new Map();
  const all = /** @type {Part[]} */ ([...parts.values()]);
  const y = /^∂(.+)\/∂/.exec(all.find(({ kind }) => kind === "gradient")?.label ?? "")?.[1];
  return html`<table class="nodes quantities">
    <caption class="visually-hidden">${t("table.quantities")}</caption>
    <thead><tr><th scope="col">${t("table.quantity")}</th><th scope="col" class="made-of">${t("table.made_of")}</th>
      <th scope="col">${t("table.value")}</th>
      <th scope="col">${y ? t("table.gradient", { y }) : t("table.gradient_plain")}</th></tr></thead>
    <tbody>${all.filter(({ kind }) => IN_ROWS.has(kind)).map((part) => row(part, parts))}</tbody>
  </table>`;
}
