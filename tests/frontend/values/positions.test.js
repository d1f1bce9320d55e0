import assert from "node:assert/strict";
import { test } from "node:test";

import { rangeOf } from "../../../frontend/values/positions.js";

test("lines and columns count from 1, offsets from 0", () => {
  assert.deepEqual(rangeOf("y = sinn(x)", { line: 1, column: 5, end_line: 1, end_column: 9 }), [4, 8]);
  assert.deepEqual(rangeOf("a = 1\nb = c", { line: 2, column: 5, end_line: 2, end_column: 6 }), [10, 11]);
});

test("columns count code points, of which an editor may need two places each", () => {
  assert.deepEqual(rangeOf("𝑥 = q", { line: 1, column: 5, end_line: 1, end_column: 6 }), [5, 6]);
});

test("an empty place is widened so that it can be seen", () => {
  assert.deepEqual(rangeOf("ab", { line: 1, column: 1, end_line: 1, end_column: 1 }), [0, 1]);
  assert.deepEqual(rangeOf("ab", { line: 1, column: 3, end_line: 1, end_column: 3 }), [1, 2]);
});

test("a place without a line marks nothing", () => {
  assert.equal(rangeOf("ab", { line: null, column: null }), null);
});
