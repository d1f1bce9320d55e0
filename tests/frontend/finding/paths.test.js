import assert from "node:assert/strict";
import { test } from "node:test";

import { pathsBetween, pathsPastFactors } from "../../../frontend/finding/paths.js";
import { CHAIN, node } from "../chain.js";

const { nodes } = CHAIN.graph;

test("one path leads from the variable to y, and its names are told with their scopes", () => {
  const found = pathsBetween(nodes, "x", "Exp");
  assert.deepEqual(found && [...found.names].sort(), ["Exp", "Sin", "x", "x/read"]);
  assert.deepEqual([found?.count, found?.shortest], [1, 3]);
});

test("x enters its own square on two edges, so it reaches it on two paths", () => {
  const square = [node("x", "Placeholder", [], 3), node("y", "Mul", ["x", "x"], 9)];
  assert.equal(pathsBetween(square, "x", "y")?.count, 2);
});

test("paths multiply along a chain of squares, and are counted without walking each", () => {
  const chain = [node("n0", "Placeholder", [], 1)];
  for (let i = 1; i <= 40; i += 1) chain.push(node(`n${i}`, "Mul", [`n${i - 1}`, `n${i - 1}`], 1));
  assert.equal(pathsBetween(chain, "n0", "n40")?.count, 2 ** 40);
  assert.equal(pathsBetween(chain.toReversed(), "n0", "n40")?.count, 2 ** 40); // in whatever order they stand
});

test("no path leads against the edges, and none between strangers", () => {
  assert.equal(pathsBetween(nodes, "Exp", "Sin"), null);
  assert.equal(pathsBetween(nodes, "gradients/Fill", "Sin"), null);
});

test("paths to a scope end at whichever of its nodes they reach", () => {
  const found = pathsBetween(nodes, "gradients/Fill", "gradients/Sin_grad");
  assert.equal(found?.count, 1);
  assert.equal(found?.names.has("gradients/Exp_grad"), true);
});

test("round a loop there are paths without end", () => {
  const loop = [
    node("Enter", "Enter", [], 0),
    node("Merge", "Merge", ["Enter", "Next"], 0),
    node("Next", "NextIteration", ["Merge"], 0),
  ];
  assert.equal(pathsBetween(loop, "Enter", "Merge")?.count, null);
});

test("ten thousand nodes in a row are counted at once", () => {
  const chain = [node("n0", "Placeholder", [], 1)];
  for (let i = 1; i < 10_000; i += 1) chain.push(node(`n${i}`, "Neg", [`n${i - 1}`], 1));
  assert.deepEqual(pathsBetween(chain, "n0", "n9999")?.shortest, 9999);
});

test("at level Mathematics a factor is lit up with its line, and is no edge of its own", () => {
  const part = (
    /** @type {string} */ name,
    /** @type {string[]} */ inputs,
    /** @type {"quantity" | "factor"} */ form = "quantity",
  ) => node(name, "", inputs, 1, { form });
  const nodes = [part("y", []), part("× cos x", ["y"], "factor"), part("x", ["× cos x", "y"]), part("× 2", ["z"], "factor")];
  const found = pathsPastFactors(nodes, "y", "x");
  assert.deepEqual([found?.count, found?.shortest], [2, 1]);
  assert.deepEqual([...(found?.names ?? [])].sort(), ["x", "y", "× cos x"].sort());
});
