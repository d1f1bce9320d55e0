import assert from "node:assert/strict";
import test from "node:test";

import { closedUp } from "../../../../frontend/layout/rows/closing_up.js";

test("of 100 px of blank 30 stay, and of 20 all; what stands in a span keeps its distances", () => {
  const close = closedUp([
    { low: 200, high: 240 },
    { low: 0, high: 50 },
    { low: 70, high: 100 },
  ]);
  assert.deepEqual([0, 50, 70, 100, 200, 240, 300].map(close), [0, 50, 70, 100, 130, 170, 230]);
  assert.equal(close(150), 115); // half-way through the blank, before and after
});
