import assert from "node:assert/strict";
import { test } from "node:test";

import { sortedBy, sortKeyOf } from "../../../frontend/values/sorting.js";

const own = (/** @type {any} */ key) => key;

test("numbers are sorted by size, then texts, and what is blank stays last either way", () => {
  assert.deepEqual(sortedBy([10, null, 9, "b", -1, "a", ""], own, false), [-1, 9, 10, "a", "b", null, ""]);
  assert.deepEqual(sortedBy([10, null, 9, "b", -1, "a"], own, true), [10, 9, -1, "b", "a", null]);
});

test("names are sorted by the numbers in them, and NaN stands after every number", () => {
  assert.deepEqual(sortedBy(["add_10", "add_9", "add"], own, false), ["add", "add_9", "add_10"]);
  assert.deepEqual(sortedBy([NaN, Infinity, 1], own, false), [1, Infinity, NaN]);
});

test("equal rows stay as they stood", () => {
  const rows = [{ op: "B", k: 0 }, { op: "A", k: 1 }, { op: "B", k: 2 }]; // prettier-ignore
  assert.deepEqual(sortedBy(rows, ({ op }) => op, true).map(({ k }) => k), [0, 2, 1]); // prettier-ignore
});

test("a value is sorted by its number, an array by its shape", () => {
  assert.equal(sortKeyOf(-2.5), -2.5);
  assert.equal(sortKeyOf("-inf"), -Infinity);
  assert.equal(sortKeyOf([1, 2]), "(2)");
  assert.equal(sortKeyOf(null, [784, 10]), "(784, 10)");
  assert.equal(sortKeyOf(null), null);
});
