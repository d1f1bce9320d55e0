// Loss curves: the program's own loop, the present run and those that were kept, with every digit of the losses at one step.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";

import { programRequest } from "../../requests/request.js";
import { showRow } from "../../requests/run.js";
import { asKept, isSameCurve, MOST_KEPT } from "../../runs/kept.js";
import { lossesOfItsLoop } from "../../runs/own_loop.js";
import { state, t, update } from "../../store.js";
import { exactValue, formatNumber, formatValue, NO_VALUE } from "../../values/format.js";
import { Panel } from "../panel.js";
import { styleSheet } from "../parts/style_sheet.js";
import { stroke } from "../race/legend.js";
import { runTitle } from "./titles.js";

/** @import { KeptRun } from "../../runs/kept.js" */
/** @typedef {KeptRun & {isPresent: boolean, isOfProgram?: boolean}} Shown */

const OF_PROGRAM = MOST_KEPT + 1; // the stroke of the program's own loop: the others are those of runs

void styleSheet("styles/charts.css");

/** The present run as its curve is; null before there is one. */
function presentCurve() {
  const { run, furthest, keptRuns } = state.value;
  return run ? asKept(run, furthest, programRequest(), keptRuns) : null;
}

/** The program's own loop as its curve; null of a program without one. @returns {Shown | null} */
function curveOfProgram() {
  const loss = lossesOfItsLoop(state.value.program);
  if (loss.length === 0) return null;
  const program = programRequest();
  return { made: [], program, stages: [], loss, diverges: null, place: OF_PROGRAM, isPresent: false, isOfProgram: true };
}

/** Every curve that is drawn. @returns {Shown[]} */
function shownCurves() {
  const own = curveOfProgram();
  return own ? [...shownRuns(), own] : shownRuns();
}

/** The runs among them: one that is kept already is drawn once. @returns {Shown[]} */
function shownRuns() {
  const { keptRuns } = state.value;
  const present = presentCurve();
  const same = present ? keptRuns.findIndex((each) => isSameCurve(each, present)) : -1;
  const kept = keptRuns.map((each, k) => ({ ...each, isPresent: k === same }));
  return present && same < 0 ? [{ ...present, isPresent: true }, ...kept] : kept;
}

function keep() {
  const { keptRuns } = state.value;
  const present = presentCurve();
  if (present && canKeep()) update({ keptRuns: [...keptRuns, present] });
}

/** Whether the present run can be kept: it is not yet, and there is room. */
function canKeep() {
  const { keptRuns } = state.value;
  const runs = shownRuns();
  return keptRuns.length < MOST_KEPT && runs.some(({ isPresent }) => isPresent) && runs.length > keptRuns.length;
}

