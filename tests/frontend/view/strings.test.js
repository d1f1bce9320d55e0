import assert from "node:assert/strict";
import test from "node:test";

import { strings } from "../../../frontend/view/strings.js";

test("both languages have the same words, with the same gaps to fill", () => {
  const gaps = (/** @type {Record<string, string>} */ words) =>
    Object.entries(words).map(([key, text]) => `${key} ${(text.match(/\{\w+\}/g) ?? []).sort().join(" ")}`);
  assert.deepEqual(gaps(strings["zh-CN"]), gaps(strings.en));
});
