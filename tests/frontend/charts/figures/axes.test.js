// A pair of axes that a program drew, as marks: where points stand, what the legend names, and how colours are read.

import assert from "node:assert/strict";
import { test } from "node:test";

import { axesMarks, heightOf } from "../../../../frontend/charts/figures/axes.js";
import { colourOf, ramp } from "../../../../frontend/charts/figures/colours.js";

/** @import { FigureAxes, Series } from "../../../../frontend/types.js" */

const BOX = { left: 0, top: 0, width: 272, height: 174 }; // 200 × 100 px inside
const ENDS = /** @type {const} */ ({ x_limits: [0, 10], y_limits: [0, 10] });

/** @param {Partial<Series>} more @returns {Series} */
const series = (more) => ({ kind: "line", label: "", count: 2, every: 1, ...more });

/** @param {readonly Series[]} drawn @param {Partial<FigureAxes>} [more] @returns {FigureAxes} */
const axes = (drawn, more = {}) => ({
  ...{ row: 0, column: 0, title: "", x_label: "", y_label: "", x_scale: "linear", y_scale: "linear" },
  ...{ x_ticks: null, y_ticks: null, grid: false, legend: false, frame: true, upside_down: false, equal: false },
  ...ENDS,
  series: drawn,
  left_out: 0,
  ...more,
});

/** The paths inside the frame. @param {FigureAxes} drawn */
const inside = (drawn) =>
  axesMarks(drawn, BOX, String).flatMap((mark) => (mark.kind === "clipped" ? mark.marks.map(({ d }) => d) : []));

/** All words. @param {FigureAxes} drawn */
const words = (drawn) => axesMarks(drawn, BOX, String).flatMap((mark) => (mark.kind === "text" ? [mark.text] : []));

test("a line goes through its points, and is interrupted where there is no number", () => {
  const [line] = inside(axes([series({ x: [0, 5, 6, 10], y: [0, 10, null, 10] })]));
  assert.equal(line, "M58.0 130.0L158.0 30.0M258.0 30.0");
});

test("on a logarithmic axis tens are as far apart as hundreds, and 0 has no place", () => {
  const log = { y_scale: "log", y_limits: [1, 100] };
  const [line] = inside(axes([series({ x: [0, 10, 10], y: [1, 10, 0] })], log));
  assert.equal(line, "M58.0 130.0L258.0 80.0");
  assert.ok(words(axes([series({ x: [0], y: [1] })], log)).includes("100"));
});

test("bars stand above their words, and reach from their base", () => {
  const bars = series({ kind: "bars", x: [2, 6], y: [5, 10], base: [0, 0], thick: 2, categories: ["a", "b"] });
  assert.deepEqual(inside(axes([bars])), ["M78 130V80H118V130ZM158 130V30H198V130Z"]);
  assert.ok(words(axes([bars], { x_limits: [-1, 2] })).includes("b"));
});

test("the legend names what has a name, and makes the axes higher", () => {
  const drawn = [series({ label: "loss", x: [0], y: [0] }), series({ label: "_hidden", x: [0], y: [0] })];
  assert.deepEqual(words(axes(drawn, { legend: true })).filter((text) => text.includes("o") || text.startsWith("_")), ["loss"]); // prettier-ignore
  assert.equal(heightOf(axes(drawn, { legend: true }), 400) - heightOf(axes(drawn), 400), 18);
});

test("row 0 of an image stands at the top, and cells of one shade are one path", () => {
  const image = series({ kind: "image", z: [[0, 1], [1, 0]], extent: [-0.5, 1.5, 1.5, -0.5] }); // prettier-ignore
  const found = inside(axes([image], { x_limits: [null, null], y_limits: [null, null] })); // with room for the colours
  assert.equal(found.length, 2);
  assert.ok(found[0].startsWith("M58.00 30.00h71.00v50.00"));
});

test("words that look like a tag stay words", () => {
  const title = "<script>alert(1)</script>";
  assert.ok(words(axes([], { title })).includes(title));
});

test("a colour is the next of the cycle, or one of CSS; numbers go from dark to light", () => {
  assert.deepEqual([colourOf(series({ colour: 1 })), colourOf(series({ colour: 11 })), colourOf(series({ colour: "red" }))], ["#ff7f0e", "#ff7f0e", "red"]); // prettier-ignore
  assert.deepEqual([ramp(0), ramp(1), ramp(7)], ["#440154", "#fde725", "#fde725"]);
});
