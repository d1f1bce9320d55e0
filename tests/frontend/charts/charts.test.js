import assert from "node:assert/strict";
import { test } from "node:test";

import { contourMarks } from "../../../frontend/charts/contours.js";
import { shownValues, tangentMarks } from "../../../frontend/charts/curve.js";
import { acrossAt, downAt, numbersAt, ticks } from "../../../frontend/charts/frame.js";
import { awaitedGrid, between, spread, unpacked, withBand } from "../../../frontend/charts/grid.js";
import { pointMarks } from "../../../frontend/charts/marks.js";
import { inflections } from "../../../frontend/charts/inflections.js";
import { heightsOf, levelsOf, placeOf, RAMPS, valueAt } from "../../../frontend/charts/levels.js";
import { projectionOf, surfaceMarks } from "../../../frontend/charts/surface.js";
import { svgOf } from "../../../frontend/charts/svg.js";

/** @import { Frame } from "../../../frontend/charts/frame.js" */

/** @type {Frame} */
const FRAME = { left: 10, top: 20, width: 100, height: 50, x: [0, 10], y: [-1, 1] };

/** @param {number} low @param {number} high @param {number} count */
const line = (low, high, count) => Array.from({ length: count }, (_, k) => low + ((high - low) * k) / (count - 1));

/** @param {(x: number) => number} f @param {(x: number) => number} slope @param {number} low @param {number} high */
const bends = (f, slope, low, high) =>
  inflections(line(low, high, 601), line(low, high, 601).map(f), line(low, high, 601).map(slope));

test("a number stands where its axis has it, and the place leads back to it", () => {
  assert.equal(acrossAt(FRAME, 5), 60);
  assert.equal(downAt(FRAME, 1), 20);
  assert.deepEqual(numbersAt(FRAME, 60, 45), [5, 0]);
});

