import assert from "node:assert/strict";
import { test } from "node:test";

import { cellOf, csvOf, rowsOfTensor, tsvOf } from "../../../frontend/values/csv.js";

test("a text that a spreadsheet would take for a formula has an apostrophe before it", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", " =1", "\t=1"])
    assert.ok(
      tsvOf([[text]])
        .replaceAll('"', "")
        .startsWith("'"),
      text,
    );
  assert.equal(csvOf([["y = 2"]]), "\ufeffy = 2\r\n");
});

test("a number is written as a number, with every digit and its sign", () => {
  assert.equal(csvOf([[-1.1402845, 0.1, 1e-30, true, null]]), "\ufeff-1.1402845,0.1,1e-30,true,\r\n");
});

test("a cell with a comma, a quote or a line break is quoted, and its quotes are doubled", () => {
  assert.equal(csvOf([["a,b", 'say "x"', "two\nlines"]]), '\ufeff"a,b","say ""x""","two\nlines"\r\n');
  assert.equal(tsvOf([["a,b", "a\tb"]]), 'a,b\t"a\tb"\n');
});

test("a tensor has a row for each place along all axes but the last", () => {
  assert.deepEqual(rowsOfTensor(5), [[5]]);
  assert.deepEqual(rowsOfTensor([1, 2]), [[1, 2]]);
  assert.deepEqual(rowsOfTensor([[1, 2], [3, 4]]), [[0, 1, 2], [1, 3, 4]]); // prettier-ignore
  assert.deepEqual(rowsOfTensor([[[1], [2]]]), [[0, 0, 1], [0, 1, 2]]); // prettier-ignore
});

test("lists stand in one cell as JSON", () => {
  assert.equal(cellOf([[1, "nan"]]), '[[1,"nan"]]');
  assert.equal(cellOf(undefined), null);
});
