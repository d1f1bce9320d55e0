// The levels at which a program can be looked at, and a framework's own nodes in place of TensorFlow's.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isFramework, levelsOf, withNodes } from "../../../frontend/state/levels.js";
import { CHAIN, node } from "../chain.js";

test("a program can be looked at as each framework builds it, a graph file cannot", () => {
  assert.deepEqual(levelsOf("math"), ["mathematics", "tensorflow", "torch", "jax"]);
  assert.deepEqual(levelsOf("torch"), levelsOf("tf2"));
  assert.deepEqual(levelsOf("graph"), ["mathematics", "tensorflow"]);
  assert.deepEqual(["mathematics", "tensorflow", "torch", "jax"].map((each) => isFramework(/** @type {any} */ (each))), [false, false, true, true]); // prettier-ignore
});

test("a gradient arrives where all that comes to its leaf is added up, and nodes have the names of the framework's program", () => {
  const nodes = [
    node("Variable", "VariableV2", [], 3),
    node("AccumulateGrad x", "AccumulateGrad", [], -1.14, { phase: "gradient", of: "Variable" }),
  ];
  const own = withNodes(CHAIN, { nodes, target: "Variable:0", names: { Variable: "x" } });
  assert.deepEqual(own.graph.nodes, nodes);
  assert.equal(own.gradients[0].tensor, "AccumulateGrad x:0");
  assert.deepEqual([own.target, own.bindings[0].name, own.bindings[0].tensor], ["Variable:0", "x", "Variable:0"]);
  const other = withNodes(CHAIN, { nodes: nodes.slice(0, 1), target: "y:0", names: {} });
  assert.deepEqual([other.target, other.gradients[0].tensor], [null, null]);
});
