import assert from "node:assert/strict";
import { test } from "node:test";

import { csvOf } from "../../../frontend/values/csv.js";

/** The text without the mark that it begins with. @param {readonly (readonly unknown[])[]} rows */
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
