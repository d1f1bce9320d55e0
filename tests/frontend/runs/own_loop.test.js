import assert from "node:assert/strict";
import { test } from "node:test";

import { lossesOfItsLoop } from "../../../frontend/runs/own_loop.js";

/** @param {string | null} target @param {[number, object][][]} sessions  each run's index and what it computed */
const program = (target, ...sessions) =>
  /** @type {any} */ ({
    target,
    sessions: sessions.map((runs) => ({
      runs: runs.length,
      kept: runs.map(([index, nodes]) => ({ index, nodes })),
    })),
  });

test("the losses of a program's loop are its target's numbers, run by run", () => {
  const number = { dtype: "float32", shape: [], data: 2.5 };
  const found = lossesOfItsLoop(
    program("loss:0", [
      [0, { "w:0": 1 }],
      [1, { "loss:0": 4 }],
      [2, { "loss:0": number }],
    ]),
  );
  assert.deepEqual(found, [4, 2.5]);
});

test("a run that the answer leaves out has no loss, and an infinite loss is one", () => {
  const found = lossesOfItsLoop(
    program("loss:0", [
      [3, { "loss:0": 4 }],
      [5, { "loss:0": "inf" }],
    ]),
  );
  assert.deepEqual(found, [4, null, "inf"]);
});

test("of several sessions the one with the most runs counts", () => {
  const found = lossesOfItsLoop(
    program(
      "y:0",
      [
        [0, { "y:0": 1 }],
        [1, { "y:0": 2 }],
      ],
      [0, 1, 2].map((k) => [k, { "y:0": k }]),
    ),
  );
  assert.deepEqual(found, [0, 1, 2]);
});

test("a target that is computed once, an array, or nothing, makes no curve", () => {
  assert.deepEqual(lossesOfItsLoop(program("y:0", [[0, { "y:0": 1 }]])), []);
  assert.deepEqual(
    lossesOfItsLoop(
      program("y:0", [
        [0, { "y:0": [1, 2] }],
        [1, { "y:0": [3, 4] }],
      ]),
    ),
    [],
  );
  assert.deepEqual(lossesOfItsLoop(program(null, [[0, {}]])), []);
  assert.deepEqual(lossesOfItsLoop(null), []);
});
