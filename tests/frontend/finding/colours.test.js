import assert from "node:assert/strict";
import { test } from "node:test";

import { coloursOf } from "../../../frontend/finding/colours.js";
import { CHAIN, node } from "../chain.js";

const layer = (/** @type {string} */ name, /** @type {string} */ device = "") => [
  node(`${name}/w`, "VariableV2", [], 1, { device }),
  node(`${name}/mul${name.slice(-2)}`, "Mul", [`${name}/w`], 1, { device }),
];

test("by phase nothing has a hue of its own", () => {
  assert.equal(coloursOf(CHAIN.graph.nodes, "phase").hues.size, 0);
});

test("scopes built alike share a hue, whatever number their names end in", () => {
  const nodes = [...layer("dense_0"), ...layer("dense_1"), node("loss/sum", "Sum", [], 1)];
  const { hues, legend } = coloursOf(nodes, "structure");
  assert.deepEqual([...hues.keys()], ["dense_0", "dense_1"]);
  assert.equal(hues.get("dense_0"), hues.get("dense_1"));
  assert.deepEqual(
    legend.map(({ label }) => label),
    ["dense × 2"],
  );
});

test("by device a scope has a hue where all of it runs on one", () => {
  const nodes = [
    ...layer("tower_0", "/device:GPU:0"),
    ...layer("tower_1", "/device:GPU:1"),
    node("both/a", "Add", [], 1, { device: "/device:GPU:0" }),
    node("both/b", "Add", [], 1),
  ];
  const { hues, legend } = coloursOf(nodes, "device");
  assert.notEqual(hues.get("tower_0"), hues.get("tower_1"));
  assert.equal(hues.get("tower_0/w"), hues.get("tower_0"));
  assert.equal(hues.has("both"), false);
  assert.deepEqual(
    legend.map(({ label }) => label),
    ["/device:GPU:0", "/device:GPU:1"],
  );
});
