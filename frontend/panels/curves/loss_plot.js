// Losses side by side, drawn by uPlot: a line for each run, in a colour and a dash of its own.

import UPlot from "uplot";
import { RUNS } from "../../charts/marks.js";
import { finiteOnly } from "../../runs/losses.js";
import { formatNumber } from "../../values/format.js";
import { coloursOf } from "../../view/charts/painter.js";
import { styleSheet } from "../parts/style_sheet.js";

/** @import { Data } from "../../types.js" */
/** @typedef {import("uplot")} Plot */
/**
 * One run's line.
 * @typedef {object} LossLine
 * @property {readonly Data[]} loss
 * @property {number} place             among the strokes of RUNS
 * @property {number | null} [diverges]  the row from which its loss never was as low again
 */

const HIGHEST = 1.25; // times the largest loss at the start: on a linear scale, who diverges leaves the picture
const FEWEST = 10; // steps along the axis

/** Fulfilled when a plot has its styles, and the page the colours of its lines. */
export const styles = Promise.all(["vendor/uplot.css", "styles/charts.css"].map(styleSheet));

/** Rows, and a column for each line; on a logarithmic scale 0 and below have no place. @param {readonly LossLine[]} lines @param {boolean} isLog @returns {import("uplot").AlignedData} */
export function dataOf(lines, isLog) {
  const rows = lines.reduce((most, { loss }) => Math.max(most, loss.length), 0);
  const shown = (/** @type {number | null} */ loss) => (loss !== null && isLog && loss <= 0 ? null : loss);
  const columns = lines.map(({ loss }) => {
    const numbers = finiteOnly(loss).map(shown);
    return Array.from({ length: rows }, (_, row) => numbers[row] ?? null);
  });
  return [Array.from({ length: rows }, (_, row) => row), ...columns];
}

/**
 * @param {HTMLElement} host @param {readonly LossLine[]} lines @param {boolean} isLog
 * @param {{hovered?: (row: number | null) => void, clicked?: (row: number) => void}} [listeners]
 */
export function createLossPlot(host, lines, isLog, { hovered, clicked } = {}) {
  const colour = coloursOf(host);
  /** @type {import("uplot").Options} */
  const options = {
    width: host.clientWidth,
    height: host.clientHeight,
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false, y: false } },
    scales: {
      x: { time: false, range: (_plot, low, high) => [low, Math.max(high, FEWEST)] },
      y: isLog ? { distr: 3 } : { range: (_plot, low, high) => linear(lines, low, high) },
    },
    axes: axes(colour),
    series: [{}, ...lines.map(({ place }) => strokeOf(place, colour))],
    hooks: {
      ready: [(plot) => plot.over.addEventListener("click", () => clicked?.(plot.cursor.idx ?? 0))],
      draw: [(plot) => lines.forEach((line, k) => divergenceMark(plot, line, k + 1, colour))],
      setCursor: [(plot) => hovered?.(plot.cursor.idx ?? null)],
    },
  };
  return new UPlot(options, dataOf(lines, isLog), host);
}

/** The losses along a linear axis. @param {readonly LossLine[]} lines @param {number} low @param {number} high @returns {[number, number]} */
function linear(lines, low, high) {
  const first = Math.max(...lines.map(({ loss }) => Number(loss[0])).filter(Number.isFinite));
  return [Math.min(low, 0), Math.min(high, HIGHEST * Math.max(first, Number.MIN_VALUE)) || 1];
}

/** @param {(name: string) => string} colour */
function axes(colour) {
  const axis = {
    font: "12px system-ui, sans-serif",
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  const numbers = (/** @type {Plot} */ _plot, /** @type {(number | null)[]} */ splits) =>
    splits.map((each) => (each === null ? "" : formatNumber(each)));
  return [
    { ...axis, values: numbers, space: 46, size: 26 },
    { ...axis, values: numbers, space: 26, size: 66 },
  ];
}

/** @param {number} place @param {(name: string) => string} colour @returns {import("uplot").Series} */
function strokeOf(place, colour) {
  const { colour: name, dash } = RUNS[place % RUNS.length];
  return { stroke: colour(name), width: 2, dash: [...dash], points: { show: false } };
}

/** A ring where a run began to diverge, and an upright line from there. @param {Plot} plot @param {LossLine} line @param {number} series @param {(name: string) => string} colour */
function divergenceMark(plot, { diverges, place }, series, colour) {
  if (diverges === null || diverges === undefined) return;
  const { ctx, bbox } = plot;
  const x = plot.valToPos(diverges, "x", true);
  const loss = plot.data[series][diverges];
  const pixel = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.strokeStyle = colour(RUNS[place % RUNS.length].colour);
  ctx.lineWidth = 1.5 * pixel;
  ctx.setLineDash([3 * pixel, 3 * pixel]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  if (typeof loss === "number") {
    ctx.setLineDash([]);
    ctx.fillStyle = colour("--surface");
    ctx.beginPath();
    ctx.arc(x, plot.valToPos(loss, "y", true), 5 * pixel, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}
