import assert from "node:assert/strict";
import test from "node:test";

import { common, sidesOf } from "../../../frontend/geometry/box.js";

test("what two boxes share ends where the first of them ends", () => {
  const [page, window] = [
    { x: 0, y: 0, width: 100, height: 50 },
    { x: 60, y: -10, width: 80, height: 30 },
  ];
  assert.deepEqual(common(page, window), { x: 60, y: 0, width: 40, height: 20 });
});

test("boxes apart share nothing", () => {
  const far = { x: 200, y: 200, width: 10, height: 10 };
  const { width, height } = common({ x: 0, y: 0, width: 100, height: 50 }, far);
  assert.deepEqual({ width, height }, { width: 0, height: 0 });
});

test("the sides of a box have no breadth", () => {
  assert.deepEqual(sidesOf({ x: 1, y: 2, width: 30, height: 40 }), [
    { x: 1, y: 2, width: 30, height: 0 },
    { x: 1, y: 42, width: 30, height: 0 },
    { x: 1, y: 2, width: 0, height: 40 },
    { x: 31, y: 2, width: 0, height: 40 },
  ]);
});
