import assert from "node:assert/strict";
import { test } from "node:test";

import { misfit, regularShape, shapeText, typedTensor } from "../../../frontend/values/typed_tensor.js";

test("a number, a list with commas, and lists within brackets are read", () => {
  assert.equal(typedTensor("2/3"), 2 / 3);
  assert.deepEqual(typedTensor("1, −2, 3e2"), [1, -2, 300]);
  assert.deepEqual(typedTensor("[[1, 2],\n [3, pi]]"), [[1, 2], [3, Math.PI]]); // prettier-ignore
  assert.deepEqual(typedTensor("【1，2】"), [1, 2]);
});

test("pasted rows are read, whatever separates their cells, and a heading is left out", () => {
  const rows = [[1, 2], [3, 4]]; // prettier-ignore
  for (const text of ["1,2\n3,4", "1\t2\r\n3\t4\n", "1;2\n3;4", "1 2\n3 4", "x,y\n1,2\n3,4", '"1","2"\n3,4'])
    assert.deepEqual(typedTensor(text), rows, text);
  assert.deepEqual(typedTensor("1\n2\n3"), [1, 2, 3]); // one column is a list
});

test("what is no number, rows of different lengths and open brackets are refused", () => {
  for (const text of ["", "a", "1,a", "1,2\n3", "[[1,2],[3]]", "[1,[2]]", "[1,2", "[1,2]]", "[1 2]", "alert(1)", "1,,2"])
    assert.equal(typedTensor(text), null, text);
  assert.equal(typedTensor("[".repeat(100) + "]".repeat(100)), null);
});

test("the shape of nested lists is known where it is the same everywhere", () => {
  assert.deepEqual(regularShape([[[1], [2]]]), [1, 2, 1]);
  assert.equal(regularShape([[1], 2]), null);
  assert.equal(shapeText([null, 2]), "(?, 2)");
  assert.equal(shapeText([3]), "(3,)");
});

test("a value that does not fit a placeholder is refused with the reason", () => {
  assert.equal(misfit([[1, 2]], "float32", [null, 2]), null);
  assert.equal(misfit(3, "float32", null), null);
  assert.deepEqual(misfit([1, 2, 3], "float32", [null, 2]), {
    key: "fields.wrong_shape",
    params: { wanted: "(?, 2)", given: "(3,)" },
  });
  assert.equal(misfit([1, 2.5], "int32", [2])?.key, "fields.not_whole");
  assert.equal(misfit([1, 2], "bool", [2])?.key, "fields.no_bool");
});
