// Optimizers, rates and starts side by side: how their losses fall, where they go, and how each of them ends.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { inLanguage } from "../../i18n/i18n.js";
import { lacksVariables } from "../../runs/updates.js";
import { wantLandscape } from "../../requests/docks/landscape.js";
import { takeOver, wantRace } from "../../requests/docks/race.js";
import { loadOptimizers } from "../../requests/session.js";
import { divergesFrom } from "../../runs/losses.js";
import { OWN } from "../../runs/optimizers.js";
import { choicesOf } from "../../state/landscape.js";
import { contender, endingOf, goalOf, MOST_CONTENDERS, stepsTo } from "../../state/race.js";
import { buildsUpdates, state, t, update } from "../../store.js";
import { exactValue, formatNumber, formatValue } from "../../values/format.js";
import { typedNumber } from "../../values/typed.js";
import "../landscape/plane.js";
import { Panel } from "../panel.js";
import { fieldMistake, numberField } from "../parts/number_field.js";
import { styleSheet } from "../parts/style_sheet.js";
import { noVariables } from "../parts/no_variables.js";
import { stroke, titleOf } from "./legend.js";

/** @import { Contender, RaceRun, RaceSettings } from "../../state/race.js" */

const MOST_STEPS = 10_000;

void styleSheet("styles/charts.css");

/** @param {Partial<RaceSettings>} fields */
const set = (fields) => update({ race: { ...state.value.race, ...fields } });

