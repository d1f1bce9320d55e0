import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { effect } from "@preact/signals-core";

import * as selectors from "../../frontend/state/selectors.js";
import * as store from "../../frontend/store.js";
import { CHAIN, halvings, node, STEPS } from "./chain.js";

const { state, update } = store;

/**
 * A program with one node fewer or more.
 * @param {import("../../frontend/types.js").ApiNode[]} nodes
 * @param {Partial<import("../../frontend/types.js").Program>} more
 */
const programOf = (nodes, more = {}) => ({ ...CHAIN, ...more, graph: { nodes } });

beforeEach(() => {
  state.value = store.INITIAL;
  update(store.answered(state.value, CHAIN, { steps: STEPS }));
});

test("an answer is drawn with the lesson at its seed and the gradient scope open", () => {
  assert.equal(state.value.cursor, 3);
  assert.deepEqual([...state.value.open], ["gradients"]);
  assert.equal(selectors.graphModel.value?.names.get("Exp"), "y");
  assert.equal(selectors.graphMarks.value.values.get("gradients/Exp_grad/mul"), "?");
});

test("scrubbing to a step equals pressing Next as often, and back gives the same state", () => {
  const before = selectors.graphMarks.value;
  update(store.movedTo(state.value, 4));
  update(store.movedTo(state.value, 5));
  const stepped = { ...selectors.graphMarks.value };
  update(store.movedTo(state.value, 0));
  update(store.movedTo(state.value, 5));
  assert.deepEqual({ ...selectors.graphMarks.value }, stepped);
  update(store.movedTo(state.value, 3));
  assert.deepEqual({ ...selectors.graphMarks.value }, { ...before });
});

test("stepping changes the marks and never the model", () => {
  const model = selectors.graphModel.value;
  update(store.movedTo(state.value, 5));
  assert.equal(selectors.graphModel.value, model);
});

test("there is no step before the first or after the last", () => {
  assert.equal(store.movedTo(state.value, -1).cursor, 0);
  assert.equal(store.movedTo(state.value, 99).cursor, 5);
});

test("text that cannot be read keeps the last good graph and marks it stale", () => {
  update(store.answered(state.value, programOf([], { status: "error" }), { steps: [] }));
  assert.equal(state.value.stale, true);
  assert.equal(state.value.program, CHAIN);
  assert.equal(state.value.cursor, 3);
});

test("while a line in the middle is being typed the whole graph stays", () => {
  update(store.answered(state.value, programOf(CHAIN.graph.nodes.slice(0, 3), { status: "error" }), { steps: [] }));
  assert.equal(state.value.program, CHAIN);
});

test("another program with a mistake is drawn as far as it goes", () => {
  const partial = programOf([node("Const", "Const", [], 1)], { status: "error" });
  update(store.answered(state.value, partial, { steps: [] }));
  assert.equal(state.value.program, partial);
  assert.equal(state.value.stale, false);
});

test("new values of the same graph leave the learner at the same step", () => {
  update(store.movedTo(state.value, 5));
  update(store.answered(state.value, { ...CHAIN }, { steps: STEPS }));
  assert.equal(state.value.cursor, 5);
});

test("a program that prints shows its output, one that does not shows the optimizer", () => {
  update(store.answered(state.value, { ...CHAIN, printed: ["1"] }, { steps: STEPS }));
  assert.equal(state.value.dock, "output");
  update(store.answered(state.value, CHAIN, { steps: STEPS }));
  assert.equal(state.value.dock, "optimizer");
});

test("an answer that prints leaves the tool that was chosen while it was on its way, another text's shows what it prints", () => {
  const printing = { ...CHAIN, printed: ["1"] };
  update({ ...store.answered(state.value, CHAIN, { steps: STEPS }), source: "print(1)" });
  update(store.docked(state.value, "table"));
  assert.equal(store.answered(state.value, printing, { steps: STEPS }).dock, "table");
  update({ source: "print(2)" });
  assert.equal(store.answered(state.value, printing, { steps: STEPS }).dock, "output");
});

test("the lines of an output are those printed, as they break, and the result", () => {
  const result = { ...CHAIN, result: { kind: "number", value: 1 } };
  assert.equal(store.outputLines({ ...CHAIN, printed: ["1", "2\n3"] }), 3);
  assert.equal(store.outputLines(/** @type {any} */ ({ ...result, printed: [] })), 1);
});

