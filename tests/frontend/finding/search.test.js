import assert from "node:assert/strict";
import { test } from "node:test";

import { search } from "../../../frontend/finding/search.js";
import { CHAIN, node } from "../chain.js";

const names = new Map([["Exp", "y"]]);

/** @param {string} query @param {import("../../../frontend/types.js").ApiNode[]} [nodes] */
const found = (query, nodes = CHAIN.graph.nodes) =>
  search({ nodes, names, valueOf: ({ value }) => value }, query).map(({ name }) => name);

test("a node is found by its name, its op and the learner's own name for it", () => {
  assert.deepEqual(found("cos"), ["gradients/Sin_grad/Cos"]);
  assert.equal(found("identity")[0], "x/read");
  assert.equal(found("y")[0], "Exp");
});

test("the very name comes before names that begin with it, and those before names that hold it", () => {
  assert.deepEqual(found("sin"), ["Sin", "gradients/Sin_grad", "gradients/Sin_grad/Cos", "gradients/Sin_grad/mul"]);
});

test("text between slashes is a regular expression on the full name", () => {
  assert.deepEqual(found("/^grad.*mul$/"), ["gradients/Exp_grad/mul", "gradients/Sin_grad/mul"]);
  assert.deepEqual(found("/(/"), []);
});

test("a condition finds nodes by their values", () => {
  assert.deepEqual(found(">2"), ["x", "x/read"]);
  assert.deepEqual(found("<=-1.14"), ["gradients/Sin_grad/mul"]);
  assert.deepEqual(found("= 1"), ["gradients/Fill"]);
  assert.deepEqual(found("> x"), []);
});

test("one element of a tensor is enough, and NaN and infinity are found by name", () => {
  const tensor = (/** @type {import("../../../frontend/types.js").Data} */ data) => ({ dtype: "float32", shape: [2], data });
  const nodes = [node("a", "Log", [], 0, { value: tensor([1, "nan"]) }), node("b", "Div", [], 0, { value: tensor([3, "-inf"]) })];
  assert.deepEqual(found("=NaN", nodes), ["a"]);
  assert.deepEqual(found("=−∞", nodes), ["b"]);
  assert.deepEqual(found(">2", nodes), ["b"]);
});

test("a part of what is written on a node is found", () => {
  const nodes = [node("factor of x", "", [], 1)];
  const place = { nodes, names: new Map([["factor of x", "× cos x"]]), valueOf: () => 1 };
  assert.deepEqual(
    search(place, "cos").map(({ name }) => name),
    ["factor of x"],
  );
});

test("a value that is not told yet is not found", () => {
  const hidden = { nodes: CHAIN.graph.nodes, names, valueOf: () => undefined };
  assert.deepEqual(search(hidden, ">0"), []);
});

test("an empty query finds nothing", () => {
  assert.deepEqual(found("  "), []);
});
