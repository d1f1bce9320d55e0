import assert from "node:assert/strict";
import test from "node:test";

import { tracksOf } from "../../../../frontend/layout/lines/tracks.js";

test("lines that overlap get tracks of their own, lines of one net share", () => {
  const spans = [
    { net: "a", low: 0, high: 50 },
    { net: "b", low: 40, high: 90 },
    { net: "c", low: 60, high: 80 },
    { net: "a", low: 10, high: 30 },
  ];
  const { tracks, count } = tracksOf(spans);
  assert.equal(count, 2);
  assert.deepEqual([tracks.get("a"), tracks.get("b"), tracks.get("c")], [0, 1, 0]);
});

test("of two nets that turn at one height, the one that turns left keeps left", () => {
  const upper = { net: "upper", low: 0, high: 60, right: [60] };
  const lower = { net: "lower", low: 59, high: 90, left: [59] };
  for (const spans of [
    [upper, lower],
    [lower, upper],
  ]) {
    const { tracks, count } = tracksOf(spans);
    assert.equal(count, 2);
    assert.deepEqual([tracks.get("lower"), tracks.get("upper")], [0, 1]);
  }
});

test("nets that would each have to keep left of the other get tracks all the same", () => {
  const a = { net: "a", low: 0, high: 50, left: [0], right: [50] };
  const b = { net: "b", low: 0, high: 50, left: [50], right: [0] };
  const { tracks, count } = tracksOf([a, b]);
  assert.equal(count, 2);
  assert.deepEqual([...tracks.values()].sort(), [0, 1]);
});