class Curves extends Panel {
  /** @type {import("uplot") | null} */
  #plot = null;
  /** @type {unknown[]} */
  #drawn = [];
  /** @type {number | null} the step that is read; null: the last */
  #at = null;
  #sizes = new ResizeObserver(
    ([
      {
        contentRect: { width, height },
      },
    ]) => this.#plot?.setSize({ width, height }),
  );

  disconnectedCallback() {
    super.disconnectedCallback();
    this.clear();
  }

  render() {
    const shown = shownCurves();
    if (shown.length === 0) return html`<p class="note">${t("curves.empty")}</p>`;
    const last = Math.max(...shown.map(({ loss }) => loss.length - 1));
    const at = Math.min(this.#at ?? last, last);
    return html`<div class="chart-tool curves">
      <div class="chart-form">${this.scale()}${this.keeping()}${this.notes(shown)}</div>
      <div class="loss-plot">
        <div class="plot" role="img" aria-label=${t("curves.picture")}></div>
        ${this.reader(at, last)}
      </div>
      <div class="chart-side" role="region" aria-label=${t("curves.table")} tabindex="0">${this.table(shown, at)}</div>
    </div>`;
  }

  scale() {
    const { scale } = state.value.curves;
    return html`<label class="check"><input type="checkbox" role="switch" .checked=${live(scale === "log")}
      @change=${() => update({ curves: { scale: scale === "log" ? "linear" : "log" } })}>${t("curves.log")}</label>`;
  }

  keeping() {
    if (shownRuns().length === 0) return html`<p class="note">${t("curves.program_alone")}</p>`;
    const isFull = state.value.keptRuns.length >= MOST_KEPT;
    return html`<div class="buttons"><button aria-disabled=${!canKeep()} @click=${keep}>${t("curves.keep")}</button></div>
      <p class="note">${t(isFull ? "curves.full" : "curves.how", { most: MOST_KEPT })}</p>`;
  }

  /** What the picture cannot show. @param {readonly Shown[]} shown */
  notes(shown) {
    const isCut =
      state.value.curves.scale === "log" && shown.some(({ loss }) => loss.some((each) => typeof each === "number" && each <= 0));
    return isCut ? html`<p class="note">${t("race.no_log")}</p>` : nothing;
  }

  /** The step whose losses are read: the pointer's, or this slider's. @param {number} at @param {number} last */
  reader(at, last) {
    const label = t("curves.at");
    return html`<label class="reader">${label} <input type="range" min="0" max=${last} step="1" .value=${live(String(at))}
        aria-label=${label} aria-valuetext=${t("optimizer.row", { row: at })}
        @input=${(/** @type {Event} */ event) => this.read(Number(/** @type {HTMLInputElement} */ (event.target).value))}>
      <output>${formatNumber(at)}</output></label>`;
  }

  /** @param {number | null} row */
  read(row) {
    if (row === null || row === this.#at) return;
    this.#at = row;
    this.requestUpdate();
  }

  /** @param {readonly Shown[]} shown @param {number} at */
  table(shown, at) {
    return html`<table class="endings"><caption class="visually-hidden">${t("curves.table")}</caption>
      <thead><tr><th scope="col">${t("curves.run")}</th><th scope="col">${t("curves.loss_at", { row: at })}</th>
        <th scope="col">${t("race.loss")}</th><th scope="col"><span class="visually-hidden">${t("curves.remove")}</span></th></tr></thead>
      <tbody>${shown.map((each) => this.row(each, at))}</tbody></table>`;
  }

  /** @param {Shown} each @param {number} at */
  row(each, at) {
    const { loss, diverges, place, program, isPresent } = each;
    const { source } = program;
    const title = each.isOfProgram ? t("curves.of_program") : runTitle(each);
    const kept = state.value.keptRuns.find((one) => one.place === place);
    const remove = t("curves.remove_this", { name: title });
    return html`<tr><th scope="row">${stroke(place)} ${title}
        ${isPresent ? html`<small>${t("curves.present")}</small>` : nothing}
        ${source === state.value.source ? nothing : html`<small title=${source}>${t("curves.other_text")}</small>`}
        ${diverges === null ? nothing : html`<small class="diverged">${t("curves.diverges", { row: diverges })}</small>`}</th>
      <td class="exact">${at < loss.length ? exactValue(loss[at]) : NO_VALUE}</td>
      <td title=${exactValue(loss.at(-1))}>${formatValue(loss.at(-1))} <small>${t("optimizer.row", { row: loss.length - 1 })}</small></td>
      <td>${
        kept
          ? html`<button class="quiet square" aria-label=${remove} title=${remove} @click=${() => this.drop(kept)}>×</button>`
          : nothing
      }</td></tr>`;
  }

  /** The focus goes to the next one's button. @param {KeptRun} kept */
  drop(kept) {
    const buttons = [...this.querySelectorAll("td button")];
    const at = buttons.indexOf(/** @type {Element} */ (document.activeElement));
    update({ keptRuns: state.value.keptRuns.filter((each) => each !== kept) });
    void this.updateComplete.then(() => {
      const left = [...this.querySelectorAll("td button"), ...this.querySelectorAll(".chart-form button")];
      /** @type {HTMLElement | undefined} */ (left[Math.min(at, left.length - 1)])?.focus();
    });
  }

  updated() {
    const shown = shownCurves();
    if (shown.length === 0) return this.clear();
    const { keptRuns, program, run, furthest, curves, theme } = state.value;
    const wanted = [keptRuns, program, run, furthest, curves.scale, theme, matchMedia("(prefers-color-scheme: dark)").matches];
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
    const { createLossPlot, styles } = await import("./loss_plot.js");
    await styles;
    const host = /** @type {HTMLElement | null} */ (this.querySelector(".plot"));
    const shown = shownCurves();
    if (!host || shown.length === 0) return;
    this.#plot?.destroy();
    this.#plot = createLossPlot(host, shown, state.value.curves.scale === "log", {
      hovered: (row) => this.read(row),
      clicked: (row) => this.show(row),
    });
    this.#sizes.observe(host);
  }

  /** A click leads the page to that step of its run. @param {number} row */
  show(row) {
    const { run, furthest } = state.value;
    if (run && row <= furthest) showRow(row);
  }
}

customElements.define("gl-curves", Curves);
