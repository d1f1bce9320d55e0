// Who is who in a race's pictures: the stroke of each contender and its name.

import { html, nothing } from "lit";
import { RUNS } from "../../charts/marks.js";
import { OWN } from "../../runs/optimizers.js";
import { state, t } from "../../store.js";
import { formatNumber } from "../../values/format.js";

/** @import { Contender } from "../../state/race.js" */

/** @param {Contender} contender */
export function titleOf({ name, rate, start }) {
  const from = start
    ? t("race.from", {
        start: Object.entries(start)
          .map(([key, value]) => `${key} = ${formatNumber(value)}`)
          .join(t("landscape.comma")),
      })
    : "";
  return `${name === OWN ? t("optimizer.own_group") : name}, η = ${formatNumber(rate)}${from}`;
}

/** A contender's stroke. @param {number} place */
export function stroke(place) {
  const { colour, dash } = RUNS[place % RUNS.length];
  return html`<svg class="stroke" width="34" height="8" aria-hidden="true"><path d="M1 4h32" style="stroke: var(${colour}); stroke-dasharray: ${dash.join(" ") || "none"}"/></svg>`;
}

export function legend() {
  const { raceFound } = state.value;
  if (!raceFound?.answer) return nothing;
  return html`<ul class="legend">${raceFound.contenders.map((each, k) => html`<li>${stroke(k)} ${titleOf(each)}</li>`)}</ul>`;
}
