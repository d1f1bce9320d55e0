// What the card of a selection can light up: what it depends on, what depends on it, the paths to another.

import { html, nothing } from "lit";

import { paths, picture } from "../../state/selectors.js";
import { state, t, update } from "../../store.js";

const WAYS = /** @type {const} */ (["upstream", "downstream"]);

/** The two switches that light up what a node depends on, or what depends on it. */
export function traces() {
  const { trace } = state.value;
  return html`<div class="traces" role="group" aria-label=${t("graph.trace")}>
    <span class="muted">${t("graph.trace")}</span>
    ${WAYS.map(
      (way) => html`<button aria-pressed=${trace === way}
        @click=${() => update({ trace: trace === way ? null : way })}>${t(`graph.${way}`)}</button>`,
    )}</div>`;
}

/** Where paths start, and how many lead from there to the selection. @param {string} name */
export function pathsTo(name) {
  const { pathFrom } = state.value;
  if (pathFrom === null || pathFrom === name) {
    const chosen = pathFrom === name;
    return html`<div class="traces"><button aria-pressed=${chosen}
        @click=${() => update({ pathFrom: chosen ? null : name, trace: null })}>${t("graph.paths_from")}</button>
      ${chosen ? html`<span class="note" role="status">${t("graph.paths_choose")}</span>` : nothing}</div>`;
  }
  return html`<div class="traces"><p class="note" role="status">${pathsText()}</p>
    <button @click=${() => update({ pathFrom: null })}>${t("graph.paths_end")}</button></div>`;
}

/** "3 paths from x to y; the shortest has 2 edges." */
function pathsText() {
  if (!paths.value) return nothing;
  const { count, shortest } = paths.value;
  const [from, to] = [paths.value.from, paths.value.to].map((name) => picture.value?.parts.get(name)?.label ?? name);
  if (count === 0) return t("graph.paths_none", { from, to });
  if (count === null) return t("graph.paths_loop", { from, to });
  return t("graph.paths", { count, from, to, shortest });
}
