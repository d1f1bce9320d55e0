import assert from "node:assert/strict";
import { test } from "node:test";

import { withoutOps } from "../../../frontend/finding/hiding.js";
import { CHAIN, node } from "../chain.js";

const { nodes } = CHAIN.graph;
const inputsOf = (/** @type {readonly {name: string, inputs: readonly string[]}[]} */ drawn) =>
  Object.fromEntries(drawn.map(({ name, inputs }) => [name, [...inputs]]));

test("without hidden kinds the very same list is drawn", () => {
  assert.equal(withoutOps(nodes, new Set(["Softmax"])), nodes);
});

test("what read a hidden node reads what that node read", () => {
  const drawn = withoutOps(nodes, new Set(["Identity", "Sin"]));
  assert.deepEqual(inputsOf(drawn).Exp, ["x"]);
  assert.deepEqual(inputsOf(drawn)["gradients/Sin_grad/Cos"], ["x"]);
  assert.equal(
    drawn.some(({ op }) => op === "Identity"),
    false,
  );
});

test("both edges of x · x stay when the read between is hidden", () => {
  const square = [node("x", "VariableV2", [], 3), node("r", "Identity", ["x"], 3), node("y", "Mul", ["r", "r"], 9)];
  assert.deepEqual(inputsOf(withoutOps(square, new Set(["Identity"]))).y, ["x", "x"]);
});

test("who waited for a hidden node waits for what it waited for", () => {
  const group = [
    node("a", "AssignAdd", [], 1),
    node("b", "NoOp", [], 0, { control_inputs: ["a"] }),
    node("c", "Identity", [], 0, { control_inputs: ["b"] }),
  ];
  assert.deepEqual(withoutOps(group, new Set(["NoOp"])).at(-1)?.control_inputs, ["a"]);
});

test("hiding a chain of squares does not swell", () => {
  const chain = [node("n0", "Placeholder", [], 1)];
  for (let i = 1; i <= 60; i += 1) chain.push(node(`n${i}`, "Mul", [`n${i - 1}`, `n${i - 1}`], 1));
  chain.push(node("y", "Neg", ["n60"], 1));
  assert.deepEqual(inputsOf(withoutOps(chain, new Set(["Mul"]))).y, ["n0"]);
});
