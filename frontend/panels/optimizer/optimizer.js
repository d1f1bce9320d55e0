// The optimizer: its settings, the updates and their three stages, and the loss curve.

import { html, nothing } from "lit";
import { inLanguage } from "../../i18n/i18n.js";
import { lacksVariables } from "../../runs/updates.js";
import { beginAgain, reset, showRow, stop } from "../../requests/run.js";
import { optimiseText } from "../../requests/session.js";
import { followPairs } from "../../requests/docks/tensors.js";
import { rateOf } from "../../runs/optimizers.js";
import { MOST_ROWS } from "../../runs/parts.js";
import { shownProgram } from "../../state/selectors.js";
import { state, t } from "../../store.js";
import { formatNumber } from "../../values/format.js";
import "./curve.js";
import "../parts/formula.js";
import { updateSentences } from "../lesson/sentence.js";
import { Panel } from "../panel.js";
import { icons } from "../parts/icons.js";
import { nodeLink } from "../parts/node_link.js";
import { troubleMessage } from "../parts/trouble.js";
import { noVariables } from "../parts/no_variables.js";
import { pairsTable, shownPairs } from "./pairs.js";
import { settingsForm, updateFormula } from "./settings.js";

const COUNTS = [1, 10, 100, 1000, 10_000]; // updates at one press

/** What a run's status is called where it ended before it had to. */
const ENDINGS = {
  converged: "optimizer.converged",
  diverged: "optimizer.diverged",
  non_finite: "optimizer.non_finite",
  limit: "optimizer.limit_reached",
  error: "optimizer.failed",
};

/**
 * Where and why a run ended or came to rest, and what to try; nothing of one that did not.
 * @param {import("../../types.js").Run} run
 */
function endingOf(run) {
  const { status, stopped_at: end } = run;
  const { language, row } = state.value;
  const key = Object.entries(ENDINGS).find(([name]) => name === status)?.[1];
  if (!key) return nothing;
  const why = inLanguage(language, end?.reason, end?.reason_zh);
  const hint = inLanguage(language, end?.hint, end?.hint_zh) ?? "";
  return html`<p class="message ${status === "converged" ? "" : "warning"}">
    <strong>${t(isGrowing(run) ? "optimizer.growing" : key, { step: end?.step ?? row })}</strong>
    ${end?.node && isNode(end.node) ? nodeLink(end.node) : nothing}
    ${why} <span class="hint">${hint}</span> ${remedyOf(run)}</p>`;
}

/** Whether a run made all its steps, and its loss only grew. @param {import("../../types.js").Run} run */
const isGrowing = ({ status, stopped_at: end }) => status === "diverged" && !end;

/** A rate to begin again with, where a smaller one is what to try: the one that a note names, or a tenth. @param {import("../../types.js").Run} run */
function remedyOf(run) {
  const { runSettings, program } = state.value;
  const rate = runSettings && (run.stopped_at?.smaller_rate || isGrowing(run)) ? rateOf(runSettings, program) : null;
  if (rate === null) return nothing;
  const named = run.diagnostics?.find((note) => note.rate)?.rate;
  const smaller = Number((named ?? rate / 10).toPrecision(4));
  const again = () => {
    /** @type {HTMLElement | null} */ (document.querySelector("gl-optimizer .stop"))?.focus(); // this one goes with its message
    void beginAgain(smaller);
  };
  return html`<button class="link again" @click=${again}>${t("optimizer.again", { rate: smaller })}</button>`;
}

/** Whether a node that is drawn has this name. @param {string} name */
const isNode = (name) => shownProgram.value?.graph.nodes.some((node) => node.name === name);

/** Whether the row that is shown is one where the run had ended or come to rest. @param {import("../../types.js").Run} run */
const hasEnded = ({ status, steps, stopped_at: end }) =>
  state.value.row >= (status === "converged" && end ? end.step : steps.length - 1);

