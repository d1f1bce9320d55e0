import assert from "node:assert/strict";
import { test } from "node:test";

import { opsFound, partsOfDoc } from "../../../frontend/finding/op_search.js";

/** @param {string} name @param {Record<string, string>} names @param {string} [doc] @param {string} [docZh] */
const op = (name, names = {}, doc = "", docZh = "") => /** @type {any} */ ({ name, names, doc, doc_zh: docZh });
const OPS = [
  op("Relu", { tf: "tf.nn.relu", torch: "torch.relu" }, "x where it is positive, else 0.", "x 为正时是 x，否则是 0。"),
  op("Relu6", { tf: "tf.nn.relu6" }),
  op("Sum", { tf: "tf.reduce_sum", numpy: "np.sum" }, "Sum over the axes given.", "沿给定的轴的和。"),
];
const names = (/** @type {string} */ query) => opsFound(OPS, query).map(({ name }) => name);

test("an op is found by its name, by what others call it, and by what it does in either language", () => {
  assert.deepEqual(names("relu"), ["Relu", "Relu6"]);
  assert.deepEqual(names("tf.reduce_sum"), ["Sum"]);
  assert.deepEqual(names("reduce"), ["Sum"]);
  assert.deepEqual(names("positive"), ["Relu"]);
  assert.deepEqual(names("的和"), ["Sum"]);
  assert.deepEqual(names("nothing like it"), []);
  assert.equal(names("").length, 3);
});

test("shapes and source stand apart from what an op does", () => {
  const doc = "x where it is positive, else 0. Shapes: x (*S) -> y (*S). At 0 the gradient is 0.";
  assert.deepEqual(partsOfDoc({ doc, doc_zh: "正" }), {
    says: "x where it is positive, else 0. At 0 the gradient is 0.",
    saysZh: "正",
    shapes: "x (*S) -> y (*S)",
    source: "",
  });
  const long = "Sine of each element.\n\nShapes: x (*S) -> y (*S).\nRange:  [-1, 1].\nSource: Abramowitz & Stegun, 4.3.";
  assert.deepEqual(partsOfDoc({ doc: long, doc_zh: "" }), {
    says: "Sine of each element. Range:  [-1, 1].",
    saysZh: "",
    shapes: "x (*S) -> y (*S)",
    source: "Abramowitz & Stegun, 4.3.",
  });
  const flags = "Matrix product. Shapes (before the flags): a (m, k), b (k, n) -> c (m, n).";
  assert.equal(partsOfDoc({ doc: flags, doc_zh: "" }).shapes, "(before the flags) a (m, k), b (k, n) -> c (m, n)");
});
