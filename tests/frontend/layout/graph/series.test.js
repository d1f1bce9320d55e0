import assert from "node:assert/strict";
import test from "node:test";
import { scopesOf, scopeTree } from "../../../../frontend/layout/graph/scopes.js";
import { gridInStages } from "../../../../frontend/layout/grid/grid.js";
import { rememberedGrids } from "../../../../frontend/layout/grid/memo.js";
import { layoutGraph } from "../../../../frontend/layout/layout.js";
import { itemShowing, shownIn } from "../../../../frontend/layout/scene/shown.js";
import { itemOf, model, node } from "../programs.js";

/** A network of so many layers, each a product and a squashing in a scope of its own. @param {number} count */
const layers = (count) => [
  node("x", "Placeholder"),
  ...Array.from({ length: count }, (_, i) => [
    node(`layer_${i}/mul`, "Mul", i === 0 ? ["x", "x"] : [`layer_${i - 1}/Tanh`, "x"]),
    node(`layer_${i}/Tanh`, "Tanh", [`layer_${i}/mul`]),
  ]).flat(),
];

/** A chain of ops at one level. @param {number} count @param {string[]} ops that take turns */
const chain = (count, ops) =>
  Array.from({ length: count }, (_, i) => node(nameAt(i, ops), ops[i % ops.length], i === 0 ? [] : [nameAt(i - 1, ops)]));

/** As TensorFlow names them: "Sin", "Sin_1". @param {number} i @param {string[]} ops */
function nameAt(i, ops) {
  const turn = Math.floor(i / ops.length);
  return ops[i % ops.length] + (turn === 0 ? "" : `_${turn}`);
}

/** Layers without scopes of their own, their gradients and updates. @param {number} count @param {string[]} open */
function trained(count, open) {
  const gradient = (/** @type {number} */ i) => ({ phase: "gradient", of: nameAt(i, ["Mul"]) });
  const numbers = Array.from({ length: count }, (_, i) => i);
  const last = nameAt(count - 1, ["Mul"]);
  const nodes = [
    ...numbers.flatMap((i) => [
      node(nameAt(i, ["Variable"]), "Variable"),
      node(nameAt(i, ["Mul"]), "Mul", [nameAt(i, ["Variable"]), i === 0 ? "Variable" : nameAt(i - 1, ["Mul"])]),
    ]),
    node("gradients/Fill", "Fill", [], { phase: "gradient" }),
    ...numbers.toReversed().flatMap((i) => {
      const before = i === count - 1 ? "gradients/Fill" : `gradients/${nameAt(i + 1, ["Mul"])}_grad/Mul`;
      const scope = `gradients/${nameAt(i, ["Mul"])}_grad`;
      return ["Mul", "Mul_1"].map((op) => node(`${scope}/${op}`, "Mul", [before, nameAt(i, ["Variable"])], gradient(i)));
    }),
    ...numbers.map((i) => {
      const [variable, slope] = [nameAt(i, ["Variable"]), `gradients/${nameAt(i, ["Mul"])}_grad/Mul_1`];
      return node(`SGD/update_${variable}/Assign`, "AssignSub", [variable, slope], { phase: "update" });
    }),
  ];
  const gradients = numbers.map((i) => ({
    ...{ y: `${last}:0`, x: `${nameAt(i, ["Variable"])}:0` },
    tensor: `gradients/${nameAt(i, ["Mul"])}_grad/Mul_1:0`,
  }));
  return layoutGraph({ ...model(nodes, ["gradients", "SGD", ...open]), target: `${last}:0`, gradients });
}

const seen = (/** @type {import("../../../../frontend/layout/types.js").Scene} */ { items }) => items.map(({ label }) => label);

test("twenty layers are drawn one by one, sixty as one box ×60", () => {
  assert.equal(layoutGraph(model(layers(20))).items.length, 21);
  assert.deepEqual(seen(layoutGraph(model(layers(60)))), ["x", "layer ×60"]);
});

