// Lessons at level Mathematics, written down short: y = a·b + a, whose gradient by a has two terms.

import { node } from "../../chain.js";

/** @import { Program, Step } from "../../../../frontend/types.js" */

/** @type {Program} */
export const TWO_PATHS = {
  ...{ dialect: "math", status: "ok", printed: [], target: "add:0", diagnostics: [], result: null },
  bindings: ["a", "b"].map((name) => ({ name, kind: "variable", tensor: `${name}:0` })),
  gradients: [
    { y: "add:0", x: "a:0", name: "a", tensor: "gradients/AddN:0", value: 6, reason: null },
    { y: "add:0", x: "b:0", name: "b", tensor: "gradients/mul_grad/Mul_1:0", value: 2, reason: null },
  ],
  graph: {
    nodes: [
      node("a", "VariableV2", [], 2, { span: { line: 1, column: 5, end_line: 1, end_column: 6 } }),
      node("a/read", "Identity", ["a"], 2),
      node("b", "VariableV2", [], 5),
      node("b/read", "Identity", ["b"], 5),
      node("mul", "Mul", ["a/read", "b/read"], 10),
      node("add", "Add", ["mul", "a/read"], 12),
      node("gradients/Fill", "Fill", [], 1, { phase: "gradient" }),
      node("gradients/mul_grad/Mul", "Mul", ["gradients/Fill", "b/read"], 5, { phase: "gradient", of: "mul" }),
      node("gradients/mul_grad/Mul_1", "Mul", ["gradients/Fill", "a/read"], 2, { phase: "gradient", of: "mul" }),
      node("gradients/AddN", "AddN", ["gradients/Fill", "gradients/mul_grad/Mul"], 6, { phase: "gradient", of: "a" }),
    ],
  },
};

/** @type {Step[]} */
const told = [];

/** @param {Step["phase"]} phase @param {string} name @param {string} tensor @param {number} value @param {Partial<Step>} more */
function tell(phase, name, tensor, value, more) {
  const sentence = { en: `step ${told.length}`, zh: `第 ${told.length} 步` };
  const blank = { of: null, rule: "", rule_numbers: null, upstream: null, nodes: [name], inputs: [], contributions: [] };
  told.push({ ...blank, index: told.length, phase, node: name, sentence, output: { tensor, value }, ...more });
}

/** @param {string} from @param {string} to @param {string | null} factor @param {number | null} local @param {number} value */
const sent = (from, to, factor, local, value) => ({
  ...{ from: `${from}:0`, to: `${to}:0`, expression: "", factor, upstream: 1, local, value },
  ...{ expression_text: `∂y/∂${to}`, factor_text: factor },
});
const inputs = (/** @type {string[]} */ ...names) => names.map((name) => ({ tensor: `${name}:0`, value: null }));

tell("forward", "a", "a:0", 2, { rule_text: "a" });
tell("forward", "b", "b:0", 5, { rule_text: "b" });
tell("forward", "mul", "mul:0", 10, { rule_text: "a · b", inputs: inputs("a", "b") });
tell("forward", "add", "add:0", 12, { rule_text: "y = a · b + a", inputs: inputs("mul", "a") });
tell("seed", "gradients/Fill", "gradients/Fill:0", 1, { of: "add", rule_text: "∂y/∂y" });
tell("backward", "add", "gradients/Fill:0", 1, {
  ...{ of: "add", nodes: [], upstream: { tensor: "gradients/Fill:0", value: 1 } },
  contributions: [sent("add", "mul", "1", 1, 1), sent("add", "a", "1", 1, 1)],
});
tell("backward", "gradients/mul_grad/Mul", "gradients/mul_grad/Mul:0", 5, {
  ...{ of: "mul", nodes: ["gradients/mul_grad/Mul", "gradients/mul_grad/Mul_1"] },
  upstream: { tensor: "gradients/Fill:0", value: 1 },
  contributions: [sent("mul", "a", "b", 5, 5), sent("mul", "b", "a", 2, 2)],
});
tell("sum", "gradients/AddN", "gradients/AddN:0", 6, {
  of: "a",
  contributions: [sent("add", "a", null, null, 1), sent("mul", "a", null, null, 5)],
});
tell("close", "a", "gradients/AddN:0", 6, { of: "a", nodes: [] });

export const TWO_PATHS_STEPS = told;
