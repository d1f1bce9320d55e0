// The optimizer: its settings, the updates and their three stages, and the loss curve.

import { html, nothing } from "lit";

import { inLanguage } from "../i18n/i18n.js";
import { optimise } from "../session.js";
import { atRow, state, t, update, WITHOUT_RUN } from "../store.js";
import "./curve.js";
import { icons } from "./icons.js";
import { pairsTable, shownPairs } from "./pairs.js";
import { Panel } from "./panel.js";
import { updateSentences } from "./sentence.js";
import { settingsForm } from "./settings.js";
import { troubleMessage } from "./trouble.js";

const COUNTS = [1, 10, 100]; // updates at one press

/** What a run's status is called where it ended before it had to. */
const ENDINGS = {
  converged: "optimizer.converged",
  diverged: "optimizer.diverged",
  non_finite: "optimizer.non_finite",
  limit: "optimizer.limit_reached",
};

/** Where and why a run ended; "" of one that did not. @param {import("../api.js").Run} run */
function endingOf({ status, stopped_at: stop }) {
  const reason = inLanguage(state.value.language, stop?.reason, stop?.reason_zh);
  if (stop && reason) return t("optimizer.stopped", { step: stop.step, node: stop.node ?? "", reason });
  const key = Object.entries(ENDINGS).find(([name]) => name === status)?.[1];
  return key ? t(key) : "";
}

class Optimizer extends Panel {
  render() {
    if (shownPairs().length === 0) return html`<p class="note">${t("optimizer.none")}</p>`;
    return html`
      ${settingsForm()}
      <div class="stages">${this.buttons()}${pairsTable()}${this.sentences()}${troubleMessage()}</div>
      <gl-curve></gl-curve>`;
  }

  buttons() {
    const { row, run } = state.value;
    const back = () => update(atRow(state.value, row - 1));
    return html`<div class="buttons">
      <button aria-disabled=${row === 0} @click=${back}>${icons.back}${t("optimizer.back")}</button>
      ${COUNTS.map((count) => this.step(count))}
      <button aria-disabled=${!run} @click=${() => update(WITHOUT_RUN)}>${t("optimizer.reset")}</button>
      <output class="count">${t("optimizer.row", { row })}</output>
    </div>`;
  }

  /** @param {number} count */
  step(count) {
    const label = count === 1 ? t("optimizer.step") : `×${count}`;
    const title = t("optimizer.steps", { count });
    return html`<button class="step-${count}" title=${title} @click=${() => optimise(count)}>${label}</button>`;
  }

  /** What happened in words, and why it went no further. */
  sentences() {
    const { run, row } = state.value;
    const atEnd = run && row === run.steps.length - 1;
    const ending = atEnd ? endingOf(run) : "";
    return html`
      ${updateSentences().map((sentence) => html`<p class="update-sentence">${sentence}</p>`)}
      ${ending ? html`<p class="message warning" role="status">${ending}</p>` : nothing}`;
  }
}

customElements.define("gl-optimizer", Optimizer);
