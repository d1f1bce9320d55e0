// Remembered: results are made once for each key, and the oldest are forgotten.

import assert from "node:assert/strict";
import test from "node:test";

import { remembered } from "../../../../frontend/layout/grid/remembered.js";

test("what is asked for again is not made again, until it is forgotten", () => {
  /** @type {string[]} */
  const made = [];
  const upper = remembered(2);
  const ask = (/** @type {string} */ key) => upper(key, () => (made.push(key), key.toUpperCase()));
  assert.deepEqual(["a", "b", "a", "b"].map(ask), ["A", "B", "A", "B"]);
  assert.deepEqual(made, ["a", "b"]);
  assert.equal(ask("c"), "C");
  assert.equal(ask("b"), "B");
  assert.equal(ask("a"), "A");
  assert.deepEqual(made, ["a", "b", "c", "a"]);
});
