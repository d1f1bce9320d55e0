// The loss curve, drawn by uPlot; in words for those who do not see it.

import { html } from "lit";

import { formatNumber, formatValue } from "../format.js";
import { atRow, state, t, update } from "../store.js";
import { Panel } from "./panel.js";

/** @typedef {import("../api.js").Run} Run */
/** @typedef {import("uplot")} Plot */

const FEWEST = 10; // steps along the axis
const FONT = "12px system-ui, sans-serif";

/** An axis's numbers. @param {Plot} _plot @param {number[]} splits */
const numbers = (_plot, splits) => splits.map(formatNumber);

/** @param {unknown} data @returns {number | null} */
const plotted = (data) => (typeof data === "number" ? data : null);

class Curve extends Panel {
  /** @type {Plot | null} */
  #plot = null;
  /** @type {unknown[]} */
  #drawn = [];

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
    const wanted = [run, furthest, theme, matchMedia("(prefers-color-scheme: dark)").matches];
    if (wanted.every((value, index) => value === this.#drawn[index])) return this.#plot?.redraw(false);
    this.#drawn = wanted;
    void this.draw(run, furthest);
  }

  clear() {
    this.#plot?.destroy();
    this.#plot = null;
    this.#drawn = [];
  }

  /**
   * The rows that were shown so far; those computed ahead stay a surprise.
   * @param {Run} run
   * @param {number} furthest
   */
  async draw(run, furthest) {
    const [{ default: UPlot }] = await Promise.all([import("uplot"), stylesLoaded()]);
    if (run !== state.value.run || furthest !== state.value.furthest) return;
    this.#plot?.destroy();
    const host = /** @type {HTMLElement} */ (this.querySelector(".plot"));
    const rows = furthest + 1;
    this.#plot = new UPlot(
      this.options(host),
      [run.steps.slice(0, rows), run.loss.slice(0, rows).map(plotted)],
      host,
    );
  }

  /** @param {HTMLElement} host @returns {import("uplot").Options} */
  options(host) {
    const colour = (/** @type {string} */ name) => colourOf(host, name);
    const axis = {
      font: FONT,
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
      scales: { x: { time: false, range: (_plot, low, high) => [low, Math.max(high, FEWEST)] } },
      axes: [
        { ...axis, values: numbers, space: 46, size: 26 },
        { ...axis, values: numbers, space: 26, size: 52 },
      ],
      series: [{}, { stroke: colour("--update"), width: 2, pxAlign: 0, points: { show: false } }],
      hooks: {
        ready: [
          (/** @type {Plot} */ plot) =>
            plot.over.addEventListener("click", () => update(atRow(state.value, plot.cursor.idx ?? 0))),
        ],
        draw: [marker(colour)],
      },
    };
  }
}

/** Draws the point of the row that is shown. @param {(name: string) => string} colour */
const marker = (colour) => (/** @type {Plot} */ plot) => {
  const { row } = state.value;
  const loss = plot.data[1][row];
  if (typeof loss !== "number") return;
  const { ctx } = plot;
  const radius = 4.5 * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.arc(
    plot.valToPos(plot.data[0][row], "x", true),
    plot.valToPos(loss, "y", true),
    radius,
    0,
    2 * Math.PI,
  );
  ctx.fillStyle = colour("--update");
  ctx.strokeStyle = colour("--surface");
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.fill();
  ctx.stroke();
  ctx.restore();
};

/** A colour of the page's theme as a canvas takes it. @param {HTMLElement} host @param {string} name */
function colourOf(host, name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** uPlot's own style sheet, fetched with it. */
function stylesLoaded() {
  const present = document.querySelector("link[data-uplot]");
  if (present) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "vendor/uplot.css" });
  link.dataset.uplot = "";
  return new Promise((resolve) => {
    link.addEventListener("load", () => resolve(undefined), { once: true });
    link.addEventListener("error", () => resolve(undefined), { once: true });
    document.head.append(link);
  });
}

customElements.define("gl-curve", Curve);