class Optimizer extends Panel {
  /** @type {() => void} */
  #unfollow = () => {};

  connectedCallback() {
    super.connectedCallback();
    this.#unfollow = followPairs();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#unfollow();
  }

  render() {
    const isFile = state.value.program?.dialect === "graph";
    if (lacksVariables(state.value.program)) return noVariables();
    if (shownPairs().length === 0) return html`<p class="note">${t(isFile ? "optimizer.none_file" : "optimizer.none")}</p>`;
    return html`
      ${settingsForm()}
      <div class="stages">${this.buttons()}<div role="status">${this.ending()}${this.change()}</div>${pairsTable()}${this.sentences()}${troubleMessage()}</div>
      <gl-curve></gl-curve>`;
  }

  buttons() {
    const { row, run, goal } = state.value;
    return html`<div class="buttons">
      <button aria-disabled=${row === 0} @click=${() => showRow(row - 1)}>${icons.back}${t("optimizer.back")}</button>
      ${COUNTS.map((count) => this.step(count))}
      <button class="stop" aria-disabled=${!goal} @click=${stop}>${t("optimizer.stop")}</button>
      <button aria-disabled=${!run} @click=${reset}>${t("optimizer.reset")}</button>
      <output class="count">${t("optimizer.row", { row })}</output>
      <progress class=${goal ? "" : "idle"} max=${goal ? goal.to - goal.from : 1} value=${goal ? row - goal.from : 0}
        aria-label=${t("optimizer.progress")}></progress>
    </div>`;
  }

  /** @param {number} count */
  step(count) {
    const label = count === 1 ? t("optimizer.step") : `×${formatNumber(count)}`;
    const title = t("optimizer.steps", { count });
    return html`<button class="step-${count}" title=${title} @click=${() => optimiseText(count)}>${label}</button>`;
  }

  /** What a setting that was changed between updates will do. */
  change() {
    const { run, row, goal, settings, runSettings } = state.value;
    if (!run || row === 0 || goal || !runSettings || settings === runSettings) return nothing;
    const isOther = settings.name !== runSettings.name;
    const hasSlots = shownPairs().some(({ slots }) => slots.length > 0);
    const slots = isOther ? t("optimizer.slots_anew") : hasSlots ? t("optimizer.slots_kept") : "";
    return html`<p class="message">${t("optimizer.goes_on", { row: row + 1 })} ${slots}</p>`;
  }

  /** Why it went no further. */
  ending() {
    const { run, row } = state.value;
    const ending = run && hasEnded(run) ? endingOf(run) : nothing;
    if (ending !== nothing || row < MOST_ROWS) return ending;
    return html`<p class="message">${t("optimizer.most", { most: MOST_ROWS })}</p>`;
  }

  /** What happened in words; before anything has, the rule by which it will. */
  sentences() {
    const { run, settings } = state.value;
    const formula = run ? "" : updateFormula({ optimizer: settings.name, parameters: settings.parameters });
    return html`
      ${updateSentences().map((sentence) => html`<p class="update-sentence">${sentence}</p>`)}
      ${this.notes()}
      ${formula ? html`<gl-formula .latex=${formula}></gl-formula>` : nothing}`;
  }

  /** What the server has to say of the run; not before a first step, so that nothing is given away. */
  notes() {
    const { run, row, language } = state.value;
    if (!run || row === 0) return nothing;
    const notes = (run.diagnostics ?? []).filter(({ code }) => code !== "non_finite");
    const isLeftOut = shownPairs().some(({ before, after }) => before === null || after === null);
    const paragraphs = notes.map(
      (note) => html`<p class="note">
      ${inLanguage(language, note.message, note.message_zh)} ${inLanguage(language, note.hint, note.hint_zh)}</p>`,
    );
    return isLeftOut ? [html`<p class="note">${t("optimizer.left_out")}</p>`, paragraphs] : paragraphs;
  }
}

customElements.define("gl-optimizer", Optimizer);
