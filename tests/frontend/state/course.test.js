import assert from "node:assert/strict";
import { test } from "node:test";

import { FIRST_SETTINGS } from "../../../frontend/runs/optimizers.js";
import {
  formIn,
  formsOf,
  levelFor,
  NO_NOTES,
  notesFrom,
  placeIn,
  settingsAfter,
  stepCalled,
  tabAfter,
  textOf,
  withPlace,
  withTick,
} from "../../../frontend/state/course.js";

test("a prompt is ticked, and with another press no longer", () => {
  const once = withTick(NO_NOTES, "g04", 1);
  assert.deepEqual(once.ticked, { g04: [1] });
  assert.deepEqual(withTick(once, "g04", 1).ticked, { g04: [] });
});

test("what was kept comes back, and nonsense is forgotten", () => {
  const notes = withPlace(withTick(NO_NOTES, "g01", 0), { id: "chain", stop: 2 });
  assert.deepEqual(notesFrom(JSON.stringify(notes)), notes);
  for (const kept of [null, "{", "null", '{"ticked": 3, "places": {"chain": "x"}}']) assert.deepEqual(notesFrom(kept), NO_NOTES);
});

test("a lesson goes on at the kept place, unless that is about another example", () => {
  const text = { en: "", zh: "" };
  const lesson = { id: "chain", title: text, minutes: 10, stops: ["g01", "g02", "g01"].map((item) => ({ item, do: text })) };
  assert.equal(placeIn(lesson, 2, "g01"), 2);
  assert.equal(placeIn(lesson, 2, "g02"), 1);
  assert.equal(placeIn(lesson, undefined, "g01"), 0);
  assert.equal(placeIn(lesson, 0, "g09"), -1);
});

test("a command sets the optimizer with its parameters, or a process with its limit", () => {
  const momentum = settingsAfter(FIRST_SETTINGS, { optimizer: { name: "Momentum", momentum: 0.5 } });
  assert.deepEqual([momentum.name, momentum.parameters], ["Momentum", { momentum: 0.5 }]);
  const clipped = settingsAfter(momentum, { process: { clip_by_norm: 2 } });
  assert.deepEqual([clipped.name, clipped.process, clipped.limit], ["Momentum", "clip_by_norm", 2]);
  assert.equal(settingsAfter(clipped, { process: null }).process, "none");
  assert.equal(settingsAfter(clipped, { rate: 2 }), clipped);
});

test("an example with a level of its own gives back the learner's", () => {
  const own = { start: [{ rate: 1 }, { level: /** @type {const} */ ("tensorflow") }] };
  const first = levelFor({ level: "mathematics", levelBefore: null }, own);
  assert.deepEqual(first, { level: "tensorflow", levelBefore: "mathematics" });
  assert.deepEqual(levelFor({ level: "tensorflow", levelBefore: "mathematics" }, own), first);
  assert.deepEqual(levelFor({ level: "tensorflow", levelBefore: "mathematics" }, { start: [] }), {
    level: "mathematics",
    levelBefore: null,
  });
  assert.deepEqual(levelFor({ level: "tensorflow", levelBefore: null }, { start: [] }), {});
});

test("an example is opened in its own language or in another one, and the text in the editor says in which it is", () => {
  const forms = [
    { dialect: "torch", source: "import torch" },
    { dialect: "jax", source: "import jax" },
  ];
  const item = /** @type {any} */ ({
    dialect: "math",
    source: "y = x^2",
    at: { x: 3 },
    texts: [{ id: "small", source: "y = x" }],
    forms,
  });
  assert.deepEqual(formsOf(item), ["math", "torch", "jax"]);
  assert.deepEqual([formIn(item, "import jax"), formIn(item, "y = x"), formIn(item, "typed")], ["jax", "math", "math"]);
  assert.deepEqual(
    [textOf(item, "torch").source, textOf(item, "small").source, textOf(item, "main").at],
    ["import torch", "y = x", { x: 3 }],
  );
});

test("steps are called by their place in the lesson", () => {
  const steps = /** @type {any[]} */ (["forward", "forward", "gradient", "gradient"].map((phase, index) => ({ phase, index })));
  const state = { steps, run: null, row: 0 };
  assert.deepEqual([stepCalled("first", state), stepCalled("backward", state), stepCalled("last", state)], [0, 2, 3]);
});

test("on a small screen a button leads to where its effect is seen", () => {
  assert.equal(tabAfter([{ text: "main" }, { updates: 3 }]), "dock");
  assert.equal(tabAfter([{ value: { x: 1 } }]), "graph");
});
