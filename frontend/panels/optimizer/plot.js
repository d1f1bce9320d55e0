// The plot of the losses, drawn by uPlot; fetched for the first run.

import UPlot from "uplot";

import { showRow } from "../../requests/run.js";
import { finiteOnly, standingAlone } from "../../runs/losses.js";
import { formatNumber } from "../../values/format.js";
import { coloursOf } from "../../view/charts/painter.js";
import { styleSheet } from "../parts/style_sheet.js";
import { endMark, FONT, FONT_PX, rowMark } from "./curve_marks.js";

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

/**
 * The rows of a run that were shown so far; those computed ahead stay a surprise.
 * @param {import("../../types.js").Run} run @param {number} furthest @returns {import("uplot").AlignedData}
 */
export function dataOf(run, furthest) {
  const rows = furthest + 1;
  return [run.steps.slice(0, rows), finiteOnly(run.loss.slice(0, rows))];
}

/** @param {HTMLElement} host @param {import("uplot").AlignedData} data @returns {Plot} */
export const createPlot = (host, data) => new UPlot(options(host, UPlot.rangeNum), data, host);

/** Fulfilled when a plot has its styles. */
export const styles = styleSheet("vendor/uplot.css");

/** @param {HTMLElement} host @param {typeof import("uplot").rangeNum} around @returns {import("uplot").Options} */
function options(host, around) {
  const colour = coloursOf(host);
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
          filter: ({ data: [, shown] }) => standingAlone([...shown]),
        },
      },
    ],
    hooks: {
      ready: [(/** @type {Plot} */ plot) => plot.over.addEventListener("click", () => showRow(plot.cursor.idx ?? 0))],
      draw: [endMark(colour), rowMark(colour)],
    },
  };
}
