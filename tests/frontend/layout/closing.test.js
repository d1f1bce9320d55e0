// Everything closed: no loose boxes between the scopes, and one line from one to another.

import assert from "node:assert/strict";
import test from "node:test";

import { scopesOf, scopeTree } from "../../../frontend/layout/graph/scopes.js";
import { layoutGraph } from "../../../frontend/layout/layout.js";
import { model, node, recorded } from "./programs.js";

/** @typedef {import("../../../frontend/layout/types.js").Scene} Scene */

const OF = /** @type {Array<[string, string]>} */ ([["x:0", "gradients/Square_grad/Mul_1:0"]]);
const adam = (/** @type {string[]} */ open) => recorded("train-adam-square", { target: "Square:0", of: OF, open });

/** @param {Scene} scene */
const idsOf = ({ items }) => items.map(({ id }) => id);

/** A layer, its gradient and what trains it; the gradient rule reads the layer twice and waits for it once. */
const layer = () => {
  const gradient = { phase: "gradient", of: "layer/Sin" };
  return [
    node("layer/x", "Placeholder"),
    node("layer/Sin", "Sin", ["layer/x"]),
    node("gradients/Fill", "Fill", [], { phase: "gradient" }),
    node("gradients/Sin_grad/Cos", "Cos", ["layer/x"], { ...gradient, control_inputs: ["layer/Sin"] }),
    node("gradients/Sin_grad/mul", "Mul", ["gradients/Fill", "gradients/Sin_grad/Cos", "layer/Sin"], gradient),
  ];
};

test("Adam's powers of beta stand beside its band, and with it closed they are in it", () => {
  const [open, closed] = [adam(["gradients", "Adam"]), adam([])].map((each) => idsOf(layoutGraph(each)));
  assert.ok(open.includes("beta1_power/") && open.includes("beta2_power/"));
  assert.ok(!closed.some((id) => id.startsWith("beta")));
  assert.deepEqual(scopesOf(scopeTree(adam([]).nodes), "beta1_power/read"), ["Adam", "beta1_power"]);
});

test("in one flow they stay where TensorBoard has them", () => {
  assert.ok(idsOf(layoutGraph({ ...adam([]), merged: true })).includes("beta1_power/"));
});

test("a variable that more than the optimizer reads is drawn by itself", () => {
  const nodes = adam([]).nodes.concat(node("look", "Neg", ["beta1_power/read"]));
  assert.ok(idsOf(layoutGraph({ ...adam([]), nodes })).includes("beta1_power/"));
});

test("a derivative that only goes from the closed gradients to the closed optimizer is no box between them", () => {
  const derivatives = (/** @type {string[]} */ open) => idsOf(layoutGraph(adam(open))).filter((id) => id.startsWith("d:"));
  assert.equal(derivatives([]).length, 0);
  for (const open of [["gradients"], ["Adam"], ["gradients", "Adam"]]) assert.equal(derivatives(open).length, 1, String(open));
  const asked = recorded("compose-exp-sin", { target: "Exp:0", of: [["Variable:0", "gradients/Sin_grad/mul:0"]], open: [] });
  assert.equal(layoutGraph(asked).items.filter(({ id }) => id.startsWith("d:")).length, 1); // nothing takes it on
});

test("an op that only waits for others is drawn while a band is open", () => {
  const nodes = [...layer(), node("init", "NoOp", [], { control_inputs: ["layer/Sin"] })];
  assert.ok(idsOf(layoutGraph(model(nodes, ["gradients"]))).includes("init"));
  assert.ok(!idsOf(layoutGraph(model(nodes))).includes("init"));
  assert.ok(idsOf(layoutGraph(model(nodes.filter(({ phase }) => phase === "forward")))).includes("init")); // no bands at all
});

test("from one outermost closed scope to another runs one line that counts its edges, drawn as a tensor where one is", () => {
  const lines = layoutGraph(model(layer())).edges.filter(({ from, to }) => from === "layer/" && to === "gradients/");
  assert.deepEqual(
    lines.map(({ count, kind, label }) => ({ count, kind, label: label?.text })),
    [{ count: 3, kind: "borrowed", label: "(×3)" }],
  );
});

test("where the optimizer writes, an orange line stays apart from what it reads", () => {
  const lines = layoutGraph(adam([])).edges.filter(({ from, to }) => from === "x/" && to === "Adam/");
  assert.ok(lines.some(({ kind }) => kind === "reference"));
  assert.equal(new Set(lines.map(({ kind }) => kind)).size, lines.length);
});
