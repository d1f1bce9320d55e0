// The gradients of both programs in a table: equal or not, by sign and word, and by how much they differ.

import { html, nothing } from "lit";

import { exactValue, formatValue } from "../../values/format.js";
import { of, say } from "./words.js";

/** @import { Differences, Gap, GradientGap, Value } from "../../types.js" */

const SIGNS = { true: ["=", "is_equal"], false: ["≠", "is_other"], null: ["?", "is_unknown"] };

/** @param {Value} value */
const number = (value) => html`<td class="number" title=${exactValue(value)}>${value === null ? "–" : formatValue(value)}</td>`;

/** Why there are no numbers of how far two values are apart, beneath the last of the rows that it is about. @param {Gap} gap @param {Gap} [next] */
const why = ({ reason }, next) =>
  reason && reason.en !== next?.reason?.en ? html`<tr class="why"><td colspan="5">${of(reason)}</td></tr>` : nothing;

/** @param {Gap} gap */
function verdict({ equal, absolute, reason }) {
  const [sign, word] = SIGNS[/** @type {"true" | "false" | "null"} */ (String(equal))];
  const size = equal === false && !reason ? formatValue(absolute) : nothing;
  return html`<td class="verdict is-${word}"><span aria-hidden="true">${sign}</span> ${say(word)}</td><td class="number">${size}</td>`;
}

/** What a gradient is by: one name, or one on each side. @param {GradientGap} gap */
function by({ name: { before, after } }) {
  const names = [...new Set([before, after].filter((each) => each !== null))];
  return names.join(" → ");
}

/** @param {GradientGap} gap @param {Gap} [next] */
const row = (gap, next) => html`<tr><th scope="row"><code>${by(gap)}</code></th>
  ${number(gap.value.before)}${number(gap.value.after)}${verdict(gap)}</tr>${why(gap, next)}`;

/** @param {NonNullable<Differences["target"]>} target @param {Gap} [next] */
const targetRow = (target, next) => html`<tr class="target"><th scope="row">${say("target")}</th>
  ${number(target.value.before)}${number(target.value.after)}${verdict(target)}</tr>${why(target, next)}`;

/** The target, the gradients, and the first line of the output that differs. @param {Differences} answer */
export function results({ gradients, target, printed, tolerance }) {
  const head = ["name", "before", "after", "", "difference"];
  const first = printed?.first_difference;
  return html`<table class="gradients"><caption>${say("gradients")}</caption>
      <thead><tr>${head.map((key) => (key ? html`<th scope="col">${say(key)}</th>` : html`<td></td>`))}</tr></thead>
      <tbody>${target ? targetRow(target, gradients[0]) : nothing}${gradients.map((each, place) => row(each, gradients[place + 1]))}</tbody></table>
    ${gradients.length === 0 ? html`<p class="note">${say("no_gradients")}</p>` : nothing}
    ${
      first
        ? html`<dl class="printed"><dt>${say("printed", { line: first.line })}</dt>
      <dd class="removed">− <code>${first.before ?? say("end")}</code></dd><dd class="added">+ <code>${first.after ?? say("end")}</code></dd></dl>`
        : nothing
    }
    <p class="note">${say("tolerance", { absolute: tolerance.absolute.toExponential(), relative: tolerance.relative.toExponential() })}</p>`;
}
