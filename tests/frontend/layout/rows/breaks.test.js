import assert from "node:assert/strict";
import test from "node:test";

import { breaksOf } from "../../../../frontend/layout/rows/breaks.js";

/** Columns of 80 px, 20 px apart. @param {number} count @param {number} [width] */
const columns = (count, width = 80) =>
  Array.from({ length: count }, (_, i) => ({ low: i * (width + 20), high: i * (width + 20) + width, least: 80 }));

test("what is short enough has no break", () => assert.deepEqual(breaksOf(columns(4), [1, 1, 1], 380), []));

test("rows are about equally long: of six columns three stand in each of two", () => {
  assert.deepEqual(breaksOf(columns(6), [1, 1, 1, 1, 1], 440), [3]);
});

test("a break is put where few lines pass", () => {
  assert.deepEqual(breaksOf(columns(6), [1, 1, 9, 1, 1], 440), [4]);
});

test("more than sixteen lines are never parted", () => {
  assert.deepEqual(breaksOf(columns(6), [17, 17, 17, 17, 17], 440), []);
  assert.deepEqual(breaksOf(columns(6), [17, 17, 17, 1, 17], 440), [4]);
});

test("columns that cannot be parted stay together, and what is beside them is broken all the same", () => {
  assert.deepEqual(breaksOf(columns(8), [17, 17, 17, 17, 1, 1, 1], 380), [5]); // the first five are 480 px long
});

test("a scope that opens breaks its own row once more, and leaves the other breaks where they are", () => {
  const closed = columns(6);
  const open = closed.map(({ low, high, least }, i) => ({ low: low + (i > 4 ? 300 : 0), high: high + (i > 3 ? 300 : 0), least }));
  assert.deepEqual(breaksOf(closed, [1, 1, 1, 1, 1], 440), [3]);
  assert.deepEqual(breaksOf(open, [1, 1, 1, 1, 1], 440), [3, 4, 5]);
});
