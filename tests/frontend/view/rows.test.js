// Rows in a window: broken once, and again where the window is another.

import assert from "node:assert/strict";
import test from "node:test";

import { createRows } from "../../../frontend/view/rows.js";
import { layoutGraph } from "../../../frontend/layout/layout.js";
import { expSin, model, node } from "../layout/programs.js";

const CHAIN = layoutGraph(
  model([..."abcdefghijkl"].map((name, i, all) => node(`op${name}`, "Sin", i > 0 ? [`op${all[i - 1]}`] : []))),
);

/** @param {{width: number, height: number} | null} room */
const rowsIn = (room) => {
  const sight = { room: () => room };
  return {
    rows: createRows({ room: () => sight.room() }),
    resize: (/** @type {typeof room} */ next) => (sight.room = () => next),
  };
};

test("a scene is broken once for a window", () => {
  const { rows, resize } = rowsIn({ width: 500, height: 800 });
  const broken = rows.of(CHAIN);
  assert.ok(broken.page.width <= 500);
  assert.equal(rows.of(CHAIN), broken);
  resize({ width: 900, height: 800 });
  assert.notEqual(rows.of(CHAIN), broken);
});

test("what the worker has broken for this window is taken, and for another window it is not", () => {
  const { rows, resize } = rowsIn({ width: 500, height: 800 });
  rows.learn({ scene: CHAIN, readable: { width: 500, height: 800 }, inRows: CHAIN });
  assert.equal(rows.of(CHAIN), CHAIN);
  resize({ width: 501, height: 800 });
  assert.notEqual(rows.of(CHAIN), CHAIN);
});

test("a model is laid out for the window in steps of 20 px, and for none while nothing is on screen", () => {
  const { rows, resize } = rowsIn({ width: 519, height: 801 });
  assert.deepEqual(rows.fitted(expSin()).room, { width: 500, height: 800 });
  assert.equal(rows.isForAnother(expSin("gradients")), false);
  resize({ width: 520, height: 801 });
  assert.equal(rows.isForAnother(expSin("gradients")), true);
  resize(null);
  assert.equal(rows.fitted(expSin()).room, undefined);
});
