// The loss curve, drawn by uPlot; in words for those who do not see it.

import { html } from "lit";
import { showRow } from "../../requests/running.js";
import { finiteOnly, standingAlone } from "../../runs/losses.js";
import { state, t } from "../../store.js";
import { formatNumber, formatValue } from "../../values/format.js";
import { Panel } from "../panel.js";
import { styleSheet } from "../parts/style_sheet.js";
import { endMark, FONT, FONT_PX, rowMark } from "./curve_marks.js";

/** @import { Run } from "../../types.js" */
/** @typedef {import("uplot")} Plot */

const FEWEST = 10; // steps along the axis
const LEAST_SPAN = 0.005; // of the loss
const LEAST_PX = 52; // of the axis's numbers

/** The room of an axis's numbers. @param {string[]} texts */
const widthOf = (texts) => Math.max(LEAST_PX, ...texts.map((text) => 12 + 0.6 * FONT_PX * text.length));

/**
 * The losses along their axis, whose numbers have four digits: what does not differ in them is drawn level.
 * @param {typeof import("uplot").rangeNum} around @param {number} low @param {number} high
 */
function losses(around, low, high) {
  if (low === 0 && high === 0) return /** @type {[number, number]} */ ([-1, 1]); // it would be 0 … 100
  const isLevel = high - low < LEAST_SPAN * Math.max(-low, high);
  const middle = (low + high) / 2;
  return isLevel ? around(middle, middle, 0.1, true) : around(low, high, 0.1, true);
}

/** An axis's numbers. @param {Plot} _plot @param {number[]} splits */
const numbers = (_plot, splits) => splits.map(formatNumber);

class Curve extends Panel {
  /** @type {Plot | null} */
  #plot = null;
  /** @type {unknown[]} what is plotted */
  #drawn = [];
  /** @type {unknown[]} what its colours depend on */
  #look = [];

  render() {
    const { run } = state.value;
    return html`<figure class="curve">
      <figcaption>${t("optimizer.curve")}</figcaption>
      <div class="plot" role="img" aria-label=${run ? this.words(run) : t("optimizer.curve_empty")}></div>
      ${run ? "" : html`<p class="note" aria-hidden="true">${t("optimizer.curve_empty")}</p>`}
    </figure>`;
  }

  /** @param {Run} run */
  words(run) {
    const { row, furthest } = state.value;
    const loss = (/** @type {number} */ k) => formatValue(run.loss[k]);
    return t("optimizer.curve_says", {
      first: loss(0),
      last: loss(furthest),
      count: furthest,
      row,
      here: loss(row),
    });
  }

  updated() {
    const { run, furthest, theme } = state.value;
    if (!run) return this.clear();
    const look = [theme, matchMedia("(prefers-color-scheme: dark)").matches];
    if (look.some((value, index) => value !== this.#look[index])) this.clear();
    this.#look = look;
    const wanted = [run, furthest];
    if (wanted.every((value, index) => value === this.#drawn[index])) return this.#plot?.redraw(false);
    this.#drawn = wanted;
    return void this.draw();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.clear();
  }

  clear() {
    this.#sizes.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
    this.#drawn = [];
  }

  /** The rows that were shown so far; those computed ahead stay a surprise. */
  async draw() {
    const [{ default: UPlot }] = await Promise.all([import("uplot"), styleSheet("vendor/uplot.css")]);
    const { run, furthest } = state.value;
    const host = /** @type {HTMLElement | null} */ (this.querySelector(".plot"));
    if (!run || !host) return;
    const rows = furthest + 1;
    /** @type {import("uplot").AlignedData} */
    const data = [run.steps.slice(0, rows), finiteOnly(run.loss.slice(0, rows))];
    if (this.#plot) return this.#plot.setData(data);
    this.#plot = new UPlot(this.options(host, UPlot.rangeNum), data, host);
    this.#sizes.observe(host);
  }

  /** @type {ResizeObserver} a plot keeps the size of its place */
  #sizes = new ResizeObserver(
    ([
      {
        contentRect: { width, height },
      },
    ]) => {
      const plot = this.#plot;
      if (plot && (plot.width !== width || plot.height !== height)) plot.setSize({ width, height });
    },
  );

  /** @param {HTMLElement} host @param {typeof import("uplot").rangeNum} around @returns {import("uplot").Options} */
  options(host, around) {
    const colour = (/** @type {string} */ name) => colourOf(host, name);
    const axis = {
      font: `${FONT_PX}px ${FONT}`,
      stroke: colour("--muted"),
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { show: false },
    };
    return {
      width: host.clientWidth,
      height: host.clientHeight,
      legend: { show: false },
      cursor: {
        y: false,
        drag: { setScale: false, x: false, y: false },
        points: { size: 9, fill: colour("--update"), stroke: colour("--surface") },
      },
      scales: {
        x: { time: false, range: (_plot, low, high) => [low, Math.max(high, FEWEST)] },
        y: { range: (_plot, low, high) => losses(around, low, high) },
      },
      axes: [
        { ...axis, values: numbers, space: 46, size: 26 },
        { ...axis, values: numbers, space: 26, size: (_plot, texts) => widthOf(texts ?? []) },
      ],
      series: [
        {},
        {
          stroke: colour("--update"),
          width: 2,
          pxAlign: 0,
          points: {
            show: false,
            size: 8,
            fill: colour("--update"),
            filter: ({ data: [, losses] }) => standingAlone([...losses]),
          },
        },
      ],
      hooks: {
        ready: [(/** @type {Plot} */ plot) => plot.over.addEventListener("click", () => showRow(plot.cursor.idx ?? 0))],
        draw: [endMark(colour), rowMark(colour)],
      },
    };
  }
}

/** A colour of the page's theme as a canvas takes it. @param {HTMLElement} host @param {string} name */
function colourOf(host, name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

customElements.define("gl-curve", Curve);
