// slow: lays out every recorded program, so `make check` leaves it out.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";
import { partOf } from "../../../frontend/layout/graph/part.js";
import { scopeTree } from "../../../frontend/layout/graph/scopes.js";
import { layoutGraph } from "../../../frontend/layout/layout.js";
import { expSin, itemOf, middleX, middleY, model, node, opened, recorded, regression, square } from "./programs.js";
import { assertApart, assertBanded, assertClear, assertReadable } from "./sound.js";

const recordings = readdirSync(new URL("../../data/tensorflow/", import.meta.url))
  .filter((file) => file.endsWith(".json") && !file.startsWith("tape-")) // tapes build no graph
  .map((file) => file.replace(".json", ""));

test("exp(sin x) reads x, Sin, Exp, y from left to right on one line", () => {
  const scene = layoutGraph(expSin());
  const line = ["Variable/", "Sin", "Exp", "y:Exp:0"].map((id) => itemOf(scene, id));
  assert.deepEqual(
    line.map(({ label }) => label),
    ["x", "Sin", "Exp", "y"],
  );
  assert.deepEqual(
    line.map(middleX),
    line.map(middleX).sort((a, b) => a - b),
  );
  assert.equal(new Set(line.map((item) => Math.round(middleY(item)))).size, 1);
});

test("each gradient scope stands directly beneath its op, the seed beneath y, dy/dx beneath x", () => {
  const scene = layoutGraph(expSin());
  const [derivative] = scene.items.filter(({ label }) => label === "dy/dx");
  for (const [above, below] of [
    ["Sin", "gradients/Sin_grad/"],
    ["Exp", "gradients/Exp_grad/"],
    ["y:Exp:0", "gradients/Fill"],
    ["Variable/", derivative.id],
  ]) {
    assert.equal(middleX(itemOf(scene, above)), middleX(itemOf(scene, below)), `${below} beneath ${above}`);
    assert.ok(itemOf(scene, above).y + itemOf(scene, above).height < itemOf(scene, below).y);
  }
});

test("a borrowed tensor runs straight down: Exp_grad reads what Exp gave", () => {
  const scene = layoutGraph(expSin());
  const [edge] = scene.edges.filter(({ from, to }) => from === "Exp" && to === "gradients/Exp_grad/");
  assert.equal(edge.kind, "borrowed");
  assert.equal(new Set(edge.points.map(({ x }) => x)).size, 1);
});

test("forward edges run to the right, gradient edges to the left", () => {
  for (const scene of [layoutGraph(expSin()), layoutGraph(regression()), layoutGraph(expSin("gradients/Sin_grad"))]) {
    for (const { kind, phase, points, title } of scene.edges) {
      const [start, end] = [points[0], points[points.length - 1]];
      if (kind === "data" && phase === "forward") assert.ok(start.x < end.x, title);
      if (kind === "data" && phase === "gradient") assert.ok(start.x > end.x, title);
    }
  }
});

test("x * x has two lines with ports of their own", () => {
  const scene = layoutGraph(recorded("reuse-x-x"));
  const lines = scene.edges.filter(({ from, to }) => from === "Variable/" && to === "mul");
  assert.equal(lines.length, 2);
  const ends = lines.map(({ points }) => points[points.length - 1].y);
  assert.ok(Math.abs(ends[0] - ends[1]) > 5);
});

test("data, control and reference edges are never one line", () => {
  const scene = layoutGraph(square());
  const kinds = new Map([
    ["gradients/Fill", ["control", "data"]],
    ["x/", ["borrowed", "data", "reference"]],
  ]);
  for (const [from, expected] of kinds) {
    const found = new Set(scene.edges.filter((edge) => edge.from === from).map(({ kind }) => kind));
    assert.deepEqual([...found].sort(), expected);
  }
});

test("a line between closed scopes tells how many edges it stands for", () => {
  const scene = layoutGraph(recorded("reuse-x-x"));
  const [bundle] = scene.edges.filter(({ from, to }) => from === "Variable/" && to === "gradients/mul_grad/");
  assert.equal(bundle.count, 2); // Mul and Mul_1 both read x
  assert.equal(bundle.label?.text, "(×2)");
});

test("an update stands beneath its variable, and its arrow points at the variable", () => {
  const scene = layoutGraph(square());
  assert.equal(middleX(itemOf(scene, "GradientDescent/update_x/")), middleX(itemOf(scene, "x/")));
  const [write] = scene.edges.filter(({ kind }) => kind === "reference");
  assert.deepEqual([write.from, write.to, write.tail, write.head], ["x/", "GradientDescent/update_x/", true, false]);
});

