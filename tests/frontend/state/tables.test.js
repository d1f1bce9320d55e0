import assert from "node:assert/strict";
import { test } from "node:test";

import { areTableLooks, lookOfTable, sortedAgain, withTable } from "../../../frontend/state/tables.js";

test("a heading sorts upwards, then downwards, then not at all", () => {
  let look = lookOfTable({ tables: {} }, "nodes");
  const press = () => (look = { ...look, ...sortedAgain(look, "value") });
  assert.deepEqual([press(), press(), press()].map(({ sort, isDown }) => [sort, isDown]), [["value", false], ["value", true], [null, false]]); // prettier-ignore
});

test("each table is looked at in its own way", () => {
  const now = { tables: {}, ...withTable({ tables: {} }, "nodes", { filter: "sin" }) };
  assert.equal(lookOfTable(now, "nodes").filter, "sin");
  assert.equal(lookOfTable(now, "pairs").filter, "");
});

test("of a link only what is like the look of tables is taken", () => {
  assert.ok(areTableLooks({ nodes: { sort: "op", isDown: true, filter: "" } }));
  for (const value of [null, [], 3, { nodes: 3 }, { nodes: { sort: 3, isDown: true, filter: "" } }, { nodes: null }])
    assert.ok(!areTableLooks(value), JSON.stringify(value));
});
