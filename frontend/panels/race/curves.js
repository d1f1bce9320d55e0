// The losses of a race, drawn by uPlot: a line for each contender.

import UPlot from "uplot";
import { RUNS } from "../../charts/marks.js";
import { finiteOnly } from "../../runs/losses.js";
import { formatNumber } from "../../values/format.js";
import { coloursOf } from "../../view/charts/painter.js";
import { styleSheet } from "../parts/style_sheet.js";

/** @import { RaceRun } from "../../state/race.js" */

const HIGHEST = 1.25; // times the largest loss at the start: on a linear scale, who diverges leaves the picture

/** Fulfilled when a plot has its styles. */
export const styles = styleSheet("vendor/uplot.css");

/** @param {readonly RaceRun[]} runs @param {boolean} isLog @returns {import("uplot").AlignedData} */
export function dataOf(runs, isLog) {
  const rows = Math.max(...runs.map(({ columns }) => columns.loss.length));
  const shown = (/** @type {number | null} */ loss) => (loss !== null && isLog && loss <= 0 ? null : loss);
  const columns = runs.map(({ columns: { loss } }) => {
    const numbers = finiteOnly(loss).map(shown);
    return Array.from({ length: rows }, (_, row) => numbers[row] ?? null);
  });
  return [Array.from({ length: rows }, (_, row) => row), ...columns];
}

/** @param {HTMLElement} host @param {readonly RaceRun[]} runs @param {boolean} isLog */
export function createCurves(host, runs, isLog) {
  const colour = coloursOf(host);
  const first = Math.max(...runs.map(({ columns }) => Number(columns.loss[0])).filter(Number.isFinite));
  const axis = {
    font: "12px system-ui, sans-serif",
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  const numbers = (/** @type {import("uplot")} */ _plot, /** @type {(number | null)[]} */ splits) =>
    splits.map((each) => (each === null ? "" : formatNumber(each)));
  /** @type {import("uplot").Options} */
  const options = {
    width: host.clientWidth,
    height: host.clientHeight,
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false, y: false } },
    scales: {
      x: { time: false },
      y: isLog
        ? { distr: 3 }
        : { range: (_plot, low, high) => [Math.min(low, 0), Math.min(high, HIGHEST * Math.max(first, Number.MIN_VALUE)) || 1] },
    },
    axes: [
      { ...axis, values: numbers, space: 46, size: 26 },
      { ...axis, values: numbers, space: 26, size: 66 },
    ],
    series: [
      {},
      ...runs.map((_, k) => ({
        stroke: colour(RUNS[k % RUNS.length].colour),
        width: 2,
        dash: [...RUNS[k % RUNS.length].dash],
        points: { show: false },
      })),
    ],
  };
  return new UPlot(options, dataOf(runs, isLog), host);
}
