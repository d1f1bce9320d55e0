import assert from "node:assert/strict";
import { test } from "node:test";

import {
  firstStop,
  knownAfter,
  knownAt,
  knownInRun,
  knownWithin,
  passesOf,
  phasesOf,
  scopeOutputs,
} from "../../../frontend/state/lesson.js";
import { CHAIN, halvings, node, STEPS } from "../chain.js";

test("a lesson opens at the seed: everything forward is known", () => {
  assert.equal(firstStop(STEPS), 3);
  assert.equal(firstStop(STEPS.slice(0, 3)), 2);
  assert.equal(firstStop([]), -1);
});

test("phases are runs of steps", () => {
  assert.deepEqual(phasesOf(STEPS), [
    { phase: "forward", first: 0, count: 3 },
    { phase: "gradient", first: 3, count: 3 },
  ]);
});

test("each forward phase after another one begins a pass", () => {
  const again = STEPS.map((step) => ({ ...step, index: step.index + STEPS.length }));
  const passes = passesOf(phasesOf([...STEPS, ...again]));
  assert.deepEqual(
    passes.map((phases) => phases.map(({ phase, first }) => [phase, first])),
    [
      [
        ["forward", 0],
        ["gradient", 3],
      ],
      [
        ["forward", 6],
        ["gradient", 9],
      ],
    ],
  );
  assert.deepEqual(passesOf([]), []);
});

test("a node without a step of its own is known as soon as its inputs are", () => {
  const known = knownAt(CHAIN.graph.nodes, STEPS);
  assert.equal(known.get("x/read"), 0);
  assert.equal(known.get("gradients/Sin_grad/Cos"), 0);
  assert.equal(known.get("gradients/Sin_grad/mul"), 5);
});

test("at the seed forward values and the 1 are shown, gradients are asked", () => {
  const { values, status } = knownAfter(CHAIN, STEPS, 3);
  assert.equal(values.get("Exp"), "1.152");
  assert.equal(values.get("gradients/Fill"), "1");
  assert.equal(values.get("gradients/Exp_grad/mul"), "?");
  assert.equal(status.get("gradients/Fill"), "current");
  assert.equal(status.get("gradients/Sin_grad/mul"), "waiting");
});

test("only the node that is told is current; what it makes known at once is done", () => {
  const { status } = knownAfter(CHAIN, STEPS, 0);
  assert.equal(status.get("x"), "current");
  assert.equal(status.get("x/read"), "done");
});

test("an update group is done with its updates, and its ring does not spread to the op named like it", () => {
  const update = node("train/update_x", "ApplyGradientDescent", ["x"], 2.94, { phase: "update" });
  const group = node("train", "NoOp", [], 0, { phase: "update", control_inputs: ["train/update_x"] });
  const program = { ...CHAIN, graph: { nodes: [...CHAIN.graph.nodes, update, group] } };
  const steps = [...STEPS, { ...STEPS[5], index: 6, node: "train/update_x" }];
  assert.equal(knownAfter(program, steps, 5).status.get("train"), "waiting");
  assert.equal(knownAfter(program, steps, 6).status.get("train/update_x"), "current");
  assert.equal(knownAfter(program, steps, 6).status.get("train"), "done");
});

test("a scope shows what it hands on", () => {
  assert.deepEqual(scopeOutputs(CHAIN).get("gradients/Sin_grad"), ["gradients/Sin_grad/mul"]);
  const { values, status } = knownAfter(CHAIN, STEPS, 4);
  assert.equal(values.get("gradients/Exp_grad"), "1.152");
  assert.equal(status.get("gradients/Exp_grad"), "current");
  assert.equal(values.get("gradients/Sin_grad"), "?");
});

test("every digit of a value is that of the run that the lesson tells, not of the last one", () => {
  const nodes = CHAIN.graph.nodes.map((each) => (each.name === "Exp" ? { ...each, value: 7 } : each));
  const { exact } = knownAfter({ ...CHAIN, graph: { ...CHAIN.graph, nodes } }, STEPS, 3);
  assert.equal(exact.get("Exp"), STEPS[2].output?.value);
});

