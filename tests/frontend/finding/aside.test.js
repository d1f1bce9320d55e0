import assert from "node:assert/strict";
import { test } from "node:test";

import { setAside, withoutNodes } from "../../../frontend/finding/aside.js";
import { node } from "../chain.js";

const many = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => node(`v${i}/Assign`, "Assign", [], 0));
const names = (/** @type {readonly {name: string}[]} */ nodes) => nodes.map(({ name }) => name);
const gathering = (/** @type {string} */ name, /** @type {"after" | "update"} */ phase) =>
  node(name, "NoOp", [], 0, { phase, control_inputs: names(many(20)) });

test("in a large graph what only waits for many is set aside, the train op never", () => {
  const nodes = [...many(60), gathering("train", "update"), gathering("init", "after")];
  const aside = setAside(nodes, new Set());
  assert.deepEqual(names(aside), ["init"]);
  assert.equal(names(withoutNodes(nodes, aside)).includes("init"), false);
  assert.equal(names(withoutNodes(nodes, aside)).length, nodes.length - 1);
});

test("it is brought back by name", () => {
  const nodes = [...many(60), gathering("init", "after")];
  assert.deepEqual(setAside(nodes, new Set(["init"])), []);
});

test("in a small graph everything is drawn, as the very same list", () => {
  const nodes = [...many(20), gathering("init", "after")];
  assert.deepEqual(setAside(nodes, new Set()), []);
  assert.equal(withoutNodes(nodes, []), nodes);
});
