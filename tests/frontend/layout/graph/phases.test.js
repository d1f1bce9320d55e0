import assert from "node:assert/strict";
import { test } from "node:test";

import { withForward } from "../../../../frontend/layout/graph/phases.js";
import { CHAIN, node } from "../../chain.js";

const after = /** @type {const} */ ({ phase: "after" });

test("what a later call differentiates is forward, with all that it is computed from", () => {
  const nodes = [
    ...CHAIN.graph.nodes,
    node("tower_1/mul", "Mul", ["x/read"], 1, after),
    node("tower_1/Square", "Square", ["tower_1/mul"], 1, after),
    node("tower_1/gradients/Square_grad/Mul", "Mul", ["tower_1/mul"], 1, { phase: "gradient", of: "tower_1/Square" }),
    node("report", "Abs", ["Exp"], 1, after),
  ];
  const phases = Object.fromEntries(withForward(nodes).map(({ name, phase }) => [name, phase]));
  assert.equal(phases["tower_1/Square"], "forward");
  assert.equal(phases["tower_1/mul"], "forward");
  assert.equal(phases.report, "after");
});

test("with one gradient call the list stays as it is", () => {
  assert.equal(withForward(CHAIN.graph.nodes), CHAIN.graph.nodes);
  const nodes = [...CHAIN.graph.nodes, node("report", "Abs", ["Exp"], 1, after)];
  assert.equal(withForward(nodes), nodes);
});