test("clipping stands between the gradient and the update", () => {
  const of = /** @type {Array<[string, string]>} */ ([["x:0", "gradients/Square_grad/Mul_1:0"]]);
  const scene = layoutGraph(recorded("train-clip-norm-quad2", { target: "Sum:0", of }));
  const column = ["d:Sum:0 x:0 gradients/Square_grad/Mul_1:0", "clip_by_norm/", "GradientDescent/update_x/"];
  const items = column.map((id) => itemOf(scene, id));
  assert.deepEqual(
    items.map(middleY),
    items.map(middleY).sort((a, b) => a - b),
  );
  assert.equal(new Set(items.map(middleX)).size, 1);
});

test("what clipping makes beside the gradient's way is drawn as a part of it", () => {
  const model = recorded("train-clip-norm-quad2", { open: ["gradients", "clip_by_norm"] });
  const aside = new Set(["clip_by_norm/ones_like", "clip_by_norm/Const"]);
  const nodes = model.nodes.map((each) => (aside.has(each.name) ? { ...each, phase: "after" } : each));
  const scene = layoutGraph({ ...model, nodes });
  assert.deepEqual([itemOf(scene, "clip_by_norm/").phase, itemOf(scene, "clip_by_norm/ones_like").phase], ["process", "process"]);
});

test("a second gradient call has a lane of its own, and its derivative is d²y/dx²", () => {
  const model = recorded("opt-second-derivative-sin", {
    target: "Sin:0",
    names: [["Sin", "y"]],
    open: ["gradients", "gradients_1"],
  });
  const gradients = [
    { y: "Sin:0", x: "x:0", tensor: "gradients/Sin_grad/mul:0" },
    { y: "gradients/Sin_grad/mul:0", x: "x:0", tensor: "gradients_1/gradients/Sin_grad/Cos_grad/mul:0" },
  ];
  const scene = layoutGraph({ ...model, gradients });
  const [first, second] = scene.bands;
  assert.deepEqual([first.name, second.name], ["gradients", "gradients_1"]);
  assert.ok(first.y + first.height < second.y);
  assert.deepEqual(
    scene.items
      .filter(({ id }) => id.startsWith("d:"))
      .map(({ label }) => label)
      .sort(),
    ["dy/dx", "d²y/dx²"],
  );
});

test("a sum that leads back to a derivative stands by it, though the gradients of gradients run onward", () => {
  const rule = (/** @type {string} */ name, /** @type {string[]} */ inputs, /** @type {string | null} */ of) =>
    node(name, "Mul", inputs, { phase: "gradient", of });
  const nodes = [
    node("x", "Placeholder"),
    node("Sin", "Sin", ["x"]),
    node("Exp", "Exp", ["Sin"]),
    rule("gradients/Exp_grad/mul", ["Exp"], "Exp"),
    rule("gradients/Sin_grad/mul", ["gradients/Exp_grad/mul", "x"], "Sin"),
    rule("gradients_1/gradients/Exp_grad/mul_grad/Mul", [], "gradients/Exp_grad/mul"),
    rule(
      "gradients_1/gradients/Sin_grad/mul_grad/Mul",
      ["gradients_1/gradients/Exp_grad/mul_grad/Mul"],
      "gradients/Sin_grad/mul",
    ),
    rule(
      "gradients_1/AddN",
      ["gradients_1/gradients/Sin_grad/mul_grad/Mul", "gradients_1/gradients/Exp_grad/mul_grad/Mul"],
      null,
    ),
  ];
  const gradients = [{ y: "gradients/Sin_grad/mul:0", x: "x:0", tensor: "gradients_1/AddN:0" }];
  const scene = layoutGraph({ ...model(nodes, ["gradients", "gradients_1"]), gradients });
  const line = [gradients.map(({ y, x, tensor }) => `d:${y} ${x} ${tensor}`)[0], "gradients_1/AddN", "gradients_1/gradients/"];
  const places = line.map((id) => middleX(itemOf(scene, id)));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
});

test("a constant is a pill at each consumer, with its value", () => {
  const scene = layoutGraph(regression());
  const pills = scene.items.flatMap(({ id, constants }) => constants.map(({ label }) => `${id} ${label}`));
  assert.ok(pills.includes("Mean [0, 1]"));
  assert.ok(pills.includes("MatMul X 4×1") && pills.includes("gradients/MatMul_grad/ X 4×1"));
  assert.ok(!scene.items.some(({ id }) => id === "X"));
});

test("an op whose scope holds only its operands is drawn as an op", () => {
  const scene = layoutGraph(
    model([node("x", "Placeholder"), node("mul/y", "Const", [], { value: 2 }), node("mul", "Mul", ["x", "mul/y"])]),
  );
  assert.deepEqual(
    scene.items.map(({ id, kind }) => [id, kind]),
    [
      ["x", "op"],
      ["mul", "op"],
    ],
  );
  assert.deepEqual(
    itemOf(scene, "mul").constants.map(({ label }) => label),
    ["2"],
  );
});

