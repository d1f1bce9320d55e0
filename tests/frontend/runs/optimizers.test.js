import assert from "node:assert/strict";
import { test } from "node:test";

import {
  FIRST_SETTINGS,
  firstTiming,
  isProcessedByProgram,
  latexOf,
  ownOptimizer,
  parametersOf,
  plainRate,
  requestOf,
} from "../../../frontend/runs/optimizers.js";
import { CHAIN, node } from "../chain.js";

const DOC = { en: "", zh: "" };
const MOMENTUM = {
  ...{ name: "Momentum", latex: [], doc: DOC, family: "tensorflow1" },
  hyper_parameters: [
    { name: "learning_rate", default: 0.01, doc: DOC },
    { name: "momentum", default: 0.9, doc: DOC },
  ],
};
const DECAY = {
  ...{ name: "exponential_decay", latex: [], doc: DOC },
  hyper_parameters: ["learning_rate", "decay_steps", "decay_rate"].map((name) => ({ name, default: null, doc: DOC })),
};

test("an optimizer is asked for with what was chosen", () => {
  const settings = { ...FIRST_SETTINGS, name: "Momentum", rate: 0.1, parameters: { momentum: 0.5 } };
  assert.deepEqual(requestOf(settings), {
    optimizer: { name: "Momentum", learning_rate: 0.1, momentum: 0.5 },
    process: [],
  });
});

test("each way to process is sent with its number", () => {
  const settings = { ...FIRST_SETTINGS, process: /** @type {const} */ ("clip_by_value"), limit: 2 };
  assert.deepEqual(requestOf(settings).process, [{ clip_by_value: 2 }]);
});

test("a schedule begins with numbers that can be moved", () => {
  const timing = firstTiming(DECAY);
  assert.deepEqual(timing, { decay_steps: 100, decay_rate: 0.5 });
  assert.deepEqual(requestOf({ ...FIRST_SETTINGS, schedule: "exponential_decay", timing }).schedule, {
    ...{ name: "exponential_decay", decay_steps: 100, decay_rate: 0.5 },
  });
});

test("parameters have their defaults until they are chosen; the rate stands apart", () => {
  assert.deepEqual(
    parametersOf(MOMENTUM, {}).map(({ name, value }) => [name, value]),
    [["momentum", 0.9]],
  );
  assert.equal(parametersOf(MOMENTUM, { momentum: 0 })[0].value, 0);
});

/** A program that builds its own momentum optimizer. */
const OWN = {
  ...CHAIN,
  graph: {
    nodes: [
      ...CHAIN.graph.nodes,
      node("Momentum/learning_rate", "Const", [], 0.10000000149, { phase: "update" }),
      node("Momentum/momentum", "Const", [], 0.5, { phase: "update" }),
      node("Momentum/value", "Const", [], 1, { phase: "update" }), // what the step counter grows by
      node("Momentum/update_x/ApplyMomentum", "ApplyMomentum", ["x", "Momentum/learning_rate", "Momentum/momentum"], 0, {
        phase: "update",
      }),
    ],
  },
};

test("the program's own optimizer is read off its graph", () => {
  assert.deepEqual(ownOptimizer(OWN), { name: "Momentum", rate: 0.1, parameters: { momentum: 0.5 }, isProcessed: false });
  assert.equal(ownOptimizer(CHAIN), null);
  const clip = node("clip_by_norm", "Identity", ["gradients/Sin_grad/mul"], -1, { phase: "process" });
  const clipped = { ...OWN, graph: { nodes: [...OWN.graph.nodes, clip] } };
  assert.equal(ownOptimizer(clipped)?.isProcessed, true);
  assert.equal(isProcessedByProgram({ ...FIRST_SETTINGS, name: "own" }, clipped), true);
  assert.equal(isProcessedByProgram(FIRST_SETTINGS, clipped), false); // another optimizer takes gradients as they are
});

test("the program's own optimizer takes a process and a schedule as any other", () => {
  const settings = { ...FIRST_SETTINGS, name: "own", schedule: "cosine_decay", timing: { decay_steps: 9 } };
  assert.deepEqual(requestOf({ ...settings, process: "clip_by_norm" }), {
    process: [{ clip_by_norm: 5 }],
    schedule: { name: "cosine_decay", decay_steps: 9 },
  });
  assert.equal(plainRate(settings, OWN), null);
});

test("of an update and its variant the one is told that is chosen, and both where that is not known", () => {
  const lines = ["v = g", "x = x - v", "x = x - (g + v) \\;\\text{(Nesterov)}"];
  assert.deepEqual(latexOf(lines, { use_nesterov: false }), ["v = g", "x = x - v"]);
  assert.deepEqual(latexOf(lines, { use_nesterov: true }), ["v = g", "x = x - (g + v)"]);
  assert.deepEqual(latexOf(lines, {}), lines);
});

test("the program's own rate is replaced only once it is moved", () => {
  assert.deepEqual(requestOf({ ...FIRST_SETTINGS, name: "own" }), { process: [] });
  assert.deepEqual(requestOf({ ...FIRST_SETTINGS, name: "own", ownRate: 0.2 }), {
    ...{ process: [], optimizer: { learning_rate: 0.2 } },
  });
});

test("only plain gradient descent is told as a product of rate and gradient", () => {
  assert.equal(plainRate(FIRST_SETTINGS, CHAIN), 0.01);
  assert.equal(plainRate({ ...FIRST_SETTINGS, schedule: "cosine_decay" }, CHAIN), null);
  assert.equal(plainRate({ ...FIRST_SETTINGS, name: "Adam" }, CHAIN), null);
  assert.equal(plainRate({ ...FIRST_SETTINGS, name: "own" }, OWN), null);
  assert.equal(plainRate({ ...FIRST_SETTINGS, name: "own" }, sgd(0)), 0.1);
  assert.equal(plainRate({ ...FIRST_SETTINGS, name: "own" }, sgd(0.9)), null);
});

/** A program with an optimizer of Keras. @param {number} momentum */
const sgd = (momentum) => ({
  ...CHAIN,
  graph: {
    nodes: [
      node("SGD/learning_rate", "Const", [], 0.1),
      node("SGD/momentum", "Const", [], momentum),
      node("SGD/update_x/ApplyKerasSGD", "ApplyKerasSGD", ["x", "SGD/learning_rate", "SGD/momentum"], 0, { phase: "update" }),
    ],
  },
});

test("an optimizer of Keras has its name in the catalogue", () => {
  assert.equal(ownOptimizer(sgd(0))?.name, "keras.SGD");
});
