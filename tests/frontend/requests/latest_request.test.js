import assert from "node:assert/strict";
import { test } from "node:test";

import { LatestRequest } from "../../../frontend/requests/latest_request.js";

/** A question whose answer comes when it is asked to. */
function held() {
  /** @type {AbortSignal[]} */
  const signals = [];
  /** @type {(answer: unknown) => void} */
  let answer = () => {};
  const ask = (/** @type {AbortSignal} */ signal) => {
    signals.push(signal);
    return new Promise((done) => (answer = done));
  };
  return { ask, signals, answer: (/** @type {unknown} */ value) => answer(value) };
}

test("a request is under way until its answer has come", async () => {
  const request = new LatestRequest();
  const { ask, answer } = held();
  const coming = request.start(ask, "sin");
  assert.deepEqual([request.isUnderWay, request.about], [true, "sin"]);
  answer(0.1411);
  assert.equal(await coming, 0.1411);
  assert.deepEqual([request.isUnderWay, request.about], [false, undefined]);
});

test("another request aborts the one before, whose late answer changes nothing", async () => {
  const request = new LatestRequest();
  const [first, second] = [held(), held()];
  const late = request.start(first.ask, 1);
  void request.start(second.ask, 2);
  assert.deepEqual([first.signals[0].aborted, second.signals[0].aborted], [true, false]);
  first.answer("late");
  await late;
  assert.deepEqual([request.isUnderWay, request.about], [true, 2]);
});

test("a request that fails is over, and says so", async () => {
  const request = new LatestRequest();
  await assert.rejects(request.start(() => Promise.reject(new Error("no answer"))));
  assert.equal(request.isUnderWay, false);
  await request.over;
});

test("of requests that wait for a pause only the last is made", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const request = new LatestRequest();
  const [first, second] = [held(), held()];
  request.startAfter(200, first.ask);
  context.mock.timers.tick(150);
  request.startAfter(200, second.ask);
  context.mock.timers.tick(150);
  assert.deepEqual([request.isWaiting, request.isUnderWay], [true, false]);
  context.mock.timers.tick(50);
  assert.deepEqual([request.isWaiting, request.isUnderWay], [false, true]);
  assert.deepEqual([first.signals.length, second.signals.length], [0, 1]);
});

test("what is given up is neither waited for nor made", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const request = new LatestRequest();
  const { ask, signals } = held();
  request.startAfter(200, ask);
  const next = request.abort();
  context.mock.timers.tick(1000);
  assert.deepEqual([signals.length, request.isWaiting, next.aborted], [0, false, false]);
});
