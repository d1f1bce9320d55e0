import assert from "node:assert/strict";
import { test } from "node:test";

import { wholePicture } from "../../../../frontend/state/pictures/whole_picture.js";
import { CHAIN, node } from "../../chain.js";

/** @param {import("../../../../frontend/types.js").Program} program @param {import("../../../../frontend/types.js").ApiNode[]} [nodes] */
const pictureOf = (program, nodes = program.graph.nodes) => wholePicture({ program, nodes, steps: [], none: "None" });

/** @param {ReturnType<typeof wholePicture>} picture @param {string} label */
const itemCalled = ({ items }, label) => items.find((item) => item.label === label);

test("everything is known: each op has its value, and a result its name", () => {
  const picture = pictureOf(CHAIN);
  assert.equal(itemCalled(picture, "Sin")?.value, "0.1411");
  assert.equal(itemCalled(picture, "y")?.kind, "tag");
  assert.equal(itemCalled(picture, "dy/dx")?.value, "−1.14");
});

test("what comes out is plain: numbers, texts, and the paths of lines", () => {
  const picture = pictureOf(CHAIN);
  assert.deepEqual(JSON.parse(JSON.stringify(picture)), picture);
  assert.ok(picture.edges.every(({ path }) => /^M[-\d.]+,[-\d.]+[LCQ]/.test(path)));
  assert.ok(picture.edges.some(({ start, end }) => start || end));
});

test("the scopes of gradients are open, as on the page", () => {
  assert.deepEqual(
    pictureOf(CHAIN).bands.map(({ name, phase }) => [name, phase]),
    [["gradients", "gradient"]],
  );
});

test("a gradient that there is not has the word for it", () => {
  const gradients = [{ ...CHAIN.gradients[0], tensor: null, value: null, reason: "no path" }];
  assert.equal(itemCalled(pictureOf({ ...CHAIN, gradients }), "dy/dx")?.value, "None");
});

test("a value that is not finite is marked", () => {
  const nodes = [node("x", "VariableV2", [], 0), node("y", "Log", ["x"], 0, { value: "-inf" })];
  const picture = pictureOf({ ...CHAIN, target: null, gradients: [], bindings: [], graph: { nodes } });
  assert.deepEqual([itemCalled(picture, "y")?.value, itemCalled(picture, "y")?.sound], ["⚠ −∞", false]);
});

test("of a graph in fewer nodes the values are those of the whole", () => {
  const essential = CHAIN.graph.nodes.filter(({ name }) => !name.endsWith("/read"));
  const nodes = essential.map((each) => ({ ...each, inputs: each.inputs.map((name) => name.replace("/read", "")) }));
  const picture = pictureOf(CHAIN, nodes);
  assert.equal(itemCalled(picture, "Sin")?.value, "0.1411");
  assert.ok(!picture.items.some(({ title }) => title === "x/read"));
});