test("a text that a limit stopped before it drew or printed anything leaves the graph, and is not said to compute numbers", () => {
  update(store.answered(state.value, CHAIN, { steps: STEPS }));
  const stopped = programOf([], { status: "limit" });
  update({ ...store.answered(state.value, stopped, { steps: [] }), source: "while True: pass" });
  assert.equal(state.value.program, CHAIN);
  assert.equal(state.value.stale, true);
  assert.equal(store.wordsForNothing(state.value), "graph.failed");
  update(store.answered(state.value, { ...stopped, printed: ["1"] }, { steps: [] }));
  assert.deepEqual(state.value.program?.printed, ["1"]);
});

test("nothing drawn is said to compute numbers only where it does, and to be mended where it has a mistake", () => {
  const numbers = programOf([], {});
  update({ ...store.answered(state.value, numbers, { steps: [] }), source: "print(1)" });
  assert.equal(store.wordsForNothing(state.value), "step.none");
  update({ source: " " });
  assert.equal(store.wordsForNothing(state.value), "graph.empty");
  update({ ...store.answered(state.value, programOf([], { status: "refused" }), { steps: [] }), source: "y = foo(x)" });
  assert.equal(store.wordsForNothing(state.value), "graph.failed");
  assert.equal(state.value.stale, false); // no older picture stands there
});

/** Take a run in and show a row. @param {import("../../frontend/types.js").Run} run @param {number} row */
function show(run, row) {
  update(store.arrived(state.value, run, state.value.settings));
  update(store.atRow(state.value, row));
}

test("a run is shown at the update asked for, and a reset gives back the lesson", () => {
  const { cursor } = state.value;
  show(halvings(2), 2);
  assert.equal(selectors.graphMarks.value.values.get("x"), "1.5"); // 3 / 2, before the second update
  update(store.movedTo(state.value, 1));
  assert.deepEqual([state.value.optimising, state.value.row, state.value.cursor], [false, 2, 1]);
  update(store.movedTo(state.value, 99));
  assert.deepEqual([state.value.optimising, state.value.cursor], [true, STEPS.length]); // the update itself is the last
  update(store.withoutRun(state.value));
  assert.deepEqual([state.value.steps, state.value.cursor, state.value.run], [STEPS, cursor, null]);
});

test("the row shown follows the rows of a run towards its goal", () => {
  update({ goal: { from: 0, to: 3, settings: state.value.settings }, selected: "x" });
  update(store.arrived(state.value, { ...halvings(2), status: "running" }, state.value.settings));
  update(store.towardsGoal(state.value));
  assert.deepEqual([state.value.row, state.value.busy, state.value.selected], [2, true, "x"]);
  update(store.arrived(state.value, { ...halvings(9), status: "running" }, state.value.settings));
  update(store.towardsGoal(state.value));
  assert.deepEqual([state.value.row, state.value.busy, state.value.goal], [3, false, null]);
});

test("more rows of the same graph leave it as it is drawn", () => {
  show(halvings(2), 1);
  const [model, open] = [selectors.graphModel.value, state.value.open];
  show(halvings(9), 8);
  assert.equal(selectors.graphModel.value, model);
  assert.equal(state.value.open, open);
});

test("back at the start of a run the lesson is shown again", () => {
  show(halvings(2), 1);
  update(store.atRow(state.value, 0));
  assert.equal(state.value.optimising, false);
  assert.equal(selectors.graphMarks.value.values.get("gradients/Exp_grad/mul"), "?");
});

test("a new text forgets the run", () => {
  show(halvings(2), 1);
  update(store.answered(state.value, { ...CHAIN }, { steps: STEPS }));
  assert.equal(state.value.run, null);
});

test("values are kept for a text that was read in another language by hand and could not be", () => {
  const failed = /** @type {import("../../frontend/types.js").Program} */ ({ ...CHAIN, dialect: "tf1", status: "error" });
  assert.deepEqual(store.valuesInUse({ x: 3 }, failed, "tf1"), { x: 3 });
  assert.deepEqual(store.valuesInUse({ x: 3 }, failed, "auto"), {});
  assert.deepEqual(store.valuesInUse({ x: 3 }, { ...failed, status: "ok" }, "tf1"), {});
});

test("whoever reads one field of the state hears of its changes alone", () => {
  const heard = /** @type {string[]} */ ([]);
  const source = store.partOfState("source", "dialect");
  const stop = effect(() => void heard.push(source.value.source));
  update({ selected: "Sin" });
  update({ source: "y = 1" });
  update({ cursor: 1 });
  stop();
  assert.deepEqual(heard, [store.INITIAL.source, "y = 1"]);
});
