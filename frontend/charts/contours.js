// A surface seen from above: areas of equal height, their borders, and arrows along which it falls.

import { contours } from "d3-contour";

import { acrossAt, downAt } from "./frame.js";
import { nearest } from "./grid.js";
import { colourAt, levelsOf, placeOf } from "./levels.js";

/** @import { Frame, Mark } from "./frame.js" */
/** @import { Grid } from "./grid.js" */
/** @import { Heights, Ramp } from "./levels.js" */

const LEVELS = 14;
const ARROWS_APART_PX = 46;
const ARROW_PX = { least: 7, most: 22 };

/** @param {Grid} grid @returns {Frame["x"][]} the ends of both axes */
export const endsOf = ({ axes }) => axes.map(({ values }) => /** @type {const} */ ([values[0], values[values.length - 1]]));

/**
 * The areas between heights; where there is no number nothing is drawn.
 * @param {Frame} frame @param {Grid} grid @param {Heights} heights @param {Ramp} ramp @returns {Mark[]}
 */
export function contourMarks(frame, grid, heights, ramp) {
  const [columns, rows] = grid.axes.map(({ values }) => values.length);
  const byRow = Array.from({ length: rows * columns }, (_, k) => grid.values[(k % columns) * rows + Math.floor(k / columns)]);
  const levels = levelsOf(heights, LEVELS);
  const place = (/** @type {readonly number[]} */ [i, j]) => {
    const across = Math.min(columns - 1, Math.max(0, i - 0.5)) / (columns - 1);
    const up = Math.min(rows - 1, Math.max(0, j - 0.5)) / (rows - 1);
    return `${(frame.left + across * frame.width).toFixed(1)} ${(frame.top + (1 - up) * frame.height).toFixed(1)}`;
  };
  const shapes = contours().size([columns, rows]).thresholds(levels)(byRow);
  return shapes.map(({ value, coordinates }) => ({
    kind: "path",
    d: coordinates.flatMap((polygon) => polygon.map((ring) => `M${ring.map(place).join("L")}Z`)).join(""),
    fill: colourAt(ramp, placeOf(heights, value) + 0.5 / LEVELS),
    stroke: "--contour",
    width: 0.75,
  }));
}

/**
 * Arrows along minus the gradient, as gradient descent moves on this picture; longer ones where it is steeper.
 * @param {Frame} frame @param {Grid} grid @returns {Mark[]}
 */
export function arrowMarks(frame, grid) {
  const [scaleX, scaleY] = [frame.width / (frame.x[1] - frame.x[0]), frame.height / (frame.y[1] - frame.y[0])];
  const places = placesIn(frame).map(([x, y]) => {
    const [gx, gy] = grid.slopes.map((slopes) => nearest(grid, slopes, x, y));
    return { x, y, dx: -gx * scaleX, dy: gy * scaleY };
  });
  const steep = places.filter(({ dx, dy }) => Number.isFinite(dx) && Number.isFinite(dy) && (dx !== 0 || dy !== 0));
  if (steep.length === 0) return [];
  const sizes = steep.map(({ dx, dy }) => Math.log(Math.hypot(dx, dy)));
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const lines = steep.map(({ x, y, dx, dy }, k) => {
    const share = most - least > 1e-9 ? (sizes[k] - least) / (most - least) : 1;
    const length = ARROW_PX.least + share * (ARROW_PX.most - ARROW_PX.least);
    return arrow(acrossAt(frame, x), downAt(frame, y), Math.atan2(dy, dx), length);
  });
  return [{ kind: "path", d: lines.join(""), stroke: "--arrow", width: 1.2 }];
}

/** The middles of cells of about the same size. @param {Frame} frame @returns {[number, number][]} */
function placesIn({ width, height, x, y }) {
  const across = Math.max(2, Math.round(width / ARROWS_APART_PX));
  const up = Math.max(2, Math.round(height / ARROWS_APART_PX));
  return Array.from({ length: across * up }, (_, k) => [
    x[0] + (((k % across) + 0.5) / across) * (x[1] - x[0]),
    y[0] + ((Math.floor(k / across) + 0.5) / up) * (y[1] - y[0]),
  ]);
}

/** @param {number} x @param {number} y @param {number} angle @param {number} length */
function arrow(x, y, angle, length) {
  const end = [x + length * Math.cos(angle), y + length * Math.sin(angle)];
  const wing = (/** @type {number} */ side) => {
    const back = angle + Math.PI + side * 0.45;
    return `${(end[0] + 5 * Math.cos(back)).toFixed(1)} ${(end[1] + 5 * Math.sin(back)).toFixed(1)}`;
  };
  const tip = `${end[0].toFixed(1)} ${end[1].toFixed(1)}`;
  return `M${x.toFixed(1)} ${y.toFixed(1)}L${tip}M${wing(1)}L${tip}L${wing(-1)}`;
}