test("an op with its scope's name shows in the open scope in brackets", () => {
  const scene = layoutGraph(expSin("Variable"));
  assert.deepEqual([itemOf(scene, "Variable").label, itemOf(scene, "Variable").parent], ["(Variable)", "Variable/"]);
});

test("the scopes that depend on each other are laid out all the same", () => {
  const nodes = [
    node("a/p", "Placeholder"),
    node("b/q", "Sin", ["a/p"]),
    node("a/r", "Cos", ["b/q"]),
    node("b/s", "Exp", ["a/r"]),
  ];
  const scene = layoutGraph(model(nodes));
  assert.deepEqual(scene.items.map(({ id }) => id).sort(), ["a/", "b/"]);
  assert.equal(scene.edges.length, 2); // a to b (two tensors in one line) and b to a
});

test("a chain of 5,000 ops does not overflow the stack", () => {
  const nodes = Array.from({ length: 5000 }, (_, i) => node(`Sin_${i}`, "Sin", i === 0 ? [] : [`Sin_${i - 1}`]));
  const everything = [...scopeTree(nodes).scopes.keys()];
  assert.equal(layoutGraph(model(nodes, everything)).items.filter(({ kind }) => kind === "op").length, 5000);
});

test("the same model gives the same scene", () => {
  assert.deepEqual(layoutGraph(regression()), layoutGraph(regression()));
});

test("which of two scopes was opened first makes no difference", () => {
  const [a, b] = ["gradients/MatMul_grad", "w"];
  const opened = (/** @type {string[]} */ ...open) => layoutGraph({ ...regression(), open: new Set(["gradients", ...open]) });
  assert.deepEqual(opened(a, b), opened(b, a));
});

test("opening a scope keeps the order of the others", () => {
  const closed = layoutGraph(regression());
  const model = regression();
  const open = layoutGraph({ ...model, open: new Set([...model.open, "gradients/MatMul_grad", "w"]) });
  const kept = closed.items.filter(({ id }) => open.items.some((item) => item.id === id));
  for (const a of kept) {
    for (const b of kept) {
      if (middleX(a) !== middleX(b) || a.y >= b.y) continue;
      assert.ok(itemOf(open, a.id).y < itemOf(open, b.id).y, `${a.id} stays above ${b.id}`);
    }
  }
});

for (const all of [false, true]) {
  test(`no two items overlap in ${recordings.length} recorded programs, scopes ${all ? "open" : "closed"}`, () => {
    for (const id of recordings) assertApart(layoutGraph(opened(id, all)), id);
  });
}

for (const all of [false, true]) {
  test(`no line runs through an op, a closed scope or a constant in them, scopes ${all ? "open" : "closed"}`, () => {
    for (const id of recordings) assertClear(layoutGraph(all ? opened(id, true) : recorded(id)), id);
  });
}

test("nothing overlaps and no line runs through an op in one flow or in the backward part alone", () => {
  for (const id of recordings) {
    for (const scene of [layoutGraph({ ...recorded(id), merged: true }), layoutGraph(partOf(recorded(id), "backward"))]) {
      assertApart(scene, id);
      assertClear(scene, id);
    }
  }
});

for (const direction of /** @type {const} */ (["right", "down", "up"])) {
  const some = recordings.filter((_, i) => direction === "right" || i % 4 === 0);

  test(`no label stands on anything, no line runs through a scope's title or leaves its band, direction ${direction}`, () => {
    for (const id of some) {
      for (const model of [recorded(id), opened(id, true)]) {
        const scene = layoutGraph({ ...model, direction });
        assertReadable(scene, id);
        assertBanded(scene, id);
      }
    }
  });

  test(`with all scopes open nothing overlaps and no line runs through an op, direction ${direction}`, () => {
    for (const id of some) {
      for (const merged of [false, true]) {
        const scene = layoutGraph({ ...opened(id, true), merged, direction });
        assertApart(scene, id);
        assertClear(scene, id);
      }
    }
  });
}

test("layout time grows about as the graph does", () => {
  const time = (/** @type {number} */ n) => {
    const nodes = Array.from({ length: n }, (_, i) =>
      node(`op_${i}`, "Add", i < 4 ? [] : [`op_${i - 1 - (i % 3)}`, `op_${i - 4}`]),
    );
    const all = [...scopeTree(nodes).scopes.keys()];
    layoutGraph(model(nodes, all));
    const start = performance.now();
    layoutGraph(model(nodes, all));
    return performance.now() - start;
  };
  assert.ok(time(1600) < 60 * time(200)); // 8 times the ops; quadratic would be 64
});
