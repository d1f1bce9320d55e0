import assert from "node:assert/strict";
import test from "node:test";
import { level } from "../../../../frontend/layout/grid/level.js";
import { layoutGraph } from "../../../../frontend/layout/layout.js";
import { model, node } from "../programs.js";

/**
 * The heights after; vertices stand 10 px apart.
 * @param {number[][]} columns @param {number[][]} trunks @param {number[]} heights
 */
function levelled(columns, trunks, heights) {
  const y = new Map(heights.entries());
  level(columns, trunks, y, () => 10);
  return [...y.values()];
}

test("a line that climbs a little in each column runs at one height", () => {
  assert.deepEqual(levelled([[0], [1], [2]], [[0, 1, 2]], [0, 1, 5]), [2, 2, 2]);
});

test("it keeps its distance from what stands above it in one of the columns", () => {
  assert.deepEqual(levelled([[0], [3, 1], [2]], [[0, 1, 2]], [0, 6, 3, -4]), [6, 6, 6, -4]);
});

test("where no height does for all columns it climbs once", () => {
  const [upper, lower] = [4, 5]; // an item above the second column, and one beneath the third
  assert.deepEqual(levelled([[0], [upper, 1], [2, lower], [3]], [[0, 1, 2, 3]], [10, 20, 0, 2, 10, 10]), [20, 20, 0, 0, 10, 10]);
});

test("lines that lie on one another both become level: the outer one makes room", () => {
  const columns = [
    [0, 3],
    [1, 4],
    [2, 5],
  ];
  const [a, b, c, ...beneath] = levelled(
    columns,
    [
      [0, 1, 2],
      [3, 4, 5],
    ],
    [0, 3, 6, 10, 13, 16],
  );
  assert.deepEqual([b, c], [a, a]);
  assert.deepEqual(beneath, [beneath[0], beneath[0], beneath[0]]);
  assert.ok(beneath[0] >= a + 10);
});

test("in a picture, a line past ten columns climbs only beside its ends", () => {
  const row = Array.from({ length: 12 }, (_, i) =>
    node(`op${i}`, "Add", i === 0 ? [] : i === 11 ? ["op10", "op0"] : [`op${i - 1}`]),
  );
  const scene = layoutGraph(model(row));
  const { points } = scene.edges.find(({ from, to }) => from === "op0" && to === "op11") ?? { points: [] };
  assert.equal(new Set(points.slice(2, -2).map(({ y }) => y)).size, 1);
});
