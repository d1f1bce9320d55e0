// A small program for the tests: y = exp(sin(x)) at x = 3, its gradient down to Sin, and its lesson.

import { FIRST_SETTINGS } from "../../frontend/runs/optimizers.js";

/**
 * @param {string} name
 * @param {string} op
 * @param {string[]} inputs
 * @param {number} value
 * @param {Partial<import("../../frontend/types.js").ApiNode>} [more]
 * @returns {import("../../frontend/types.js").ApiNode}
 */
export const node = (name, op, inputs, value, more = {}) => ({
  ...{
    name,
    op,
    inputs,
    value,
    control_inputs: [],
    attrs: {},
    device: "",
    phase: "forward",
    of: null,
    span: null,
  },
  outputs: [{ dtype: "float32", shape: [] }],
  ...more,
});

/** @type {import("../../frontend/types.js").Program} */
export const CHAIN = {
  ...{ dialect: "math", status: "ok", printed: [], target: "Exp:0", diagnostics: [], result: null },
  bindings: [
    { name: "x", kind: "variable", tensor: "x:0", value: 3 },
    { name: "y", kind: "tensor", tensor: "Exp:0", value: 1.152 },
  ],
  gradients: [{ y: "Exp:0", x: "x:0", name: "x", tensor: "gradients/Sin_grad/mul:0", value: -1.14, reason: null }],
  graph: {
    nodes: [
      node("x", "VariableV2", [], 3),
      node("x/read", "Identity", ["x"], 3),
      node("Sin", "Sin", ["x/read"], 0.1411),
      node("Exp", "Exp", ["Sin"], 1.152),
      node("gradients/Fill", "Fill", [], 1, { phase: "gradient" }),
      node("gradients/Exp_grad/mul", "Mul", ["gradients/Fill", "Exp"], 1.152, {
        phase: "gradient",
        of: "Exp",
      }),
      node("gradients/Sin_grad/Cos", "Cos", ["x/read"], -0.99, { phase: "gradient", of: "Sin" }),
      node("gradients/Sin_grad/mul", "Mul", ["gradients/Exp_grad/mul", "gradients/Sin_grad/Cos"], -1.14, {
        phase: "gradient",
        of: "Sin",
      }),
    ],
  },
};

/**
 * @param {number} index
 * @param {import("../../frontend/types.js").Phase} phase
 * @param {string} name
 * @param {number} value
 * @param {string | null} of
 * @returns {import("../../frontend/types.js").Step}
 */
const step = (index, phase, name, value, of = null) => ({
  ...{ index, phase, node: name, of, rule: "", rule_numbers: "", upstream: null },
  sentence: { en: `step ${index}`, zh: `第 ${index} 步` },
  output: { tensor: `${name}:0`, value },
});

export const STEPS = [
  step(0, "forward", "x", 3),
  step(1, "forward", "Sin", 0.1411),
  step(2, "forward", "Exp", 1.152),
  step(3, "gradient", "gradients/Fill", 1),
  step(4, "gradient", "gradients/Exp_grad/mul", 1.152, "Exp"),
  step(5, "gradient", "gradients/Sin_grad/mul", -1.14, "Sin"),
];

/**
 * An optimization of y = x² from 3 with rate 0.25: each update halves x.
 * @param {number} updates
 * @param {number} start
 * @returns {import("../../frontend/types.js").Run}
 */
export function halvings(updates, start = 3) {
  const x = Array.from({ length: updates + 1 }, (_, k) => start / 2 ** k);
  return {
    ...{
      program: CHAIN,
      parts: [
        { id: "r_1", first: 0, rate: null, optimizer: "GradientDescent", parameters: {}, settings: FIRST_SETTINGS, slots: {} },
      ],
      status: "ok",
      stopped_at: null,
      diagnostics: [],
      steps: x.map((_, k) => k),
      loss: x.map((value) => value ** 2),
    },
    ...{
      variables: { x },
      gradients: { x: x.map((value) => 2 * value) },
      processed: { x: x.map((value) => 2 * value) },
      slots: {},
      shared: {},
      nodes: { "x:0": x },
    },
  };
}

/**
 * The lines in which a server tells a run: a chunk for so many rows.
 * @param {import("../../frontend/types.js").Run} run @param {number} rows
 */
export function linesOf({ program, parts, status, stopped_at, diagnostics, ...columns }, rows = 2) {
  /** @param {any} entry @param {number} at @returns {any} */
  const cut = (entry, at) =>
    Array.isArray(entry)
      ? entry.slice(at, at + rows)
      : Object.fromEntries(Object.entries(entry).map(([name, inner]) => [name, cut(inner, at)]));
  const starts = columns.steps.filter((step) => step % rows === 0);
  return [
    { type: "header", id: parts[0].id, program, rows: columns.steps.length },
    ...starts.map((at) => ({ type: "chunk", ...cut(columns, at) })),
    { type: "footer", status, stopped_at, diagnostics },
  ];
}