test("a layer hands on its activation, not its weight that a gradient rule borrows, nor Adam's slots in it", () => {
  const slot = { phase: /** @type {const} */ ("update") };
  const nodes = [
    node("layer/w", "VariableV2", [], 2),
    node("layer/mul", "Mul", ["layer/w"], 6),
    node("layer/Relu", "Relu", ["layer/mul"], 6),
    node("Square", "Square", ["layer/Relu"], 36),
    node("gradients/Square_grad/Mul", "Mul", ["layer/Relu"], 12, { phase: "gradient" }),
    node("gradients/layer/mul_grad/Mul", "Mul", ["gradients/Square_grad/Mul", "layer/w"], 24, { phase: "gradient" }),
    node("layer/w/Adam", "VariableV2", [], 0, slot),
    node("Adam/update_layer/w/ApplyAdam", "ApplyAdam", ["layer/w", "layer/w/Adam", "gradients/layer/mul_grad/Mul"], 1.9, slot),
  ];
  const program = { ...CHAIN, target: "Square:0", gradients: [], graph: { nodes } };
  assert.deepEqual(scopeOutputs(program).get("layer"), ["layer/Relu"]);
  assert.equal(knownAfter(program, [], -1).values.get("layer"), "6");
});

test("a tower that ends in its own loss and holds the gradient of it hands on the loss", () => {
  const nodes = [
    node("tower/loss", "Mean", [], 10),
    node("tower/gradients/Mean_grad", "Mul", [], -10, { phase: "gradient" }),
    node("average/AddN", "AddN", ["tower/gradients/Mean_grad"], -10, { phase: "process" }),
  ];
  const gradients = [{ ...CHAIN.gradients[0], y: "tower/loss:0", tensor: "tower/gradients/Mean_grad:0" }];
  assert.deepEqual(scopeOutputs({ ...CHAIN, target: null, gradients, graph: { nodes } }).get("tower"), ["tower/loss"]);
});

test("a variable's scope shows the variable", () => {
  assert.deepEqual(scopeOutputs(CHAIN).get("x"), ["x"]);
  assert.equal(knownAfter(CHAIN, STEPS, 0).status.get("x"), "current");
});

test("without a lesson every value is shown", () => {
  const { values, status } = knownAfter(CHAIN, [], -1);
  assert.equal([...values.values()].includes("?"), false);
  assert.deepEqual(new Set(status.values()), new Set(["done"]));
});

test("in a run a node shows its value before the update, or keeps its own where the run has none", () => {
  const { values } = knownInRun(halvings(2), 2);
  assert.equal(values.get("x"), "1.5"); // 3 / 2: the second update begins there
  assert.equal(values.get("Sin"), "0.1411");
});

test("in a run a variable shows its value before the update, and the update what it wrote", () => {
  const run = { ...halvings(2), nodes: {} };
  const update = node("train/update_x", "ApplyGradientDescent", ["x", "rate", "g"], 0, { phase: "update" });
  const grown = { ...run, program: { ...run.program, graph: { nodes: [...run.program.graph.nodes, update] } } };
  const { values } = knownInRun(grown, 1);
  assert.equal(values.get("x"), "3");
  assert.equal(values.get("train/update_x"), "1.5"); // 3 / 2
});

test("a number that a run keeps no column of is blank, not another step's, until it is asked for", () => {
  const run = { ...halvings(2), nodes: {} };
  const rowValues = { row: 2, nodes: { "Sin:0": 0.997 } };
  assert.equal(knownInRun(run, 1).values.get("Sin"), "0.1411"); // the first update begins with what is known
  assert.equal(knownInRun(run, 2).values.get("Sin"), "");
  assert.equal(knownInRun(run, 2, rowValues).values.get("Sin"), "0.997");
  assert.equal(knownInRun(run, 3, rowValues).values.get("Sin"), "");
});

test("a tensor that a run keeps no column of stays until it is asked for", () => {
  const wide = (/** @type {number[]} */ data) => ({ dtype: "float64", shape: [2], data });
  const h = node("h", "Mul", ["x"], 0, { value: wide([1, 2]) });
  const run = { ...halvings(2), program: { ...CHAIN, graph: { nodes: [...CHAIN.graph.nodes, h] } } };
  assert.equal(knownInRun(run, 2).values.get("h"), "[1, 2]");
  assert.equal(knownInRun(run, 2, { row: 2, nodes: { "h:0": wide([3, 4]) } }).values.get("h"), "[3, 4]");
});

