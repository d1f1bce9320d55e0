// Two pictures side by side: what is lit in both, and the step at which the second one stands.

import assert from "node:assert/strict";
import { test } from "node:test";

import { knownHere, litBeside, pointedHere } from "../../../frontend/state/selectors.js";
import { answered as pairing, cursorThere, levelThere, lit, litHere, marksThere, pointedThere } from "../../../frontend/comparing/side_by_side.js"; // prettier-ignore
import { answered, INITIAL, state, update } from "../../../frontend/store.js";
import { CHAIN, node, STEPS as WITHOUT_COS } from "../chain.js";

const COS = {
  ...WITHOUT_COS[4],
  node: "gradients/Sin_grad/Cos",
  of: "Sin",
  output: { tensor: "gradients/Sin_grad/Cos:0", value: -0.99 },
};
const STEPS = [...WITHOUT_COS.slice(0, 5), COS, ...WITHOUT_COS.slice(5)].map((step, index) => ({ ...step, index }));

const EQUATIONS = [
  node("a", "VariableV2", [], 3),
  node("b", "sin", ["a"], 0.1411),
  node("c", "cos", ["a"], -0.99),
  node("d", "exp", ["b"], 1.152),
  node("e", "mul", ["d"], 1.152, { phase: "gradient" }),
  node("f", "mul", ["e", "c"], -1.14, { phase: "gradient" }),
];
/** @param {number} place @returns {"forward" | "backward"} */
const phaseOf = (place) => (place < 4 ? "forward" : "backward");
const JAX_STEPS = EQUATIONS.map(({ name, value }, index) => ({
  ...STEPS[0],
  ...{ index, node: name, phase: phaseOf(index), of: null, output: { tensor: `${name}:0`, value } },
}));
const QUANTITIES = /** @type {import("../../../frontend/types.js").PairedQuantity[]} */ ([
  { kind: "value", text: "sin x", left: ["Sin"], right: ["b"] },
  { kind: "gradient", text: "∂y/∂(sin x)", left: ["gradients/Exp_grad/mul"], right: ["e"] },
  { kind: "gradient", text: "∂y/∂x", left: ["gradients/Sin_grad/mul"], right: ["f"] },
  { kind: "factor", text: "cos x", left: ["gradients/Sin_grad/Cos"], right: ["c"] },
]);

/** TensorFlow's picture of the chain with JAX's beside it. */
function open() {
  const lesson = { level: /** @type {const} */ ("tensorflow"), steps: STEPS, values: {} };
  state.value = INITIAL;
  update({ ...answered({ ...INITIAL, level: "tensorflow" }, CHAIN, { ...lesson, asked: "tensorflow" }), level: "tensorflow" });
  const graph = { nodes: EQUATIONS, target: null, names: {} };
  update({ beside: "jax", lessons: { tensorflow: lesson, jax: { level: "jax", steps: JAX_STEPS, values: {}, graph } } });
  pairing.value = {
    of: /** @type {object} */ (state.value.program),
    answer: { left: "tensorflow", right: "jax", quantities: QUANTITIES, differences: [], corners: [] },
  };
}

/** The step about a node. @param {string} name */
const at = (name) => STEPS.findIndex((step) => step.node === name);

test("the quantity of the step is lit in both pictures, and the second one stands at its equation", () => {
  open();
  update({ cursor: at("gradients/Exp_grad/mul") });
  assert.equal(levelThere.value, "jax");
  assert.deepEqual(lit.value.map(({ text }) => text), ["∂y/∂(sin x)"]); // prettier-ignore
  assert.equal(litHere.value?.has("gradients/Exp_grad/mul"), true);
  assert.equal(litHere.value?.has("gradients/Exp_grad"), true); // the scope around it, while that is closed
  assert.equal(JAX_STEPS[cursorThere.value].node, "e");
  assert.deepEqual(["e", "f"].map((name) => marksThere.value.values.get(name)), ["1.152", "?"]); // prettier-ignore
});

test("a local derivative that JAX computed long ago does not take the second picture back", () => {
  open();
  update({ cursor: at("gradients/Sin_grad/Cos") });
  assert.equal(JAX_STEPS[cursorThere.value].node, "e");
  assert.deepEqual([...(marksThere.value.lit ?? [])], ["c"]);
});

test("what is pointed at in one picture is lit in the other", () => {
  open();
  pointedHere.value = "Sin";
  assert.deepEqual([...(marksThere.value.lit ?? [])], ["b"]);
  pointedHere.value = null;
  pointedThere.value = { side: "right", name: "f" };
  assert.equal(litHere.value?.has("gradients/Sin_grad/mul"), true);
  pointedThere.value = { left: ["Exp"], right: ["d"] };
  assert.deepEqual([[...(litHere.value ?? [])], [...(marksThere.value.lit ?? [])]], [["Exp"], ["d"]]);
  pointedThere.value = null;
});

test("another text, or a run, has no pairs until they are answered", () => {
  open();
  update({ program: { ...CHAIN } });
  assert.deepEqual([lit.value, litHere.value, litBeside.value], [[], null, null]);
  assert.ok(knownHere.value);
});
