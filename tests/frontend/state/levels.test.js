import assert from "node:assert/strict";
import { test } from "node:test";

import { atLevel, sameStep } from "../../../frontend/state/levels.js";
import { answered, atRow, INITIAL } from "../../../frontend/store.js";
import { CHAIN, halvings, STEPS } from "../chain.js";

/** The chain at level Mathematics: what is multiplied by comes with the step that uses it. */
const MATHEMATICS = STEPS.map((step) => ({
  ...step,
  phase:
    /** @type {const} */ ({ gradient: step.index === 3 ? "seed" : "backward" })[/** @type {"gradient"} */ (step.phase)] ??
    step.phase,
  nodes: step.index === 5 ? ["gradients/Sin_grad/Cos", step.node] : [step.node],
}));
const CLOSE = { ...MATHEMATICS[5], index: 6, phase: /** @type {const} */ ("close"), node: "x", of: "x", nodes: [] };
const LESSON = { level: /** @type {const} */ ("mathematics"), steps: [...MATHEMATICS, CLOSE], values: {} };
const NODES = { level: /** @type {const} */ ("tensorflow"), steps: STEPS, values: {} };

test("the step that tells the same is found at the other level, and back", () => {
  for (const { index } of STEPS) {
    const there = sameStep(STEPS, index, LESSON.steps);
    assert.equal(sameStep(LESSON.steps, there, STEPS), index);
  }
});

test("of several passes the step is in the one with the same numbers, else in the last", () => {
  const numbered = (/** @type {number} */ first, /** @type {number} */ scale) =>
    STEPS.map((step) => ({
      ...step,
      index: first + step.index,
      output: step.output && { ...step.output, value: scale * Number(step.output.value) },
    }));
  const passes = [...numbered(0, 1), ...numbered(STEPS.length, 2)];
  assert.equal(sameStep(STEPS, 4, passes), 4);
  assert.equal(sameStep(numbered(0, 2), 4, passes), STEPS.length + 4);
  assert.equal(sameStep(numbered(0, 3), 4, passes), STEPS.length + 4);
});

test("of passes whose single numbers are alike the step is in the one whose tensors are alike too", () => {
  const numbered = (/** @type {number} */ first, /** @type {number[]} */ data) =>
    STEPS.map((step, place) => ({
      ...step,
      index: first + step.index,
      output: step.output && { ...step.output, value: place === 0 ? { dtype: "float32", shape: [2], data } : 0 },
    }));
  const passes = [...numbered(0, [1, 2]), ...numbered(STEPS.length, [3, 4])];
  assert.equal(sameStep(numbered(0, [3, 4]), 4, passes), STEPS.length + 4);
  assert.equal(sameStep(numbered(0, [1, 2]), 4, passes), 4);
});

test("the closing step has the last one for its like, and the end of an update stays its end", () => {
  assert.equal(sameStep(LESSON.steps, 6, STEPS), 5);
  assert.equal(sameStep(STEPS, STEPS.length, LESSON.steps), LESSON.steps.length);
});

test("a lesson at another level is taken in at the same step, and kept", () => {
  const before = { ...INITIAL, ...answered(INITIAL, CHAIN, { ...LESSON, asked: "mathematics" }), cursor: 5 };
  const after = { ...before, ...atLevel(before, "tensorflow", NODES) };
  assert.deepEqual([after.stepLevel, after.asked, after.cursor, after.steps], ["tensorflow", "tensorflow", 5, STEPS]);
  assert.deepEqual(Object.keys(after.lessons), ["mathematics", "tensorflow"]);
});

test("in a run the update that is shown stays shown, and Reset leads to the lesson at the new level", () => {
  const start = { ...INITIAL, ...answered(INITIAL, CHAIN, { ...LESSON, asked: "mathematics" }), cursor: 4 };
  const run = halvings(3);
  const inRun = { ...start, run, ...atRow({ ...start, run }, 2) };
  const after = { ...inRun, ...atLevel(inRun, "tensorflow", NODES) };
  assert.deepEqual([after.optimising, after.cursor, after.row], [true, STEPS.length, 2]);
  assert.deepEqual([after.start?.steps, after.start?.cursor], [STEPS, 4]);
});
