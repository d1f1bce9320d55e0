// What lies near a box is found, however long the line that asks is.

import assert from "node:assert/strict";
import { test } from "node:test";

import { overlaps } from "../../../frontend/geometry/box.js";
import { whereaboutsOf } from "../../../frontend/geometry/whereabouts.js";

/** Boxes of 20 × 10 px on a lattice of 50 px, from −500 to 500. */
const lattice = Array.from({ length: 21 * 21 }, (_, i) => ({
  box: { x: 50 * (i % 21) - 500, y: 50 * Math.floor(i / 21) - 500, width: 20, height: 10 },
}));

/** @param {import("../../../frontend/geometry/viewport.js").Box} box @param {boolean} upright */
const found = (box, upright) =>
  new Set(
    whereaboutsOf(lattice, upright)
      .near(box)
      .filter((thing) => overlaps(box, thing.box)),
  );

for (const upright of [false, true]) {
  test(`all that a box overlaps is found, upright: ${upright}`, () => {
    for (const box of [
      { x: -5000, y: 3, width: 10000, height: 2 }, // a level line through the row at y = 0
      { x: 3, y: -5000, width: 2, height: 10000 }, // an upright line through the column at x = 0
      { x: 60, y: 60, width: 200, height: 200 },
      { x: 25, y: 25, width: 10, height: 10 }, // between all
    ]) {
      assert.deepEqual(found(box, upright), new Set(lattice.filter((thing) => overlaps(box, thing.box))));
    }
  });
}

test("a line meets only the strips that it runs in", () => {
  const near = whereaboutsOf(lattice, false).near({ x: -5000, y: 3, width: 10000, height: 2 });
  assert.equal(near.length, 21);
});

test("of nothing, nothing is near", () => {
  assert.deepEqual(whereaboutsOf([], false).near({ x: 0, y: 0, width: 9, height: 9 }), []);
});
