import assert from "node:assert/strict";
import test from "node:test";
import { trialsOf } from "../../../../frontend/layout/background/trials.js";
import { layoutGraph } from "../../../../frontend/layout/layout.js";
import { model, node } from "../programs.js";

/** Scopes in a row, each with so many ops. @param {Record<string, number>} sizes */
function row(sizes) {
  let last = "x";
  const ops = Object.entries(sizes).flatMap(([scope, size]) =>
    Array.from({ length: size }, (_, i) => {
      const own = node(`${scope}/op${i}`, "Relu", [last]);
      last = own.name;
      return own;
    }),
  );
  return layoutGraph(model([node("x", "Placeholder"), ...ops]));
}

test("what holds most is tried first", () => {
  assert.deepEqual(trialsOf(row({ a: 2, b: 5, c: 3 }), new Set()), ["b", "c", "a"]);
});

test("what has just come into sight is tried before what was there, however large that is", () => {
  assert.deepEqual(trialsOf(row({ a: 2, b: 5, c: 3 }), new Set(["b/"])), ["c", "a", "b"]);
});

test("of those that look alike one is tried first: the last of a row has no line that leads on", () => {
  assert.deepEqual(trialsOf(row({ a: 3, b: 3, c: 3, d: 3 }), new Set()), ["a", "d", "b", "c"]);
});
