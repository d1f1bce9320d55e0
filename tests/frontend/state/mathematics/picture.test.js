import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { layoutGraph } from "../../../../frontend/layout/layout.js";
import { knownAfter } from "../../../../frontend/state/lesson.js";
import { knownOf } from "../../../../frontend/state/mathematics/known.js";
import { pictureOf } from "../../../../frontend/state/mathematics/picture.js";
import { TWO_PATHS, TWO_PATHS_STEPS } from "./lessons.js";

/** @import { Program, Step } from "../../../../frontend/types.js" */

const { program, lesson } = JSON.parse(
  readFileSync(new URL("../../../../frontend/data/default_example.json", import.meta.url), "utf8"),
);

/** What is written in the boxes of a picture at a step, by their labels. @param {Program} of @param {readonly Step[]} steps @param {number} cursor @param {object} [more] */
function seen(of, steps, cursor, more) {
  const picture = pictureOf(of, steps);
  const place = { steps, cursor, isOwn: true, isWhole: false, ...more };
  const { values } = knownOf(picture, knownAfter(of, steps, cursor), place);
  return Object.fromEntries([...picture.parts.values()].map(({ id, label }) => [label, values.get(id)]));
}

/** The lines of a picture, by labels. @param {Program} of @param {readonly Step[]} steps */
function lines(of, steps) {
  const { parts } = pictureOf(of, steps);
  const label = (/** @type {string} */ id) => parts.get(id)?.label;
  return [...parts.values()].flatMap((part) => part.inputs.map((input) => `${label(input)} > ${part.label}`));
}

test("the first example has a box for each quantity, one for its gradient, and the factors between", () => {
  assert.deepEqual(
    new Set(lines(program, lesson.steps)),
    new Set([
      ...["x > sin x", "sin x > exp(sin x) = y"],
      ...["∂y/∂y > × exp(sin x)", "× exp(sin x) > ∂y/∂(sin x)", "∂y/∂(sin x) > × cos x", "× cos x > ∂y/∂x"],
    ]),
  );
});

test("what is not told is a question mark, and a factor has its number once its step is told", () => {
  const forward = { x: "3", "sin x": "0.1411", "exp(sin x) = y": "1.152" };
  assert.deepEqual(seen(program, lesson.steps, 3), {
    ...forward,
    ...{ "∂y/∂y": "1", "× exp(sin x)": "", "∂y/∂(sin x)": "?", "× cos x": "", "∂y/∂x": "?" },
  });
  assert.deepEqual(seen(program, lesson.steps, 5), {
    ...forward,
    ...{ "∂y/∂y": "1", "× exp(sin x)": "1.152", "∂y/∂(sin x)": "1.152", "× cos x": "−0.99", "∂y/∂x": "−1.14" },
  });
});

test("where two contributions meet, the box says their sum as far as it is told", () => {
  const gradient = (/** @type {number} */ cursor) => seen(TWO_PATHS, TWO_PATHS_STEPS, cursor)["∂y/∂a"];
  assert.deepEqual([4, 5, 6, 7, 8].map(gradient), ["?", "1 + ?", "1 + 5", "1 + 5 = 6", "1 + 5 = 6"]);
});

test("numbers of a lesson about another update are not shown: those of the graph are", () => {
  const shown = seen(TWO_PATHS, TWO_PATHS_STEPS, 8, { isOwn: false });
  assert.deepEqual([shown["∂y/∂a"], shown["× b"], shown["a · b"]], ["6", "", "10"]);
});

test("what passes on unchanged has a line without a factor, and each input its own", () => {
  const back = lines(TWO_PATHS, TWO_PATHS_STEPS).filter((line) => line.includes("∂"));
  assert.deepEqual(
    back.sort(),
    ["× a > ∂y/∂b", "× b > ∂y/∂a", "∂y/∂mul > × a", "∂y/∂mul > × b", "∂y/∂y > ∂y/∂a", "∂y/∂y > ∂y/∂mul"].sort(),
  );
});

test("a gradient has the tensor of its sum, and the place in the text of what it is about", () => {
  const { nodes, parts } = pictureOf(TWO_PATHS, TWO_PATHS_STEPS);
  const gradient = [...parts.values()].find(({ label }) => label === "∂y/∂a");
  assert.equal(gradient?.tensor, "gradients/AddN:0");
  assert.equal(nodes.find(({ name }) => name === gradient?.id)?.span?.column, 5);
});

test("a run's update stands beneath its variable and reads its gradient", () => {
  const inputs = ["a", "rate", "gradients/AddN"];
  const update = {
    ...TWO_PATHS.graph.nodes[0],
    name: "GradientDescent/update_a/ApplyGradientDescent",
    op: "ApplyGradientDescent",
    inputs,
  };
  const grown = { ...TWO_PATHS, graph: { nodes: [...TWO_PATHS.graph.nodes, update] } };
  assert.ok(lines(grown, TWO_PATHS_STEPS).includes("∂y/∂a > a ← GradientDescent"));
  for (const [op, method] of [
    ["ApplyTorchAdam", "Adam"],
    ["ApplyKerasPlainSGD", "SGD"],
    ["ApplyTorchPlainSGD", "SGD"],
  ]) {
    const other = { ...TWO_PATHS, graph: { nodes: [...TWO_PATHS.graph.nodes, { ...update, op }] } };
    assert.ok(lines(other, TWO_PATHS_STEPS).includes(`∂y/∂a > a ← ${method}`));
  }
  const step = { ...TWO_PATHS_STEPS[8], index: 9, phase: /** @type {const} */ ("update"), node: update.name, of: "a" };
  const steps = [...TWO_PATHS_STEPS, { ...step, rule_text: "a ← a − 0.1 · ∂y/∂a" }];
  assert.ok(lines(grown, steps).includes("∂y/∂a > a ← a − η · ∂y/∂a")); // another rate may be chosen meanwhile
});

test("gradients are drawn beneath what they are about, and factors between them on their lines", () => {
  const { nodes, parts } = pictureOf(program, lesson.steps);
  const { items, edges } = layoutGraph({ nodes, target: null, names: new Map(), open: new Set() });
  const place = (/** @type {string} */ label) => {
    const item = items.find(({ id }) => parts.get(id)?.label === label);
    return item ? { x: item.x + item.width / 2, y: item.y, kind: item.kind } : { x: NaN, y: NaN, kind: "" };
  };
  assert.ok(Math.abs(place("∂y/∂(sin x)").x - place("sin x").x) < 1);
  assert.ok(place("∂y/∂(sin x)").y > place("sin x").y);
  assert.ok(place("sin x").x < place("× exp(sin x)").x && place("× exp(sin x)").x < place("∂y/∂y").x);
  assert.deepEqual([place("× cos x").kind, place("sin x").kind], ["factor", "quantity"]);
  const heads = edges.filter(({ head }) => head).map(({ to }) => parts.get(to)?.kind);
  assert.deepEqual(heads.sort(), ["gradient", "gradient", "quantity", "quantity"]);
});
