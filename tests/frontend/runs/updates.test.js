import assert from "node:assert/strict";
import { test } from "node:test";

import { cutAfter } from "../../../frontend/runs/columns.js";
import { FIRST_SETTINGS } from "../../../frontend/runs/optimizers.js";
import { carriedOn, rowsAhead } from "../../../frontend/runs/continuing.js";
import { areLeftOut, pairsAt, pairsBefore, updateSentence } from "../../../frontend/runs/updates.js";
import { knownAfter } from "../../../frontend/state/lesson.js";
import { CHAIN, halvings, node, STEPS } from "../chain.js";

test("a row shows the pairs of the update that led to it", () => {
  const [pair] = pairsAt(halvings(2), 1);
  assert.deepEqual(pair, { name: "x", label: "x", gradient: 6, processed: 6, before: 3, after: 1.5, slots: [] });
});

test("a gradient that a long run has not kept is blank, and null only where no path leads to the variable", () => {
  const run = { ...halvings(2), gradients: { x: [6, null, null] } };
  assert.equal(pairsAt(run, 2)[0].gradient, undefined);
  const gradients = CHAIN.gradients.map((gradient) => ({ ...gradient, tensor: null }));
  assert.equal(pairsAt({ ...run, program: { ...CHAIN, gradients } }, 2)[0].gradient, null);
});

test("what a long run has not kept is filled in from the steps around it, which were asked for by themselves", () => {
  const run = { ...halvings(2), variables: { x: [3, null, null] }, gradients: { x: [6, null, null] }, processed: {} };
  assert.ok(areLeftOut(pairsAt(run, 2)));
  const pairs = { x: { variable: "x:0", gradient: "g:0", processed: "g:0", slots: {} } };
  const before = { step: 1, nodes: { "x:0": 1.5, "g:0": 3 }, pairs };
  const [pair] = pairsAt(run, 2, { before, after: { step: 2, nodes: { "x:0": 0.75 }, pairs } });
  assert.deepEqual([pair.before, pair.gradient, pair.processed, pair.after], [1.5, 3, 3, 0.75]);
  assert.ok(!areLeftOut([pair]));
});

test("the start shows the pairs of the update to come", () => {
  const [pair] = pairsBefore(CHAIN, knownAfter(CHAIN, STEPS, 5));
  assert.deepEqual(pair, { name: "x", label: "x", gradient: -1.14, processed: "?", before: 3, after: "?", slots: [] });
});

test("a gradient that the lesson has not reached is not given away", () => {
  const [pair] = pairsBefore(CHAIN, knownAfter(CHAIN, STEPS, 4));
  assert.equal(pair.gradient, "?");
});

test("the pairs of the update to come are those of the lesson, whatever the program has trained since", () => {
  const gate = node("gradients/gate", "Identity", ["gradients/Sin_grad/mul"], -0.5, { phase: "gradient" });
  const nodes = [{ ...CHAIN.graph.nodes[0], value: 1 }, ...CHAIN.graph.nodes.slice(1), gate];
  const gradients = CHAIN.gradients.map((gradient) => ({ ...gradient, tensor: "gradients/gate:0", value: -0.5 }));
  const trained = { ...CHAIN, gradients, graph: { nodes } };
  const [pair] = pairsBefore(trained, knownAfter(trained, STEPS, 5, { "gradients/gate": -1.14 }));
  assert.deepEqual([pair.before, pair.gradient], [3, -1.14]);
});

test("the gradient of a node's second output is what the program's answer has", () => {
  const gradients = CHAIN.gradients.map((gradient) => ({ ...gradient, tensor: "gradients/Sin_grad/mul:1", value: 9 }));
  const [pair] = pairsBefore({ ...CHAIN, gradients }, knownAfter(CHAIN, STEPS, 5));
  assert.equal(pair.gradient, 9);
});

test("an update is told with its numbers", () => {
  const pair = { name: "x", label: "x", gradient: 6, processed: 6, before: 3, after: 2.94, slots: [] };
  assert.equal(updateSentence(pair, 0.01), "x ← 3 − 0.01 × 6 = 2.94");
  assert.equal(updateSentence({ ...pair, processed: -6, after: 3.06 }, 0.01), "x ← 3 − 0.01 × (−6) = 3.06");
  assert.equal(updateSentence({ ...pair, before: [1, 2] }, 0.01), "");
  assert.equal(updateSentence(pair, null), "x: 3 → 2.94");
});

const MOMENTUM = { ...FIRST_SETTINGS, name: "Momentum" };

/** Halvings whose velocity is their gradient so far. @param {number} updates */
const withVelocity = (updates) => ({
  ...halvings(updates),
  parts: [{ ...halvings(0).parts[0], slots: { x: { momentum: [0] } } }],
  slots: { x: { momentum: [0, 6, 9, 10.5].slice(0, updates + 1) } },
  shared: { global_step: [0, 1, 2, 3].slice(0, updates + 1) },
});

test("the optimizer's state stands beside its variable, before and after an update", () => {
  assert.deepEqual(pairsAt(withVelocity(2), 2)[0].slots, [{ name: "momentum", before: 6, after: 9 }]);
});

test("a changed rate goes on with the velocity", () => {
  const on = carriedOn(cutAfter(withVelocity(3), 2), MOMENTUM, { ...MOMENTUM, rate: 0.1 });
  assert.deepEqual(on, { start: { x: 0.75, global_step: 2 }, slots: { x: { momentum: 9 } } });
});

test("another optimizer starts without any state, another schedule at its own start", () => {
  assert.deepEqual(carriedOn(withVelocity(2), MOMENTUM, FIRST_SETTINGS), { start: { x: 0.75 } });
  const on = carriedOn(withVelocity(2), MOMENTUM, { ...MOMENTUM, schedule: "cosine_decay" });
  assert.deepEqual(on, { start: { x: 0.75 }, slots: { x: { momentum: 9 } } });
});

test("fewer rows are asked for ahead where each has many numbers, so that every one is kept", () => {
  assert.equal(rowsAhead(CHAIN), 100);
  const nodes = CHAIN.graph.nodes.map((one) =>
    one.name === "x" ? { ...one, outputs: [{ dtype: "float32", shape: [784, 10] }] } : one,
  );
  assert.equal(rowsAhead({ ...CHAIN, graph: { nodes } }), 41); // 6 · 7840 numbers in each of 42 rows, the first included
});
