import assert from "node:assert/strict";
import { test } from "node:test";

import { lazy } from "../../../frontend/values/lazy.js";

test("a lazy value is made once, when it is asked for", () => {
  let made = 0;
  const value = lazy(() => {
    made += 1;
    return null; // which is a value too
  });
  assert.equal(made, 0);
  assert.deepEqual([value(), value(), made], [null, null, 1]);
});
