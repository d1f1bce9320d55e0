import assert from "node:assert/strict";
import { test } from "node:test";

import { FIRST_SETTINGS } from "../../../frontend/runs/optimizers.js";
import { begun, broken, cutAfter, ended, grown, wholeRow } from "../../../frontend/runs/columns.js";
import { valuesAt } from "../../../frontend/runs/continuing.js";
import { partAt } from "../../../frontend/runs/parts.js";
import { pairsAt } from "../../../frontend/runs/updates.js";
import { CHAIN, halvings, linesOf } from "../chain.js";

/** @typedef {import("../../../frontend/types.js").Run} Run */

/** A run taken in line by line. @param {Run | null} before @param {Run} told @param {number} [rows] @param {number | null} [rate] */
function heard(before, told, rows, rate = null) {
  const [header, ...events] = /** @type {any[]} */ (linesOf(told, rows));
  let run = begun(before, header, rate, FIRST_SETTINGS);
  for (const event of events) run = event.type === "chunk" ? grown(run, event) : ended(run, event);
  return run;
}

test("a run is the same in however many pieces it arrives", () => {
  for (const rows of [1, 2, 3, 99]) assert.deepEqual(heard(null, halvings(4), rows), halvings(4));
});

test("a run is cut after the row that is shown", () => {
  const cut = cutAfter({ ...halvings(4), slots: { x: { momentum: [0, 1, 2, 3, 4] } } }, 1);
  assert.deepEqual(cut.steps, [0, 1]);
  assert.deepEqual(cut.variables.x, [3, 1.5]);
  assert.deepEqual(cut.slots, { x: { momentum: [0, 1] } });
});

test("a part that starts where another ends follows it without repeating the row", () => {
  const run = heard(halvings(2), { ...halvings(2, 0.75), stopped_at: { step: 2 } });
  assert.deepEqual(run.steps, [0, 1, 2, 3, 4]);
  assert.deepEqual(run.variables.x, [3, 1.5, 0.75, 0.375, 0.1875]);
  assert.deepEqual(valuesAt(run.variables, 4), { x: 0.1875 });
  assert.equal(run.stopped_at?.step, 4);
});

test("a tensor that only the later part has is blank before, one that it has not got after", () => {
  const before = { ...halvings(1), nodes: { "clip:0": [1, 2] } };
  const run = heard(before, { ...halvings(1), nodes: { "norm:0": [7, 8] }, slots: { x: { momentum: [0, 6] } } });
  assert.deepEqual(run.nodes, { "clip:0": [1, null, null], "norm:0": [null, 7, 8] }); // row 1 is what the later part begins with
  assert.deepEqual(run.slots, { x: { momentum: [null, null, 6] } });
});

test("what is done to a gradient is told as the part does it that makes the update", () => {
  const clipped = heard(halvings(2), { ...halvings(2, 0.75), processed: { x: [0.5, 0.5, 0.375] } });
  assert.deepEqual(clipped.processed, { x: [6, 3, 0.5, 0.5, 0.375] });
  assert.deepEqual(heard(clipped, { ...halvings(1), processed: {} }).processed, { x: [6, 3, 0.5, 0.5, null, null] });
});

test("an optimizer chosen on the way begins with its own state, and hands on what it has", () => {
  const before = heard(null, { ...halvings(1), slots: { x: { m: [0, 5], v: [0, 7] } } });
  const run = heard(before, { ...halvings(1, 1.5), slots: { x: { m: [0, 6] } } });
  assert.deepEqual(pairsAt(run, 1)[0].slots, [
    { name: "m", before: 0, after: 5 },
    { name: "v", before: 0, after: 7 },
  ]);
  assert.deepEqual(pairsAt(run, 2)[0].slots, [{ name: "m", before: 0, after: 6 }]);
  assert.deepEqual(valuesAt(run.slots.x, 2), { m: 6 });
});

test("a run that goes on where it had come to rest did so at its first step there", () => {
  const rested = (/** @type {number} */ step) => ({ ...halvings(2), status: "converged", stopped_at: { step } });
  const run = heard(rested(1), rested(0));
  assert.equal(run.stopped_at?.step, 1);
  assert.equal(heard(cutAfter(run, 3), rested(1)).stopped_at?.step, 4);
  assert.equal(heard(cutAfter(rested(2), 1), rested(0)).stopped_at?.step, 1);
});

test("each row knows the part that led to it", () => {
  const run = heard(heard(null, halvings(2), 9, 0.25), halvings(2), 9, 0.5);
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((row) => partAt(run, row).rate),
    [0.25, 0.25, 0.25, 0.5, 0.5],
  );
  assert.equal(cutAfter(run, 2).parts.length, 1);
});

test("a run that is broken off keeps the rows from which it can go on", () => {
  const [header, chunk] = /** @type {any[]} */ (linesOf(halvings(4), 9));
  const run = grown(begun(null, header, null, FIRST_SETTINGS), { ...chunk, variables: { x: [3, null, 0.75, null, null] } });
  assert.equal(wholeRow(run, 3), 2);
  assert.deepEqual(broken(run).steps, [0, 1, 2]);
  assert.equal(broken(run).status, "cancelled");
});

test("a run begins without any row", () => {
  const run = begun(null, { type: "header", id: "r_1", program: CHAIN, rows: 5 }, null, FIRST_SETTINGS);
  assert.deepEqual([run.steps, run.status, run.variables], [[], "running", {}]);
});
