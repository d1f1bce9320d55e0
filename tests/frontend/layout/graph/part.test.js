import assert from "node:assert/strict";
import { test } from "node:test";
import { partOf, standingFor } from "../../../../frontend/layout/graph/part.js";
import { layoutGraph } from "../../../../frontend/layout/layout.js";
import { expSin, itemOf, node, regression } from "../programs.js";

test("the forward part has no gradient and no derivative's tag", () => {
  const scene = layoutGraph(partOf(expSin(), "forward"));
  assert.deepEqual(
    scene.items.map(({ id }) => id),
    ["Variable/", "Sin", "Exp", "y:Exp:0"],
  );
  assert.deepEqual(scene.bands, []);
});

test("the backward part has flags for what it borrows, under the learner's names", () => {
  const scene = layoutGraph(partOf(expSin(), "backward"));
  const flags = (/** @type {string} */ id) => itemOf(scene, id).constants.map(({ label }) => label);
  assert.deepEqual(flags("gradients/Exp_grad/"), ["y"]);
  assert.deepEqual(flags("gradients/Sin_grad/"), ["x"]); // Cos reads Variable/read
  assert.ok(scene.items.some(({ label }) => label === "dy/dx"));
});

test("the backward part still runs from right to left", () => {
  const scene = layoutGraph(partOf(expSin(), "backward"));
  assert.ok(itemOf(scene, "gradients/Exp_grad/").x > itemOf(scene, "gradients/Sin_grad/").x);
});

test("both parts together are the model itself", () => {
  const model = regression();
  assert.equal(partOf(model, "both"), model);
});

test("merged, forward and backward run in one flow and no scope is a band", () => {
  const scene = layoutGraph({ ...expSin(), merged: true });
  assert.deepEqual(scene.bands, []);
  assert.equal(itemOf(scene, "gradients/").open, true);
  const places = ["Variable/", "Sin", "Exp", "gradients/Exp_grad/", "gradients/Sin_grad/"].map((id) => itemOf(scene, id).x);
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
});

test("a tensor that is left out is followed to what it passes on", () => {
  const all = [node("mul", "Mul"), node("gate", "Identity", ["mul"]), node("last", "Identity", ["gate"])];
  assert.equal(standingFor("last:0", all, [all[0]]), "mul:0");
  assert.equal(standingFor("mul:0", all, [all[0]]), "mul:0");
  assert.equal(standingFor("gone:0", all, [all[0]]), "gone:0");
});
