import assert from "node:assert/strict";
import { test } from "node:test";

import { axesFor, axisCalled, choicesOf, questionOf } from "../../../frontend/state/landscape.js";
import { contender, endingOf, goalOf, raceQuestion, stepsTo } from "../../../frontend/state/race.js";

/** Gradient descent on x² from 3. @param {number} rate @param {number} steps @param {string} [status] */
function run(rate, steps, status = "ok") {
  const x = Array.from({ length: steps + 1 }, (_, k) => 3 * (1 - 2 * rate) ** k);
  return { status, stopped_at: null, columns: { steps: [], loss: x.map((each) => each * each), variables: { x } } };
}

test("a run that jumps to and fro for ever oscillates, one that comes nearer is on its way", () => {
  assert.equal(endingOf(run(1, 20)), "oscillates");
  assert.equal(endingOf(run(0.9, 20)), "on_its_way");
  assert.equal(endingOf(run(0.1, 20)), "on_its_way");
  assert.equal(endingOf(run(0.5, 20, "converged")), "converged");
  assert.equal(endingOf(run(1.1, 20, "diverged")), "diverged");
});

test("the goal is a hundredth above the lowest loss of all", () => {
  const runs = [run(0.1, 20), run(0.5, 20), run(1, 20)];
  assert.equal(goalOf(runs), 0.09);
  assert.deepEqual(
    runs.map((each) => stepsTo(each, goalOf(runs))),
    [11, 1, null],
  );
});

test("a race asks for each contender's optimizer, rate and start", () => {
  const contenders = [contender("Momentum", 0.1, { momentum: 0.9 }), { ...contender("own", 0.2), start: { x: 1 } }];
  const { asked } = raceQuestion(contenders, 50, { source: "x**2", dialect: "math", at: {} });
  assert.deepEqual(JSON.parse(JSON.stringify(asked)), {
    program: { source: "x**2", dialect: "math", at: {} },
    steps: 50,
    runs: [
      { optimizer: { name: "Momentum", learning_rate: 0.1, momentum: 0.9 }, process: [] },
      { optimizer: { learning_rate: 0.2 }, process: [], start: { x: 1 } },
    ],
  });
});

const PROGRAM = /** @type {import("../../../frontend/types.js").Program} */ (
  /** @type {unknown} */ ({
    gradients: [
      { name: "w", x: "w:0" },
      { name: "b", x: "b:0" },
    ],
    bindings: [
      { name: "w", value: { dtype: "float32", shape: [2], data: [4, 1] } },
      { name: "b", value: { dtype: "float32", shape: [], data: 0.5 } },
    ],
    graph: { nodes: [] },
  })
);

test("an axis is a single number of a variable, or a direction", () => {
  assert.deepEqual(choicesOf(PROGRAM), ["w[0]", "w[1]", "b", "hessian", "random", "trajectory"]);
  assert.deepEqual(axisCalled(PROGRAM, "w[0]"), { variable: "w", index: [0], direction: null, from: -6, to: 6 });
});

test("axes stay while the text has their numbers and the point is among them", () => {
  const settings = { of: "one", isSurface: false, around: 0, above: 0, hasArrows: true, hasPaths: true };
  const axes = [axisCalled(PROGRAM, "w[1]"), axisCalled(PROGRAM, "b")];
  assert.equal(axesFor({ ...settings, axes }, PROGRAM, "two"), axes);
  const elsewhere = [axes[0], { ...axes[1], from: 1, to: 2 }];
  assert.equal(axesFor({ ...settings, axes: elsewhere }, PROGRAM, "one"), elsewhere);
  assert.deepEqual(
    axesFor({ ...settings, axes: elsewhere }, PROGRAM, "two").map(({ index }) => index),
    [[0], [1]],
  );
});

test("where a program has no numbers to lay axes along, that there are none stays as it is", () => {
  const settings = { of: "one", isSurface: false, around: 0, above: 0, hasArrows: true, hasPaths: true };
  const none = axesFor({ ...settings, axes: null }, { ...PROGRAM, gradients: [] }, "one");
  assert.deepEqual(none, []);
  assert.equal(axesFor({ ...settings, axes: none }, { ...PROGRAM, gradients: [] }, "two"), none);
});

test("moving the point along the axes asks nothing new, moving another variable does", () => {
  const axes = [{ variable: "x", index: [], direction: null, from: -1, to: 1 }];
  const key = (/** @type {Record<string, number>} */ at) => questionOf(axes, { source: "x*y", dialect: "math", at }, {}).key;
  assert.equal(key({ x: 1, y: 2 }), key({ x: 5, y: 2 }));
  assert.notEqual(key({ x: 1, y: 2 }), key({ x: 1, y: 3 }));
});
