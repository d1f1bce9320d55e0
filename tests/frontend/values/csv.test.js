import assert from "node:assert/strict";
import { test } from "node:test";

import { cellOf, csvOf, rowsOfTensor, tsvOf } from "../../../frontend/values/csv.js";

test("a text that a spreadsheet would take for a formula has an apostrophe before it", () => {
  for (const text of ["=1+1", "+x", "-x", "@SUM(A1)", "＝1", " =1", "\t=1"])
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

/** The text without the mark that it begins with. @param {any[][]} rows */
const plain = (rows) => csvOf(rows).replace("\ufeff", "");

test("cells stand between commas, rows on lines of their own, and what is not known is empty", () => {
  assert.equal(
    plain([
      ["step", "loss"],
      [0, 9],
      [1, null],
    ]),
    "step,loss\r\n0,9\r\n1,\r\n",
  );
});

test("a number has every digit and its sign", () => {
  assert.equal(plain([[-0.1411200080598672, 1e-7]]), "-0.1411200080598672,1e-7\r\n");
});

test("a comma, a quotation mark or a new line is inside of quotation marks", () => {
  assert.equal(plain([["[1, 2]", 'a "b"', "c\nd"]]), '"[1, 2]","a ""b""","c\nd"\r\n');
});

test("a text that a spreadsheet would compute is a text there, too", () => {
  assert.equal(plain([["=1+1", "-x", "@a", "-2.5"]]), "'=1+1,'-x,'@a,-2.5\r\n");
});