class Race extends Panel {
  /** @type {import("uplot") | null} */
  #plot = null;
  /** @type {unknown[]} */
  #drawn = [];
  #sizes = new ResizeObserver(
    ([
      {
        contentRect: { width, height },
      },
    ]) => this.#plot?.setSize({ width, height }),
  );

  firstUpdated() {
    void loadOptimizers();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.clear();
  }

  updated() {
    if (lacksVariables(state.value.program)) return this.clear();
    wantRace();
    wantLandscape();
    const { raceFound, race, theme } = state.value;
    if (!raceFound?.answer) return this.clear();
    const wanted = [raceFound, race.scale, theme, matchMedia("(prefers-color-scheme: dark)").matches];
    if (wanted.every((each, k) => each === this.#drawn[k])) return;
    this.#drawn = wanted;
    void this.draw();
  }

  clear() {
    this.#sizes.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
    this.#drawn = [];
  }

  async draw() {
    const { createLossPlot, styles } = await import("../curves/loss_plot.js");
    await styles;
    const host = /** @type {HTMLElement | null} */ (this.querySelector(".race-curves"));
    const { raceFound, race } = state.value;
    if (!host || !raceFound?.answer) return;
    this.#plot?.destroy();
    const lines = raceFound.answer.runs.map((run, place) => ({
      loss: run.columns.loss,
      place,
      diverges: divergesFrom(run.status, run.columns.loss),
    }));
    this.#plot = createLossPlot(host, lines, race.scale === "log");
    this.#sizes.observe(host);
  }

  render() {
    const { program, race, raceFound } = state.value;
    if (lacksVariables(program)) return noVariables();
    if (!program || program.gradients.length === 0) return html`<p class="note">${t("race.empty")}</p>`;
    const contenders = race.contenders ?? [];
    return html`<div class="chart-tool race">
      <div class="chart-form">
        <ol class="contenders" aria-label=${t("race.contenders")}>${contenders.map((each, k) => this.contender(each, k))}</ol>
        <div class="buttons">
          <button aria-disabled=${contenders.length >= MOST_CONTENDERS} @click=${this.add}>${t("race.add")}</button>
          <label>${t("race.steps")} ${this.steps()}</label></div>
        ${fieldMistake(t("race.steps"), String(race.steps))}
        <div role="radiogroup" aria-label=${t("race.scale")} class="buttons">${
          /** @type {const} */ (["linear", "log"]).map(
            (scale) =>
              html`<label class="check"><input type="radio" name="race-scale" .checked=${live(race.scale === scale)} @change=${() => set({ scale })}>${t(`race.${scale}`)}</label>`,
          )
        }</div>
      </div>
      <div class="race-pictures">
        <div class="race-curves" role="img" aria-label=${this.words()}></div>
        ${choicesOf(program).length > 0 ? html`<gl-plane></gl-plane>` : nothing}
        <p class="visually-hidden" id="landscape-says"></p><p class="visually-hidden" id="landscape-keys">${t("landscape.keys")}</p>
      </div>
      <div class="chart-side" role="region" aria-label=${t("race.endings")} tabindex="0">
        ${raceFound?.problem ? this.problem(raceFound.problem) : this.endings()}</div>
    </div>`;
  }

  /** @param {import("../../types.js").Problem} problem */
  problem(problem) {
    const { language } = state.value;
    return html`<p class="message warning" role="status">${inLanguage(language, problem.detail, problem.message_zh)} ${inLanguage(language, problem.hint, problem.hint_zh)}</p>`;
  }

  /** The curves in words. */
  words() {
    const { raceFound } = state.value;
    const runs = raceFound?.answer?.runs ?? [];
    const each = runs.map((run, k) =>
      t("race.says", {
        name: titleOf(/** @type {Contender} */ (raceFound?.contenders[k])),
        loss: formatValue(run.columns.loss.at(-1)),
      }),
    );
    return [t("race.curves"), ...each].join(" ");
  }

  steps() {
    const label = t("race.steps");
    const entered = (/** @type {string} */ text) => {
      const number = typedNumber(text);
      if (number === null) return { key: "input.no_number" };
      if (!Number.isInteger(number) || number < 1 || number > MOST_STEPS)
        return { key: "race.wrong_steps", params: { most: MOST_STEPS } };
      return void set({ steps: number });
    };
    return numberField({ label, shown: String(state.value.race.steps), entered });
  }

  add() {
    const contenders = state.value.race.contenders ?? [];
    const last = contenders[contenders.length - 1];
    if (contenders.length < MOST_CONTENDERS) set({ contenders: [...contenders, last ?? contender("GradientDescent", 0.1)] });
  }

  /** @param {Contender} each @param {number} place */
  contender(each, place) {
    const { optimizers, program } = state.value;
    const number = place + 1;
    const change = (/** @type {Partial<Contender>} */ fields) =>
      set({ contenders: (state.value.race.contenders ?? []).map((other, k) => (k === place ? { ...other, ...fields } : other)) });
    const own = program && buildsUpdates(program) ? [OWN] : [];
    const names = [...own, ...(optimizers?.optimizers.map(({ name }) => name) ?? [])];
    const all = names.includes(each.name) ? names : [each.name, ...names];
    const rate = t("race.rate_of", { number });
    const entered = (/** @type {string} */ text) => {
      const value = typedNumber(text);
      if (value === null) return { key: "input.no_number" };
      if (value <= 0) return { key: "input.not_positive" };
      return void change({ rate: value });
    };
    const chosen = (/** @type {Event} */ event) =>
      change({ name: /** @type {HTMLSelectElement} */ (event.target).value, parameters: {} });
    return html`<li>${stroke(place)}
      <select aria-label=${t("race.optimizer_of", { number })} @change=${chosen}>${all.map((name) => html`<option value=${name} .selected=${live(name === each.name)}>${name === OWN ? t("optimizer.own_group") : name}</option>`)}</select>
      <span aria-hidden="true">η</span>${numberField({ label: rate, shown: String(each.rate), entered })}
      ${this.start(each, number, change)}
      <button class="quiet square" aria-label=${t("race.remove", { number })} title=${t("race.remove", { number })}
        @click=${() => set({ contenders: (state.value.race.contenders ?? []).filter((_, k) => k !== place) })}>×</button>
      ${fieldMistake(rate, String(each.rate))}</li>`;
  }

  /** A start of its own, for a formula. @param {Contender} each @param {number} number @param {(fields: Partial<Contender>) => void} change */
  start(each, number, change) {
    const { program, at } = state.value;
    if (program?.dialect !== "math") return nothing;
    const names = program.gradients.map(({ name }) => name);
    if (!each.start) {
      const given = (/** @type {string} */ name) =>
        at[name] ?? Number(/** @type {{data?: unknown}} */ (program.bindings.find((one) => one.name === name)?.value ?? {}).data);
      const start = Object.fromEntries(names.map((name) => [name, given(name)]));
      return html`<button class="link" aria-label=${t("race.own_start_of", { number })} @click=${() => change({ start })}>${t("race.own_start")}</button>`;
    }
    const fields = names.map((name) => {
      const label = t("race.start_of", { name, number });
      const entered = (/** @type {string} */ text) => {
        const value = typedNumber(text);
        return value === null ? { key: "input.no_number" } : void change({ start: { ...each.start, [name]: value } });
      };
      return html`<label><var>${name}</var> ${numberField({ label, shown: String(each.start?.[name] ?? 0), entered, kind: "end" })}</label>`;
    });
    return html`<span class="start">${fields}<button class="link" @click=${() => change({ start: null })}>${t("race.common_start")}</button></span>`;
  }

  endings() {
    const { raceFound, race } = state.value;
    const runs = raceFound?.answer?.runs;
    if (!raceFound || !runs || runs.length === 0) return html`<p class="note">${t("landscape.coming")}</p>`;
    const goal = goalOf(runs);
    const isCut =
      race.scale === "log" && runs.some(({ columns }) => columns.loss.some((loss) => typeof loss === "number" && loss <= 0));
    return html`<table class="endings"><caption>${t("race.endings")}</caption>
      <thead><tr>${["contender", "ending", "loss"].map((key) => html`<th scope="col">${t(`race.${key}`)}</th>`)}
        <th scope="col">${t("race.steps_to", { goal: goal === null ? "–" : formatNumber(goal) })}</th><th scope="col">${t("race.values")}</th><th scope="col"><span class="visually-hidden">${t("race.take")}</span></th></tr></thead>
      <tbody>${runs.map((run, k) => this.ending(run, raceFound.contenders[k], k, goal))}</tbody></table>
      ${isCut ? html`<p class="note">${t("race.no_log")}</p>` : nothing}`;
  }

  /** @param {RaceRun} run @param {Contender} each @param {number} place @param {number | null} goal */
  ending(run, each, place, goal) {
    const { columns, stopped_at: end } = run;
    const last = columns.loss.at(-1);
    const kind = endingOf(run);
    const values = Object.entries(columns.variables).map(([name, column]) => `${name} = ${formatValue(column.at(-1))}`);
    return html`<tr><th scope="row">${stroke(place)} ${titleOf(each)}</th>
      <td class=${kind}>${t(`race.${kind}`, { step: end?.step ?? columns.loss.length - 1 })}</td>
      <td title=${exactValue(last)}>${formatValue(last)}</td><td>${stepsTo(run, goal) ?? "–"}</td><td class="values">${values.join("\n")}</td>
      <td><button aria-label=${t("race.take_this", { name: titleOf(each) })} title=${t("race.take_this", { name: titleOf(each) })} @click=${() => void takeOver(each)}>${t("race.take")}</button></td></tr>`;
  }
}

customElements.define("gl-race", Race);
