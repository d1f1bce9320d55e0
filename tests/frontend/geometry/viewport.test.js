import assert from "node:assert/strict";
import test from "node:test";

import {
  filled,
  fit,
  fitFrom,
  IDENTITY,
  MAX_SCALE,
  pinned,
  reveal,
  visibleBox,
  zoomAt,
} from "../../../frontend/geometry/viewport.js";

test("zooming keeps the point under the pointer where it is", () => {
  const zoomed = zoomAt(IDENTITY, 2, 100, 50);
  assert.deepEqual(zoomed, { x: -100, y: -50, scale: 2 }); // 100 * 2 - 100 = 100
});

test("zooming stops at the largest scale", () => {
  assert.equal(zoomAt(IDENTITY, 100, 0, 0).scale, MAX_SCALE);
});

test("fitting centres the box and leaves the margin", () => {
  const viewport = fit({ x: 0, y: 0, width: 100, height: 50 }, { width: 240, height: 240 }, { margin: 20 });
  assert.deepEqual(viewport, { x: 20, y: 70, scale: 2 }); // 200 of 240 across; 100 of 240 down
});

test("fitting goes no further than the given scales", () => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  assert.equal(fit(box, { width: 1000, height: 1000 }, { most: 1.6 }).scale, 1.6);
  assert.equal(fit(box, { width: 5, height: 5 }, { margin: 0, least: 0.8 }).scale, 0.8);
});

test("a box too wide begins at its start, at the least scale", () => {
  const box = { x: 0, y: 0, width: 1000, height: 100 };
  const viewport = fitFrom(box, { ...box, width: 10 }, { width: 200, height: 200 }, "right", { margin: 10, least: 1 });
  assert.deepEqual(viewport, { x: 10, y: 50, scale: 1 });
});

test("a box that has room stands in the middle, and one that has none leaves no blank at an end", () => {
  const [box, canvas] = [
    { x: 0, y: 0, width: 100, height: 1000 },
    { width: 300, height: 300 },
  ];
  const at = (/** @type {number} */ y) => filled({ x: -50, y, scale: 1 }, box, canvas, 10);
  assert.deepEqual(at(-400), { x: 100, y: -400, scale: 1 });
  assert.equal(at(60).y, 10);
  assert.equal(at(-900).y, -710); // 300 - 10 - 1000
});

test("a box too high begins at its top, or with its start a third down", () => {
  const box = { x: 0, y: 0, width: 100, height: 1000 };
  const limits = { margin: 10, least: 1 };
  const from = (/** @type {number} */ y) =>
    fitFrom(box, { ...box, y, height: 10 }, { width: 300, height: 300 }, "right", limits).y;
  assert.equal(from(0), 10);
  assert.equal(from(500), -400); // 100 - 500
});

test("pinning puts a graph point at a screen point", () => {
  const { x, y, scale } = pinned({ x: 0, y: 0, scale: 2 }, 30, 40, 100, 100);
  assert.deepEqual([30 * scale + x, 40 * scale + y], [100, 100]);
});

test("the visible box is the screen seen from the graph", () => {
  const box = visibleBox({ x: -100, y: 20, scale: 2 }, { width: 400, height: 200 });
  assert.deepEqual(box, { x: 50, y: -10, width: 200, height: 100 });
});

test("revealing moves no more than needed, and not at all where all is in sight", () => {
  const canvas = { width: 200, height: 200 };
  const inside = { x: 50, y: 50, width: 20, height: 20 };
  assert.equal(reveal(IDENTITY, inside, canvas, 10), IDENTITY);
  assert.deepEqual(reveal(IDENTITY, { ...inside, x: 190 }, canvas, 10), { x: -20, y: 0, scale: 1 }); // 190 + 20 + 10 - 200
  assert.deepEqual(reveal(IDENTITY, { ...inside, y: -30 }, canvas, 10), { x: 0, y: 40, scale: 1 });
});
