// The levels at which a program can be looked at, and its own framework's nodes in place of TensorFlow's.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isFramework, levelsOf, withNodes } from "../../../frontend/state/levels.js";
import { CHAIN, node } from "../chain.js";

test("a program of PyTorch has a level more", () => {
  assert.deepEqual(levelsOf("torch"), ["mathematics", "torch", "tensorflow"]);
  assert.deepEqual(levelsOf("tf2"), ["mathematics", "tensorflow"]);
  assert.deepEqual(["mathematics", "tensorflow", "torch", "jax"].map((each) => isFramework(/** @type {any} */ (each))), [false, false, true, true]); // prettier-ignore
});

test("gradients arrive in the leaf's grad, where the framework has one", () => {
  const nodes = [node("x", "VariableV2", [], 3), node("AccumulateGrad x", "AccumulateGrad", [], -1.14, { phase: "gradient", of: "x" })];
  const own = withNodes(CHAIN, nodes);
  assert.deepEqual(own.graph.nodes, nodes);
  assert.equal(own.gradients[0].tensor, "AccumulateGrad x:0");
  assert.equal(withNodes(CHAIN, nodes.slice(0, 1)).gradients[0].tensor, null);
});