test("a tensor of a row further away is blank until it is asked for, and its gradient has a column", () => {
  const wide = (/** @type {number[]} */ data) => ({ dtype: "float64", shape: [2], data });
  const h = node("h", "Mul", ["x"], 0, { value: wide([1, 2]) });
  const dx = node("dx", "Mul", ["h"], 0, { value: wide([5, 6]), phase: "gradient" });
  const gradients = [{ y: "y", x: "x:0", name: "x", tensor: "dx:0", value: null, reason: null }];
  const program = { ...CHAIN, gradients, graph: { nodes: [...CHAIN.graph.nodes, h, dx] } };
  const run = {
    ...halvings(2),
    program,
    gradients: {
      x: [
        [5, 6],
        [7, 8],
        [9, 10],
      ],
    },
  };
  const rowValues = { row: 1, nodes: { "h:0": wide([1, 2]) } };
  assert.equal(knownInRun(run, 2, rowValues).values.get("h"), "[1, 2]");
  assert.equal(knownInRun(run, 3, rowValues).values.get("h"), "");
  assert.equal(knownInRun(run, 3).values.get("h"), "");
  assert.equal(knownInRun(run, 3).values.get("dx"), "[9, 10]");
});

test("in a run a constant keeps its number, and what reads the optimizer's state shows it", () => {
  const [gradient, updating] = /** @type {const} */ ([{ phase: "gradient" }, { phase: "update" }]);
  const seed = node("gradients/ys", "Const", [], 1, gradient);
  const slot = node("x/Momentum", "VariableV2", [], 0, updating);
  const read = node("x/Momentum/read", "Identity", ["x/Momentum"], 0, updating);
  const run = { ...halvings(2), program: { ...CHAIN, graph: { nodes: [...CHAIN.graph.nodes, seed, slot, read] } } };
  const { values } = knownInRun({ ...run, nodes: { ...run.nodes, "x/Momentum:0": [0, 6, 11.28] } }, 2);
  assert.equal(values.get("gradients/ys"), "1");
  assert.equal(values.get("x/Momentum/read"), "6"); // the state that the second update begins with
});

test("an update that is walked through has its numbers, and asks for what the steps have not reached", () => {
  const { values } = knownWithin(halvings(2), 2, STEPS, 0);
  assert.equal(values.get("x"), "1.5");
  assert.equal(values.get("Exp"), "?");
});

test("a node without a step has its value of the run that is told, not what the program left behind", () => {
  const { values } = knownAfter(CHAIN, STEPS, 5, { "x/read": 7, Sin: 8 });
  assert.equal(values.get("x/read"), "7");
  assert.equal(values.get("Sin"), "0.1411"); // as its step says
});

test("a scope with several unknown outputs asks once", () => {
  const rest = { phase: /** @type {const} */ ("gradient"), of: "mul" };
  const nodes = [
    node("gradients/Fill", "Fill", [], 1, { phase: "gradient" }),
    node("gradients/mul_grad/Mul", "Mul", ["gradients/Fill"], 2, rest),
    node("gradients/mul_grad/Mul_1", "Mul", ["gradients/Fill"], 3, rest),
  ];
  const steps = [
    { ...STEPS[3], index: 0 },
    { ...STEPS[4], index: 1, node: "gradients/mul_grad/Mul" },
    { ...STEPS[4], index: 2, node: "gradients/mul_grad/Mul_1" },
  ];
  const program = { ...CHAIN, target: null, gradients: [], graph: { nodes } };
  assert.equal(knownAfter(program, steps, 0).values.get("gradients/mul_grad"), "?");
});

test("of a graph from a file what was computed is known, and of scopes what they hand on", () => {
  const [x, y] = [
    node("x", "VariableV2", [], /** @type {any} */ (null)),
    node("loss/y", "Sin", ["x:0"], /** @type {any} */ (null)),
  ];
  const program = { ...CHAIN, gradients: [], graph: { nodes: [x, y] } };
  assert.equal(knownAfter(program, [], -1).values.size, 0);
  const { values, status } = knownAfter(program, [], -1, { x: 0, "loss/y": 0.5 });
  assert.deepEqual([values.get("x"), values.get("loss/y"), values.get("loss")], ["0", "0.5", "0.5"]);
  assert.equal(status.get("loss/y"), "done");
});
