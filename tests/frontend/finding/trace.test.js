import assert from "node:assert/strict";
import { test } from "node:test";

import { readersOf, traced } from "../../../frontend/finding/trace.js";
import { CHAIN } from "../chain.js";

const { nodes } = CHAIN.graph;

test("upstream of Exp are Sin and the variable with its scope", () => {
  assert.deepEqual([...traced(nodes, "Exp", "upstream")].sort(), ["Exp", "Sin", "x", "x/read"]);
});

test("downstream of the seed is all that the gradient becomes", () => {
  assert.deepEqual([...traced(nodes, "gradients/Fill", "downstream")].sort(), [
    "gradients",
    "gradients/Exp_grad",
    "gradients/Exp_grad/mul",
    "gradients/Fill",
    "gradients/Sin_grad",
    "gradients/Sin_grad/mul",
  ]);
});

test("a scope's trace is that of all its nodes", () => {
  const trace = traced(nodes, "gradients/Sin_grad", "upstream");
  assert.equal(trace.has("x"), true); // Cos reads x/read
  assert.equal(trace.has("Exp"), true); // mul reads what Exp_grad made of Exp
});

test("a node is read by those that name it among their inputs", () => {
  assert.deepEqual(readersOf(nodes).get("x/read"), ["Sin", "gradients/Sin_grad/Cos"]);
});
