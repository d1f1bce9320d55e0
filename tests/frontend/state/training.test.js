import assert from "node:assert/strict";
import { test } from "node:test";

import { canBeChosen, carriedOver, trainedIn, withOther } from "../../../frontend/state/training.js";
import { CHAIN } from "../chain.js";

/** @param {string[]} names @param {string[]} trained */
const formula = (names, trained) => ({
  ...CHAIN,
  dialect: "math",
  bindings: names.map((name) => ({ name, kind: "variable", tensor: `${name}:0` })),
  gradients: trained.map((name) => ({ y: "y:0", x: `${name}:0`, name, tensor: `g_${name}:0`, value: 1, reason: null })),
});
const LOSS = formula(["y", "w", "x"], ["w"]);

test("a variable is trained that a gradient is taken by", () => {
  assert.deepEqual([...trainedIn(LOSS)], ["w"]);
});

test("a click trains what was constant, and holds what was trained", () => {
  assert.deepEqual(withOther(LOSS, "x"), { of: ["y", "w", "x"], trained: ["w", "x"] });
  assert.deepEqual(withOther(LOSS, "w"), { of: ["y", "w", "x"], trained: [] });
});

test("only a formula's variables can be chosen", () => {
  assert.equal(canBeChosen(LOSS, "w"), true);
  assert.equal(canBeChosen(LOSS, "z"), false);
  assert.equal(canBeChosen({ ...LOSS, dialect: "tf1" }, "w"), false);
});

test("a choice outlives another text: what was chosen stays, and a new variable is trained", () => {
  const choice = { of: ["w", "x"], trained: ["x"] };
  assert.equal(carriedOver(choice, formula(["x", "w"], ["x"])), choice);
  assert.deepEqual(carriedOver(choice, formula(["w", "x", "b"], ["x"])), { of: ["w", "x", "b"], trained: ["x", "b"] });
  assert.equal(carriedOver(choice, formula(["a"], [])), null);
  assert.equal(carriedOver(choice, { ...formula([], []), status: "error" }), choice);
});