test("ticks are round numbers inside the range", () => {
  assert.deepEqual(ticks(-0.3, 1.1, 7), [-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks(2, 2, 5), []);
});

test("a packed grid has the server's numbers", () => {
  const base64 = Buffer.from(Float64Array.of(1, -0.25, NaN, Infinity).buffer).toString("base64");
  assert.deepEqual(unpacked({ dtype: "float64", shape: [4], base64 }), [1, -0.25, NaN, Infinity]);
  const halves = Buffer.from(Uint16Array.of(0x3c00, 0xc000, 0x7c00).buffer).toString("base64");
  assert.deepEqual(unpacked({ dtype: "float16", shape: [3], base64: halves }), [1, -2, Infinity]);
});

test("between two points of a cubic its value and slope are exact", () => {
  const xs = [0, 1, 2];
  const grid = { axes: [{ variable: "x", values: xs }], values: xs.map((x) => x ** 3), slopes: [xs.map((x) => 3 * x * x)] };
  assert.deepEqual(between(grid, 1.5), { value: 3.375, slope: 6.75 });
  assert.equal(between(grid, 2.5), null);
});

test("the inflection points of x³, sin x and exp(sin x) are found", () => {
  assert.deepEqual(
    bends(
      (x) => x ** 3,
      (x) => 3 * x * x,
      -2,
      2,
    ).map((x) => Math.round(Math.abs(x) * 1e6) / 1e6),
    [0],
  );
  const sine = bends(Math.sin, Math.cos, -4, 4);
  assert.equal(sine.length, 3);
  for (const [k, x] of sine.entries()) assert.ok(Math.abs(x - (k - 1) * Math.PI) < 1e-4, String(x));
  const [first] = bends(
    (x) => Math.exp(Math.sin(x)),
    (x) => Math.exp(Math.sin(x)) * Math.cos(x),
    0,
    2,
  );
  assert.ok(Math.abs(Math.sin(first) - (Math.sqrt(5) - 1) / 2) < 1e-4); // sin² x + sin x = 1
});

test("a straight line, a kink and a pole have no inflection", () => {
  assert.deepEqual(
    bends(
      (x) => 2 * x,
      () => 2,
      -1,
      1,
    ),
    [],
  );
  assert.deepEqual(bends(Math.abs, Math.sign, -1, 1), []);
  assert.deepEqual(
    bends(
      (x) => 1 / x,
      (x) => -1 / (x * x),
      -1,
      1.1,
    ),
    [],
  );
});

test("heights give a flat valley as much of the scale as a steep wall", () => {
  const heights = heightsOf([0, 1, 16, 81, 256, NaN, Infinity]);
  assert.ok(heights);
  assert.ok(Math.abs(placeOf(heights, 16) - 0.5) < 1e-9);
  assert.ok(Math.abs(valueAt(heights, placeOf(heights, 81)) - 81) < 1e-9);
  assert.equal(levelsOf(heights, 4)[0], 0);
  assert.equal(heightsOf([NaN]), null);
});

test("a few values far beyond the others are cut off", () => {
  const [low, high] = shownValues([...line(0, 1, 200), 1e9]);
  assert.ok(low < 0 && low > -0.2);
  assert.ok(high > 0.95 && high < 2);
});

test("the tangent passes through the point with its slope", () => {
  const [{ d }] = tangentMarks(FRAME, 5, 0, 0.1);
  assert.equal(d, "M10.0 57.5L110.0 32.5");
});

/** x² + y² on five by three points. */
const BOWL = {
  axes: [
    { variable: "x", values: [-2, -1, 0, 1, 2] },
    { variable: "y", values: [-1, 0, 1] },
  ],
  values: [5, 4, 5, 2, 1, 2, 1, 0, 1, 2, 1, 2, 5, 4, 5],
  slopes: [],
};

test("contours begin with the whole window and leave out what is no number", () => {
  const frame = { ...FRAME, x: /** @type {const} */ ([-2, 2]), y: /** @type {const} */ ([-1, 1]) };
  const heights = { low: 0, high: 5, power: 1 };
  const [whole, ...others] = contourMarks(frame, BOWL, heights, RAMPS.light);
  assert.ok(whole.kind === "path" && whole.d.includes("10.0 20.0") && whole.d.includes("110.0 70.0"));
  assert.equal(others.length, 13);
  const holed = { ...BOWL, values: BOWL.values.map(() => NaN) };
  assert.ok(contourMarks(frame, holed, heights, RAMPS.light).every((mark) => mark.kind === "path" && mark.d === ""));
});

test("of a surface the nearer squares are painted over the farther ones", () => {
  const turn = { around: 0, above: 45 };
  const project = projectionOf(BOWL, turn, { width: 200, height: 100 });
  const [{ quads }] = /** @type {import("../../../frontend/charts/frame.js").QuadsMark[]} */ (
    surfaceMarks(BOWL, { low: 0, high: 5, power: 1 }, RAMPS.light, turn, project)
  );
  assert.equal(quads.length, 8);
  const nearestCorner = project(2, -1, 1);
  assert.deepEqual(
    quads.map(({ points }) => points.includes(nearestCorner[1])),
    [false, true, false, false, false, false, false, true],
  );
});

test("a file has the shapes that are painted, and no script", () => {
  const marks = /** @type {import("../../../frontend/charts/frame.js").Mark[]} */ ([
    { kind: "clipped", frame: FRAME, marks: [{ kind: "path", d: "M0 0L1 1", stroke: "--accent" }] },
    { kind: "text", x: 1, y: 2, text: "a < b", fill: "--text" },
  ]);
  const svg = svgOf(marks, { width: 200, height: 100 }, (name) => (name.startsWith("--") ? "black" : name), "y & x");
  assert.match(
    svg,
    /<svg x="10" y="20" width="100" height="50" viewBox="10 20 100 50"><path d="M0 0L1 1" fill="none" stroke="black"/,
  );
  assert.match(svg, />a &lt; b<\/text>/);
  assert.match(svg, /<title>y &amp; x<\/title>/);
});

/** @param {number[]} numbers */
const packed = (numbers) => ({
  dtype: "float64",
  shape: [numbers.length / 2, 2],
  base64: Buffer.from(new Float64Array(numbers).buffer).toString("base64"),
});

test("a band fills its rows of a grid, and the others stay without a number", () => {
  const axes = [{ variable: "x", values: [0, 1, 2] }, { variable: "y", values: [0, 1] }]; // prettier-ignore
  const grid = awaitedGrid({ axes });
  assert.deepEqual(grid.values, Array(6).fill(NaN));
  const band = { type: /** @type {const} */ ("band"), first: 1, end: 2, values: packed([3, 4]), gradient: [packed([5, 6]), packed([7, 8])] }; // prettier-ignore
  const filled = withBand(grid, band);
  assert.deepEqual(filled.values, [NaN, NaN, 3, 4, NaN, NaN]);
  assert.deepEqual(filled.slopes[1], [NaN, NaN, 7, 8, NaN, NaN]);
  assert.deepEqual(grid.values, Array(6).fill(NaN)); // the one before is as it was
});

test("a sketch of 2 × 2 points gives each of 4 × 4 the numbers of the nearest", () => {
  const axis = (/** @type {number[]} */ values) => ({ variable: "x", values });
  const coarse = { axes: [axis([0, 3]), axis([0, 3])], values: [1, 2, 3, 4], slopes: [[5, 6, 7, 8]] };
  const fine = spread(coarse, [axis([0, 1, 2, 3]), axis([0, 1, 2, 3])]);
  assert.deepEqual(fine.values, [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
  assert.deepEqual(fine.slopes[0].slice(0, 4), [5, 5, 6, 6]);
});

test("the name of a minimum stands beneath it, and above it where there is the axis", () => {
  const heights = [120, 110].map((bottom) => pointMarks("minimum", [50, 100], "minimum", bottom)[1]);
  assert.deepEqual(
    heights.map((mark) => mark.kind === "text" && mark.y),
    [119, 90],
  );
});
