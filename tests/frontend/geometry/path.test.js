import assert from "node:assert/strict";
import test from "node:test";

import { around, overlaps, union } from "../../../frontend/geometry/box.js";
import { pathOf, trace } from "../../../frontend/geometry/path.js";
import { shortened, textWidth } from "../../../frontend/geometry/text.js";

const at = (/** @type {number} */ x, /** @type {number} */ y) => ({ x, y });

test("points on one horizontal are joined by a straight line", () => {
  assert.equal(pathOf([at(0, 5), at(30, 5)]), "M0,5L30,5");
});

test("lines that meet at a right angle meet in a rounded corner", () => {
  assert.equal(pathOf([at(0, 0), at(20, 0), at(20, 20)], false, 4), "M0,0L16,0Q20,0 20,4L20,20");
});

test("points apart in both directions are joined by a curve that leaves and arrives horizontally", () => {
  assert.equal(pathOf([at(0, 0), at(10, 20)]), "M0,0C5,0 5,20 10,20");
});

test("a pen follows a line as its path does, but for the rounding of corners", () => {
  /** @type {string[]} */
  const told = [];
  const tell =
    (/** @type {string} */ letter) =>
    (/** @type {number[]} */ ...numbers) =>
      void told.push(`${letter}${numbers}`);
  trace([at(0, 0), at(10, 20), at(30, 20)], false, { moveTo: tell("M"), bezierCurveTo: tell("C"), lineTo: tell("L") });
  assert.deepEqual(told, ["M0,0", "C5,0,5,20,10,20", "L30,20"]);
});

test("repeated points make no piece", () => {
  assert.equal(pathOf([at(0, 0), at(0, 0), at(9, 0)]), "M0,0L9,0");
  assert.equal(pathOf([at(1, 1), at(1, 1)]), "");
});

test("boxes that share only a border do not overlap", () => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  assert.equal(overlaps(box, { ...box, x: 10 }), false);
  assert.equal(overlaps(box, { ...box, x: 9 }), true);
});

test("the union of boxes holds them all, and of none is empty", () => {
  assert.deepEqual(
    union([
      { x: 0, y: 0, width: 1, height: 1 },
      { x: 4, y: -2, width: 1, height: 1 },
    ]),
    { x: 0, y: -2, width: 5, height: 3 },
  );
  assert.deepEqual(union([]), { x: 0, y: 0, width: 0, height: 0 });
  assert.deepEqual(around([at(1, 2), at(3, 8)]), { x: 1, y: 2, width: 2, height: 6 });
});

test("wide letters and Chinese count as wider", () => {
  assert.ok(textWidth("mmm", 10) > textWidth("iii", 10));
  assert.equal(textWidth("梯度", 13), 26);
});

test("a long name loses its middle, a short one nothing", () => {
  assert.equal(shortened("Sin", 13, 100), "Sin");
  const short = shortened("model/layer_1/dense/BroadcastGradientArgs", 13, 120);
  assert.match(short, /^model.*….*Args$/);
  assert.ok(textWidth(short, 13) <= 120);
});
