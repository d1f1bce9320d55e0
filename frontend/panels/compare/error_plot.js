// Error against δ on two logarithmic axes, drawn by uPlot; the δ that is chosen is an upright line with its points marked.

import UPlot from "uplot";

import { errorLines } from "../../comparing/sweeps.js";
import { state } from "../../store.js";
import { coloursOf } from "../../view/charts/painter.js";
import { styleSheet } from "../parts/style_sheet.js";

/** @typedef {import("uplot")} Plot */
/** @import { Comparison } from "../../types.js" */

export const COLOURS = { forward: "--forward", central: "--gradient", complex_step: "--update" };
const FONT = "12px system-ui, sans-serif";

/** Fulfilled when a plot has its styles. */
export const styles = styleSheet("vendor/uplot.css");

/** @param {HTMLElement} host @param {Comparison["numeric"]} numeric @param {(delta: number) => void} choose @returns {Plot} */
export function createErrorPlot(host, numeric, choose) {
  const { deltas, series } = errorLines(numeric);
  const data = /** @type {import("uplot").AlignedData} */ ([deltas, ...series.map(({ errors }) => errors)]);
  return new UPlot(options(host, series, choose), data, host);
}

/** @param {HTMLElement} host @param {import("../../comparing/sweeps.js").Series[]} series @param {(delta: number) => void} choose @returns {import("uplot").Options} */
function options(host, series, choose) {
  const colour = coloursOf(host);
  const axis = {
    font: FONT,
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1, filter: thirdPowers },
    ticks: { show: false },
    filter: thirdPowers,
    values: (/** @type {Plot} */ _plot, /** @type {number[]} */ splits) => splits.map(powerLabel),
  };
  return {
    width: host.clientWidth,
    height: host.clientHeight,
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false, y: false } },
    scales: { x: { time: false, distr: 3 }, y: { distr: 3 } },
    axes: [
      { ...axis, size: 26, space: 40 },
      { ...axis, size: 48, space: 24 },
    ],
    series: [{}, ...series.map(({ type, method }) => line(colour(COLOURS[method]), type === "float32"))],
    hooks: {
      ready: [
        (/** @type {Plot} */ plot) => plot.over.addEventListener("click", () => choose(plot.data[0][plot.cursor.idx ?? 0])),
      ],
      draw: [(/** @type {Plot} */ plot) => deltaMark(plot, colour)],
    },
  };
}

/** @param {string} stroke @param {boolean} isDashed */
const line = (stroke, isDashed) => ({
  stroke,
  width: 2,
  spanGaps: true,
  ...(isDashed && { dash: [5, 4] }),
  points: { show: true, size: 4, fill: stroke },
});

/** Every third power of ten; null for what has neither a number nor a line. @param {Plot} _plot @param {number[]} splits */
const thirdPowers = (_plot, splits) => splits.map((split) => (powerLabel(split) ? split : null));

/** @param {number | null} split */
function powerLabel(split) {
  const power = split ? Math.round(Math.log10(split) * 1e6) / 1e6 : NaN;
  return Number.isInteger(power) && power % 3 === 0 ? `1e${power}` : "";
}

/** @param {Plot} plot @param {(name: string) => string} colour */
function deltaMark(plot, colour) {
  const delta = 10 ** state.value.compare.power;
  const { ctx, bbox } = plot;
  const x = plot.valToPos(delta, "x", true);
  const row = plot.data[0].findIndex((each) => Math.abs(Math.log10(each / delta)) < 0.5);
  ctx.save();
  ctx.strokeStyle = colour("--text");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.setLineDash([]);
  for (const [index, { stroke }] of plot.series.entries()) {
    const error = index > 0 ? plot.data[index][row] : null;
    if (typeof error !== "number") continue;
    ctx.beginPath();
    ctx.arc(x, plot.valToPos(error, "y", true), 4.5 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fillStyle = /** @type {any} */ (stroke)(plot, index);
    ctx.fill();
  }
  ctx.restore();
}
