import assert from "node:assert/strict";
import test from "node:test";

import { repeatsIn } from "../../../../frontend/layout/lines/repeats.js";

/** @param {number} x @param {number} y */
const at = (x, y) => ({ x, y });

test("the same piece again is a repeat, another from the same place is none", () => {
  const repeats = repeatsIn(false);
  assert.equal(repeats(at(0, 0), at(10, 5)), false);
  assert.equal(repeats(at(0, 0), at(10, 6)), false);
  assert.equal(repeats(at(0, 0), at(10, 5)), true);
});

test("a part of a level piece is a repeat, what reaches beyond it is none", () => {
  const repeats = repeatsIn(false);
  assert.equal(repeats(at(0, 5), at(100, 5)), false);
  assert.equal(repeats(at(40, 5), at(100, 5)), true);
  assert.equal(repeats(at(100, 5), at(40, 5)), true);
  assert.equal(repeats(at(40, 5), at(101, 5)), false);
  assert.equal(repeats(at(40, 6), at(100, 6)), false);
});

test("in an upright drawing the flow runs along y", () => {
  const repeats = repeatsIn(true);
  repeats(at(5, 0), at(5, 100));
  assert.equal(repeats(at(5, 40), at(5, 100)), true);
});
