// Where lines run together, and where they must not; what stands in a row.

import assert from "node:assert/strict";
import test from "node:test";

import { layoutGraph } from "../../../frontend/layout/layout.js";
import { expSin, itemOf, middleX, middleY, model, node } from "./programs.js";

test("in one flow the gradient stands behind all that it differentiates", () => {
  const scene = layoutGraph({ ...expSin(), merged: true });
  const exp = itemOf(scene, "Exp");
  assert.ok(itemOf(scene, "gradients/").x > exp.x + exp.width);
});

test("what one op waits for comes to it by one line", () => {
  const chain = ["a", "b", "c", "d"].map((name, i, all) => node(name, "Sin", i > 0 ? [all[i - 1]] : []));
  const scene = layoutGraph(model([...chain, node("done", "Neg", ["d"], { control_inputs: ["a", "b", "c"] })]));
  const waits = scene.edges.filter(({ kind }) => kind === "control");
  assert.equal(waits.length, 3);
  assert.equal(new Set(waits.map(({ points }) => JSON.stringify(points.slice(-3)))).size, 1);
});

test("the longest way through a graph runs straight beside what branches off", () => {
  const chain = Array.from({ length: 9 }, (_, i) => node(`op${"abcdefghi"[i]}`, "Sin", i > 0 ? [`op${"abcdefghi"[i - 1]}`] : []));
  const looks = chain.map(({ name }) => node(`look_${name}`, "Neg", [name]));
  const scene = layoutGraph(model([...chain, ...looks]));
  const heights = chain.map(({ name }) => middleY(itemOf(scene, name)));
  assert.ok(Math.max(...heights) - Math.min(...heights) < 20);
});

test("a line that passes many items straight has a point only where it bends", () => {
  const letters = [..."abcdefghijklmnopqrst"];
  const chain = letters.map((name, i) => node(`op${name}`, "Sin", i > 0 ? [`op${letters[i - 1]}`] : []));
  const scene = layoutGraph(model([...chain, node("end", "Add", ["opt", "opa"])]));
  const [long] = scene.edges.filter(({ from, to }) => from === "opa" && to === "end");
  assert.ok(long.points.length <= 8, String(long.points.length));
});

test("what is read forward and what is read backward leaves a closed scope by two lines", () => {
  const gradient = { phase: "gradient", of: "t/Sin" };
  const inside = [node("t/Sin", "Sin", ["x"]), node("t/g", "Cos", ["x"], gradient)];
  const scene = layoutGraph(
    model([node("x", "Placeholder"), ...inside, node("y", "Exp", ["t/Sin"]), node("dx", "Neg", ["t/g"], gradient)]),
  );
  const starts = scene.edges
    .filter(({ from }) => from === "t/")
    .map(({ phase, points }) => ({ phase, at: JSON.stringify(points[0]) }));
  assert.deepEqual(starts.map(({ phase }) => phase).sort(), ["forward", "gradient"]);
  assert.notEqual(starts[0].at, starts[1].at);
});

test("gradients that belong to one closed scope and read one another stand in a row that runs back", () => {
  const forward = ["a", "b", "c"].map((name, i, all) => node(`t/${name}`, "Sin", [i > 0 ? `t/${all[i - 1]}` : "x"]));
  const backward = ["c", "b", "a"].map((name, i, all) =>
    node(`gradients/${name}_grad`, "Cos", i > 0 ? [`gradients/${all[i - 1]}_grad`] : [], { phase: "gradient", of: `t/${name}` }),
  );
  const scene = layoutGraph(model([node("x", "Placeholder"), ...forward, ...backward], ["gradients"]));
  const row = ["c", "b", "a"].map((name) => itemOf(scene, `gradients/${name}_grad`));
  assert.ok(middleX(row[0]) > middleX(row[1]) && middleX(row[1]) > middleX(row[2]));
  assert.equal(new Set(row.map(middleY)).size, 1);
});

test("constants of a closed scope that look alike are one pill that counts them", () => {
  const constants = ["a", "b", "c"].map((name, i) => node(name, "Const", [], { value: i < 2 ? 2 : 7 }));
  const readers = constants.map(({ name }) => node(`t/${name}_times`, "Neg", [name]));
  const scene = layoutGraph(model([...constants, ...readers]));
  assert.deepEqual(
    itemOf(scene, "t/").constants.map(({ label, names }) => ({ label, names })),
    [
      { label: "2 ×2", names: ["a", "b"] },
      { label: "7", names: ["c"] },
    ],
  );
});

test("five constants at one item are five pills, six are one that tells the first, the last and how many", () => {
  const sum = (/** @type {number} */ count) => {
    const constants = Array.from({ length: count }, (_, i) => node(`c${i}`, "Const", [], { value: i + 2 }));
    const scene = layoutGraph(
      model([
        ...constants,
        node(
          "sum",
          "AddN",
          constants.map(({ name }) => name),
        ),
      ]),
    );
    return itemOf(scene, "sum").constants.map(({ label }) => label);
  };
  assert.deepEqual(sum(5), ["2", "3", "4", "5", "6"]);
  assert.deepEqual(sum(6), ["2 … 7 ×6"]);
});

test("a scope that holds only constants shows them when it is opened, and they stay in it", () => {
  const nodes = [node("x", "Placeholder"), node("init/zero", "Const", [], { value: 0 }), node("sum", "Add", ["x", "init/zero"])];
  const scene = layoutGraph(model(nodes, ["init"]));
  assert.equal(itemOf(scene, "init/zero").parent, "init/");
  assert.deepEqual(itemOf(scene, "sum").constants, []);
  assert.deepEqual(new Set(scene.edges.filter(({ to }) => to === "sum").map(({ from }) => from)), new Set(["x", "init/zero"]));
});

test("a fan has the more room the higher it is, up to a bound, and every line is level beneath its head", () => {
  const fan = (/** @type {number} */ count) =>
    layoutGraph(model([node("opx", "Sin"), ...Array.from({ length: count }, (_, i) => node(`read${i}x`, "Neg", ["opx"]))]));
  const room = (/** @type {import("../../../frontend/layout/types.js").Scene} */ scene) =>
    itemOf(scene, "read0x").x - itemOf(scene, "opx").x - itemOf(scene, "opx").width;
  const [low, high, highest] = [2, 6, 20].map((count) => room(fan(count)));
  assert.ok(low < high && high < highest && highest < 80, `${low}, ${high}, ${highest}`);
  for (const { points } of fan(6).edges) {
    const [before, end] = points.slice(-2);
    assert.ok(before.y === end.y && end.x - before.x >= 9);
  }
});

test("lines that end in one column turn level at one place, whether they lead to broad items or to narrow ones", () => {
  const scene = layoutGraph(
    model([
      node("opx", "Sin"),
      node("a", "Neg", ["opx"]),
      node("a_much_longer_name", "Neg", ["opx"]),
      node("bcd", "Neg", ["opx"]),
    ]),
  );
  const widths = new Set(scene.edges.map(({ to }) => itemOf(scene, to).width));
  const turns = new Set(scene.edges.map(({ points }) => points[points.length - 2].x));
  assert.ok(widths.size > 1);
  assert.equal(turns.size, 1);
});
