import assert from "node:assert/strict";
import { test } from "node:test";

import { outlineOf } from "../../../frontend/finding/outline.js";
import { CHAIN } from "../chain.js";

/** @param {...string} open */
const rows = (...open) =>
  outlineOf(CHAIN.graph.nodes, new Set(open)).map(({ level, label }) => `${"  ".repeat(level - 1)}${label}`);

test("closed, the outline has the outermost scopes and nodes in program order", () => {
  assert.deepEqual(rows(), ["x", "Sin", "Exp", "gradients"]);
});

test("an open scope shows what it holds, its own op first", () => {
  assert.deepEqual(rows("x", "gradients", "gradients/Sin_grad"), [
    "x",
    "  (x)",
    "  read",
    "Sin",
    "Exp",
    "gradients",
    "  Fill",
    "  Exp_grad",
    "  Sin_grad",
    "    Cos",
    "    mul",
  ]);
});