test("a series opens as a scope does, and its members as theirs do", () => {
  const series = "layer_0…layer_59";
  const opened = layoutGraph(model(layers(60), [series, "layer_7"]));
  assert.equal(itemOf(opened, "layer_7/").parent, `${series}/`);
  assert.equal(itemOf(opened, "layer_7/Tanh").parent, "layer_7/");
  assert.equal(opened.items.filter(({ parent }) => parent === `${series}/`).length, 60);
});

test("the turns of an unrolled loop are one series", () => {
  assert.deepEqual(seen(layoutGraph(model(chain(90, ["Sin", "Exp", "Tanh"])))), ["Sin … Tanh ×30"]);
});

test("layers of different kinds are no series", () => {
  const nodes = layers(60).map((each) => (each.name === "layer_30/Tanh" ? { ...each, op: "Relu" } : each));
  assert.deepEqual(seen(layoutGraph(model(nodes))), ["x", "layer ×30", "layer_30", "layer ×29"]);
});

test("no scope shows more than 300 children: what does not repeat is cut into stretches", () => {
  const nodes = Array.from({ length: 10_000 }, (_, i) =>
    node(
      `op${"abcdefghijklmnopqrstuvwxyz"[i % 26]}${i}`,
      "Neg",
      i === 0 ? [] : [`op${"abcdefghijklmnopqrstuvwxyz"[(i - 1) % 26]}${i - 1}`],
    ),
  );
  const { scopes, root } = scopeTree(nodes);
  assert.equal(root.own.length + root.inner.length, 100);
  for (const { own, inner } of scopes.values()) assert.ok(own.length + inner.length <= 300);
});

test("a series of 400 holds stretches of its own", () => {
  const { root, scopes } = scopeTree(chain(400, ["Sin"]));
  assert.deepEqual(
    root.inner.map(({ series }) => series?.label),
    ["Sin ×400"],
  );
  for (const { own, inner } of scopes.values()) assert.ok(own.length + inner.length <= 300);
});

test("a node in a folded layer is shown by its series, and found in it", () => {
  const nodes = layers(60);
  const shown = shownIn(layoutGraph(model(nodes)));
  assert.equal(itemShowing(shown, "layer_7/Tanh"), "layer_0…layer_59/");
  assert.equal(itemShowing(shown, "x"), "x");
  assert.equal(itemShowing(shown, "nowhere"), null);
  assert.deepEqual(scopesOf(scopeTree(nodes), "layer_7/Tanh"), ["layer_0…layer_59", "layer_7"]);
});

test("what fifty layers send back goes to their updates along one line, and each by itself where they are open", () => {
  const [backward, updates] = ["gradients/Mul_49_grad…Mul_grad", "SGD/update_Variable…update_Variable_49"];
  const derivatives = (/** @type {import("../../../../frontend/layout/types.js").Scene} */ { items }) =>
    items.filter(({ id }) => id.startsWith("d:")).length;
  const folded = trained(50, []);
  const between = folded.edges.filter(({ from, to }) => from === `${backward}/` && to === `${updates}/`);
  assert.deepEqual(
    between.map(({ count }) => count),
    [50],
  );
  assert.equal(derivatives(folded), 0);
  for (const open of [[backward], [updates], [backward, updates]]) assert.equal(derivatives(trained(50, open)), 50, String(open));
});

test("scopes that are alike inside are laid out once", () => {
  let grids = 0;
  const counting = rememberedGrids(function* (task) {
    grids += 1;
    return yield* gridInStages(task);
  });
  const open = ["layer_3", "layer_8", "layer_9"];
  const scene = layoutGraph(model(layers(20), open), counting);
  assert.equal(grids, 1);
  const inside = (/** @type {string} */ scope) =>
    ["mul", "Tanh"].map((op) => itemOf(scene, `${scope}/${op}`).x - itemOf(scene, `${scope}/`).x);
  assert.deepEqual(inside("layer_3"), inside("layer_9"));
});

test("a remembered layout is the one that would be made anew", () => {
  const nodes = layers(20);
  const fresh = layoutGraph(model(nodes, ["layer_3", "layer_9"]));
  const kept = rememberedGrids();
  layoutGraph(model(nodes, ["layer_9"]), kept);
  assert.deepEqual(layoutGraph(model(nodes, ["layer_3", "layer_9"]), kept), fresh);
});
