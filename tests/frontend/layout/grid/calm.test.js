// slow: lays out every recorded program, so `make check` leaves it out.

// Calm: opening a scope moves nothing else farther than the scope grew, and changes no order.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";
import { scopesToOpen } from "../../../../frontend/layout/graph/scopes.js";
import { layoutGraph } from "../../../../frontend/layout/layout.js";
import { excessOf, reordered } from "../calmness.js";
import { recorded } from "../programs.js";

const recordings = readdirSync(new URL("../../../data/tensorflow/", import.meta.url))
  .filter((file) => file.endsWith(".json") && !file.startsWith("tape-"))
  .map((file) => file.replace(".json", ""));

/** @param {number[]} values @param {number} part */
const quantile = (values, part) => values.sort((a, b) => a - b)[Math.floor((values.length - 1) * part)];

for (const merged of [false, true]) {
  test(`opening any scope of ${recordings.length} programs moves little else, merged: ${merged}`, (t) => {
    /** @type {number[]} */
    const moves = [];
    for (const id of recordings) {
      const base = recorded(id);
      const open = new Set(scopesToOpen(base.nodes));
      const model = { ...base, open, merged };
      const before = layoutGraph(model);
      for (const scope of before.items.filter((item) => item.kind === "scope" && !item.open)) {
        const after = layoutGraph({ ...model, open: new Set([...open, scope.name]) });
        moves.push(excessOf(before, after, scope.id));
        assert.equal(reordered(before, after), null, `${id}, ${scope.name} opened`);
      }
    }
    const [most, nearly, worst] = [0.5, 0.9, 1].map((part) => quantile(moves, part));
    t.diagnostic(
      `${moves.length} openings; beyond the growth: median ${most.toFixed(0)} px, nine in ten within ${nearly.toFixed(0)} px, worst ${worst.toFixed(0)} px`,
    );
    assert.ok(moves.length > 400);
    assert.ok(most < 1 && nearly < 20 && worst < 250);
  });
}
