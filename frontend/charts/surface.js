// A surface seen from the side: its small squares, painted from the farthest to the nearest.

import { colourAt, placeOf } from "./levels.js";

/** @import { Mark } from "./frame.js" */
/** @import { Grid } from "./grid.js" */
/** @import { Heights, Ramp } from "./levels.js" */
/** @typedef {{around: number, above: number}} Turn  from where it is seen, in degrees */
/** @typedef {{width: number, height: number}} Size  in px */
/** @typedef {(x: number, y: number, place: number) => [number, number]} Projection  of numbers on the axes, and a place on the scale of heights */

const SQUARES = 60; // along an axis
const TALL = 1.1; // the scale of heights, where each axis is 2 long

/** @param {Grid} grid @param {Turn} turn @param {Size} size @returns {Projection} */
export function projectionOf({ axes }, { around, above }, { width, height }) {
  const [a, e] = [around, above].map((degrees) => (degrees * Math.PI) / 180);
  const scale = Math.min(width / 2.95, height / (2.9 * Math.sin(e) + TALL * Math.cos(e) + 0.25));
  const unit = (/** @type {readonly number[]} */ values, /** @type {number} */ value) =>
    (2 * (value - values[0])) / (values[values.length - 1] - values[0]) - 1;
  return (x, y, place) => {
    const [u, v] = [unit(axes[0].values, x), unit(axes[1].values, y)];
    const right = u * Math.cos(a) - v * Math.sin(a);
    const back = u * Math.sin(a) + v * Math.cos(a);
    return [width / 2 + scale * right, height / 2 - scale * (back * Math.sin(e) + (place - 0.5) * TALL * Math.cos(e))];
  };
}

/**
 * The squares; one with a corner that has no number is left out.
 * @param {Grid} grid @param {Heights} heights @param {Ramp} ramp @param {Turn} turn @param {Projection} project @returns {Mark[]}
 */
export function surfaceMarks(grid, heights, ramp, { around }, project) {
  const [xs, ys] = grid.axes.map(({ values }) => places(values.length));
  const a = (around * Math.PI) / 180;
  const corner = (/** @type {number} */ i, /** @type {number} */ j) => {
    const value = grid.values[i * grid.axes[1].values.length + j];
    const place = placeOf(heights, value);
    return { place: Number.isFinite(value) ? place : NaN, at: project(grid.axes[0].values[i], grid.axes[1].values[j], place) };
  };
  const corners = xs.map((i) => ys.map((j) => corner(i, j)));
  const quads = [];
  for (const i of fromBehind(xs.length - 1, Math.sin(a))) {
    for (const j of fromBehind(ys.length - 1, Math.cos(a))) {
      const square = [corners[i][j], corners[i + 1][j], corners[i + 1][j + 1], corners[i][j + 1]];
      const middle = square.reduce((sum, { place }) => sum + place, 0) / 4;
      if (!Number.isNaN(middle)) quads.push({ points: square.flatMap(({ at }) => at), fill: colourAt(ramp, middle) });
    }
  }
  return [{ kind: "quads", quads, stroke: "--contour" }];
}

/** Which points of an axis are corners. @param {number} count */
function places(count) {
  const squares = Math.min(SQUARES, count - 1);
  return Array.from({ length: squares + 1 }, (_, k) => Math.round((k * (count - 1)) / squares));
}

/** 0 … count − 1, the farthest from the eye first. @param {number} count @param {number} away how the axis leads away from it */
const fromBehind = (count, away) => Array.from({ length: count }, (_, k) => (away >= 0 ? count - 1 - k : k));

/** The edges of the floor, with the names of the axes. @param {Grid} grid @param {Projection} project @returns {Mark[]} */
export function floorMarks({ axes: [across, up] }, project) {
  const [x0, x1] = [across.values[0], across.values[across.values.length - 1]];
  const [y0, y1] = [up.values[0], up.values[up.values.length - 1]];
  const corners = [project(x0, y0, 0), project(x1, y0, 0), project(x1, y1, 0), project(x0, y1, 0)];
  const middle = (/** @type {number[]} */ one, /** @type {number[]} */ other) => [
    (one[0] + other[0]) / 2,
    (one[1] + other[1]) / 2,
  ];
  const name = (/** @type {number[]} */ [x, y], /** @type {string} */ text) =>
    /** @type {const} */ ({ kind: "text", x, y: y + 14, text, fill: "--text", align: "middle", weight: 600, halo: true });
  return [
    { kind: "path", d: `M${corners.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`, stroke: "--muted", width: 1 },
    name(middle(corners[0], corners[1]), across.variable),
    name(middle(corners[0], corners[3]), up.variable),
  ];
}
