import assert from "node:assert/strict";
import { test } from "node:test";

import { breakable, rowsOf } from "../../../frontend/values/latex.js";

test("aligned equations are taken apart at the ends of their rows", () => {
  assert.deepEqual(rowsOf(String.raw`\begin{aligned} & a = b \\ & c &= d \end{aligned}`), ["a = b", "c = d"]);
});

test("rows and columns inside of a row stay", () => {
  const inner = String.raw`\begin{cases} 1 & x > 0 \\ 0 & x \le 0 \end{cases}`;
  assert.deepEqual(rowsOf(String.raw`\begin{aligned} & f = ${inner} \\ & g = a \& b \end{aligned}`), [
    `f = ${inner}`,
    String.raw`g = a \& b`,
  ]);
});

test("any other formula is one row", () => {
  assert.deepEqual(rowsOf(String.raw`\frac{a}{b} = c`), [String.raw`\frac{a}{b} = c`]);
  const matrix = String.raw`\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}`;
  assert.deepEqual(rowsOf(matrix), [matrix]);
});

test("a line may end between two factors", () => {
  assert.equal(breakable(String.raw`a\; b\, c = d`), String.raw`a\;\allowbreak b\, c = d`);
});
