import assert from "node:assert/strict";
import test from "node:test";

import { stretchesOf } from "../../../frontend/values/printed.js";

const kinds = (/** @type {string[]} */ ...lines) => stretchesOf(lines).map(({ aligned, text }) => [aligned, text]);

test("the rows of an array keep their columns, what stands about them is wrapped", () => {
  assert.deepEqual(kinds("loss 0.25", "tensor([[1., 2.],", "        [3., 4.]])", "done"), [
    [false, "loss 0.25\n"],
    [true, "tensor([[1., 2.],\n        [3., 4.]])\n"],
    [false, "done\n"],
  ]);
});

test("an array in one line is wrapped, a table is not", () => {
  assert.deepEqual(kinds("[1. 2. 3.]"), [[false, "[1. 2. 3.]\n"]]);
  assert.deepEqual(kinds("   a  b", "0  1  2"), [[true, "   a  b\n0  1  2\n"]]);
});

test("an empty line between two matrices is part of the array, a bracket in prose reaches no farther than its line", () => {
  assert.deepEqual(kinds("[[[1]]", "", " [[2]]]"), [[true, "[[[1]]\n\n [[2]]]\n"]]);
  assert.deepEqual(kinds("x in [0, 1)", "y"), [
    [true, "x in [0, 1)\n"],
    [false, "y\n"],
  ]);
});
