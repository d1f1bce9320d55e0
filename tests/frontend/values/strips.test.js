import assert from "node:assert/strict";
import { test } from "node:test";

import { stripOf } from "../../../frontend/values/strips.js";

/** @param {number[]} shape @param {import("../../../frontend/types.js").Data} data */
const tensor = (shape, data) => ({ dtype: "float32", shape, data });

test("a tensor's cells are its elements against the largest in size", () => {
  assert.deepEqual(
    stripOf(
      tensor(
        [2, 2],
        [
          [1, -2],
          [4, 0],
        ],
      ),
    ),
    {
      cells: [0.25, -0.5, 1, 0],
      sound: true,
      shape: "2×2",
      extent: ["−2", "0.75", "4"], // mean of 1, -2, 4, 0
    },
  );
});

test("a scalar needs no strip, unless it is not finite", () => {
  assert.equal(stripOf(tensor([], 3)), null);
  assert.deepEqual(stripOf(tensor([], "nan")), { cells: [], sound: false, shape: "", extent: null });
});

test("an element that is not finite has a cell of its own kind, and the rest their extent", () => {
  const strip = stripOf(tensor([3], [1, "inf", 3]));
  assert.equal(strip?.sound, false);
  assert.deepEqual(strip?.cells, [1 / 3, NaN, 1]);
  assert.deepEqual(strip?.extent, ["1", "2", "3"]);
});

test("many elements share twelve cells, each with the largest of its own", () => {
  const strip = stripOf(
    tensor(
      [24],
      Array.from({ length: 24 }, (_, i) => i - 23),
    ),
  );
  assert.equal(strip?.cells.length, 12);
  assert.equal(strip?.cells[0], -1); // of -23 and -22
});

test("of a large tensor the summary tells", () => {
  const summary = { min: -1, max: 1, mean: 0.5, nan_count: 2, inf_count: 0 };
  const strip = stripOf({ ...tensor([100, 100], null), summary });
  assert.deepEqual(strip, { cells: [], sound: false, shape: "100×100", extent: ["−1", "0.5", "1"] });
});
