import assert from "node:assert/strict";
import { test } from "node:test";

import { piecesOf, TERMS } from "../../../frontend/i18n/terms.js";

test("both languages explain the same terms", () => {
  assert.deepEqual(Object.keys(TERMS.en).sort(), Object.keys(TERMS["zh-CN"]).sort());
});

test("a term is found in a sentence, the longest that fits, and the sentence stays as it was", () => {
  const sentence = "By the chain rule the upstream gradient is multiplied by the local derivative.";
  const pieces = piecesOf(sentence, "en");
  assert.deepEqual(
    pieces.flatMap(({ key }) => key ?? []),
    ["chain", "upstream", "local"],
  );
  assert.equal(pieces.map(({ text }) => text).join(""), sentence);
  assert.deepEqual(
    piecesOf("上游梯度乘以局部导数", "zh-CN").flatMap(({ key }) => key ?? []),
    ["upstream", "local"],
  );
});

test("a part of another word is no term", () => {
  assert.deepEqual(
    piecesOf("tf.gradients and seeds", "en").map(({ key }) => key),
    [null],
  );
});
