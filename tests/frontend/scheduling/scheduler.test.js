import assert from "node:assert/strict";
import { test } from "node:test";

import { atOnce, each, schedule } from "../../../frontend/scheduling/scheduler.js";

/** Two stages and a result. @param {string[]} done @param {number} [lasting] ms that the first stage takes */
function* sum(done, lasting = 0) {
  done.push("first");
  for (const end = performance.now() + lasting; performance.now() < end;);
  yield;
  done.push("second");
  return 3;
}

test("stages done at once give their result", () => {
  assert.equal(atOnce(sum([])), 3);
});

test("a long list is gone through in stages, in its order", () => {
  const list = Array.from({ length: 5000 }, (_, i) => i);
  /** @type {number[]} */
  const seen = [];
  const stages = [...each(list, (i) => void seen.push(i))];
  assert.equal(stages.length, 2);
  assert.deepEqual(seen, list);
});

test("short stages are done within the call", () => {
  /** @type {number[]} */
  const results = [];
  schedule(
    sum([]),
    (result) => results.push(result),
    () => true,
  );
  assert.deepEqual(results, [3]);
});

test("after a long stage the next one waits for a turn of its own", async () => {
  /** @type {string[]} */
  const done = [];
  const result = new Promise((ready) => schedule(sum(done, 20), ready, () => true));
  assert.deepEqual(done, ["first"]);
  assert.equal(await result, 3);
  assert.deepEqual(done, ["first", "second"]);
});

test("outdated work ends before its next stage", async () => {
  /** @type {string[]} */
  const done = [];
  let wanted = true;
  schedule(
    sum(done, 20),
    () => assert.fail("it is outdated"),
    () => wanted,
  );
  wanted = false;
  await new Promise((later) => setTimeout(later, 10));
  assert.deepEqual(done, ["first"]);
});

test("a longer stretch is allowed where nobody waits", () => {
  /** @type {number[]} */
  const results = [];
  schedule(
    sum([], 20),
    (result) => results.push(result),
    () => true,
    10_000,
  );
  assert.deepEqual(results, [3]);
});
