import assert from "node:assert/strict";
import test from "node:test";
import { scopesToOpen } from "../../../frontend/layout/graph/scopes.js";
import { isotonic } from "../../../frontend/layout/grid/coordinates.js";
import { crossings, fewCrossings } from "../../../frontend/layout/grid/order.js";
import { inFlowOrder, ranksOf } from "../../../frontend/layout/grid/ranks.js";
import { derivativeLabel } from "../../../frontend/layout/items/labels.js";
import { layoutGraph } from "../../../frontend/layout/layout.js";
import { neighbour } from "../../../frontend/layout/scene/neighbours.js";
import { sameDrawing } from "../../../frontend/layout/scene/same.js";
import { expSin, square } from "./programs.js";

const arc = (/** @type {string} */ text) => ({ from: text[0], to: text[1] });

test("a rank is the longest way from a source", () => {
  const ranks = ranksOf(["a", "b", "c"], ["ab", "bc", "ac"].map(arc));
  assert.deepEqual([...ranks.values()], [0, 1, 2]);
});

test("a source stands right before its first reader", () => {
  const ranks = ranksOf(["x", "p", "q", "b"], ["xp", "pq", "bq"].map(arc));
  assert.equal(ranks.get("b"), 1); // q has rank 2
});

test("in a circle, program order decides who goes first", () => {
  assert.deepEqual(inFlowOrder(["a", "b"], ["ab", "ba"].map(arc)), ["a", "b"]);
  assert.deepEqual([...ranksOf(["a", "b"], ["ab", "ba"].map(arc)).values()], [0, 1]);
});

test("two crossing lines are uncrossed", () => {
  const hops = /** @type {Array<[number, number]>} */ ([
    [0, 3],
    [1, 2],
  ]);
  assert.equal(
    crossings(
      [
        [0, 1],
        [2, 3],
      ],
      hops,
    ),
    1,
  );
  assert.equal(
    crossings(
      fewCrossings({
        columns: [
          [0, 1],
          [2, 3],
        ],
        hops,
      }),
      hops,
    ),
    0,
  );
});

test("isotonic regression pools what is out of order", () => {
  const fitted = (/** @type {number[]} */ values, /** @type {number[]} */ weights) => [
    ...isotonic(Float64Array.from(values), Float64Array.from(weights)),
  ];
  assert.deepEqual(fitted([1, 3, 2, 5], [1, 1, 1, 1]), [1, 2.5, 2.5, 5]);
  assert.deepEqual(fitted([5, 4, 3], [1, 2, 1]), [4, 4, 4]);
  assert.deepEqual(fitted([6, 0], [1, 2]), [2, 2]); // (6 + 2 · 0) / 3
  assert.deepEqual(fitted([], []), []);
});

test("gradient calls and optimizers are the scopes to open at first", () => {
  assert.deepEqual(scopesToOpen(square().nodes), ["gradients", "GradientDescent"]);
});

test("one variable has d, several have ∂, a derivative of a derivative d²", () => {
  const names = new Map([
    ["Exp", "y"],
    ["Mean", "loss"],
  ]);
  const y = { y: "Exp:0", x: "x:0", tensor: "g:0" };
  const w = { y: "Mean:0", x: "w:0", tensor: "gw:0" };
  const b = { y: "Mean:0", x: "b:0", tensor: "gb:0" };
  assert.equal(derivativeLabel(y, [y], names), "dy/dx");
  assert.equal(derivativeLabel(w, [w, b], names), "∂loss/∂w");
  const again = { y: "g:0", x: "x:0", tensor: "h:0" };
  assert.equal(derivativeLabel(again, [y, again], names), "d²y/dx²");
});

test("arrow keys follow the computation, and go up and down between the lanes", () => {
  const scene = layoutGraph(expSin());
  assert.equal(neighbour(scene, "Sin", "ArrowRight"), "Exp");
  assert.equal(neighbour(scene, "Sin", "ArrowLeft"), "Variable/");
  assert.equal(neighbour(scene, "Exp", "ArrowDown"), "gradients/Exp_grad/");
  assert.equal(neighbour(scene, "gradients/Exp_grad/", "ArrowRight"), "gradients/Sin_grad/");
  assert.equal(neighbour(scene, "gradients/Exp_grad/", "ArrowUp"), "Exp");
});

test("from the first item, down leads to the title of the lane, where it can be closed", () => {
  const scene = layoutGraph(expSin());
  assert.equal(neighbour(scene, "Variable/", "ArrowDown"), "gradients/");
  assert.match(neighbour(scene, "gradients/", "ArrowDown") ?? "", /^d:/);
});

test("new values of the same graph give the same drawing, another graph does not", () => {
  const model = expSin();
  const moved = { ...model, nodes: model.nodes.map((each) => ({ ...each, value: each.op === "Const" ? each.value : 7 })) };
  assert.ok(sameDrawing(layoutGraph(model), layoutGraph(moved)));
  assert.ok(!sameDrawing(layoutGraph(model), layoutGraph(square())));
});
