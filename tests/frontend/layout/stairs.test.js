import assert from "node:assert/strict";
import { test } from "node:test";

import { heights, levelHeights, rowOf } from "../../../frontend/layout/grid/coordinates.js";

/** A row of vertices, each left 8 px lower than it is entered. @param {number} count */
function row(count) {
  const columns = Array.from({ length: count }, (_, i) => [i]);
  const hops = columns.slice(1).map((_, i) => ({ left: i, right: i + 1, leftPort: 8, rightPort: 0, weight: 1, edges: 1 }));
  const lane = rowOf(columns, () => 60);
  return [...heights(lane, hops, levelHeights(lane, hops)).values()];
}

const span = (/** @type {number[]} */ y) => Math.max(...y) - Math.min(...y);

test("in a short row lines run straight, though it goes down a little", () => {
  const y = row(4);
  for (const [i, at] of y.slice(1).entries()) assert.ok(Math.abs(at - y[i] - 8) < 1);
});

test("a long row stands level rather than make stairs", () => {
  assert.ok(span(row(20)) < 1);
});

test("what no line pulls stands level with its row, though lines pass beneath some of it", () => {
  const y = levelHeights(
    rowOf(
      [[0], [1, 2], [3, 4, 5]],
      () => 40,
      (vertex) => [2, 4, 5].includes(vertex),
    ),
    [],
  );
  assert.deepEqual(
    [0, 1, 3].map((item) => y.get(item)),
    [0, 0, 0],
  );
});
