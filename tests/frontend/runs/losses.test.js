import assert from "node:assert/strict";
import { test } from "node:test";

import { endOfNumbers, finiteOnly, standingAlone } from "../../../frontend/runs/losses.js";

test("a number between what is none stands alone", () => {
  assert.deepEqual(standingAlone(finiteOnly([-2.996, "nan"])), [0]);
  assert.deepEqual(standingAlone(finiteOnly([4, 1, "inf", 2, "nan", 3])), [3, 5]);
  assert.deepEqual(standingAlone(finiteOnly([9])), [0]);
  assert.deepEqual(standingAlone([]), []);
});

test("numbers end at the first row that is not finite, under its name", () => {
  assert.deepEqual(endOfNumbers([4, 1, "-inf", "nan"]), { row: 2, text: "−∞" });
  assert.equal(endOfNumbers([4, 1]), null);
});
