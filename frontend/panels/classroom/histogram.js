// What a class has said: a bar for each answer, with its count; both rounds side by side. The right one has a mark, too.

import { html, nothing } from "lit";

import { share } from "../../state/classroom.js";
import { state, t } from "../../store.js";

/** @import { Bin, Round } from "../../state/classroom.js" */

/** @param {Round[]} rounds */
export const histograms = (rounds) =>
  rounds.length === 0 ? nothing : html`<div class="class-rounds">${rounds.map((round) => histogram(round))}</div>`;

/** @param {Round} round */
function histogram({ round, answered, bins }) {
  const shown = (bins ?? []).filter(({ count, correct }) => count > 0 || correct);
  return html`<table class="class-histogram">
    <caption>${t("class.round_of", { round, count: answered })}</caption>
    <tbody>${shown.map((bin) => row(shown, bin))}</tbody></table>`;
}

/** @param {Bin[]} bins @param {Bin} bin */
function row(bins, bin) {
  const name = state.value.language === "zh-CN" ? bin.label.zh : bin.label.en;
  return html`<tr class=${bin.correct ? "right" : ""}>
    <th scope="row">${bin.correct ? html`<span aria-hidden="true">✓ </span>` : nothing}${name}</th>
    <td class="class-track"><span class="class-fill" style="inline-size: ${Math.round(100 * share(bins, bin))}%"></span></td>
    <td class="class-number">${bin.count}</td></tr>`;
}
