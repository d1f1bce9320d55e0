// Models of programs that a real TensorFlow 1.15.5 ran (tests/data/tensorflow), and of small graphs written by hand.

import { readFileSync } from "node:fs";

/** @typedef {import("../../../frontend/layout/types.js").ApiNode} ApiNode */
/** @typedef {import("../../../frontend/layout/types.js").GraphModel} GraphModel */
/** @typedef {import("../../../frontend/layout/types.js").Scene} Scene */
/** @typedef {import("../../../frontend/layout/types.js").Item} Item */

/**
 * A node of the recordings.
 * @typedef {object} Recorded
 * @property {string} name @property {string} op @property {string[]} inputs @property {string[]} control_inputs
 * @property {string} phase @property {Array<[string, Array<number | null> | null]>} outputs
 * @property {{value?: {shape: number[], value: unknown}}} attrs
 */

/**
 * The model of a recorded program.
 * @param {string} id the file's name
 * @param {{target?: string, of?: Array<[string, string]>, names?: Array<[string, string]>, open?: string[]}} [facts]
 *   `of`: (x, gradient) tensors that the program asked for
 * @returns {GraphModel}
 */
export function recorded(id, { target = "", of = [], names = [], open = ["gradients", "GradientDescent", "Adam"] } = {}) {
  const path = new URL(`../../data/tensorflow/${id}.json`, import.meta.url);
  /** @type {Recorded[]} */
  const nodes = JSON.parse(readFileSync(path, "utf8")).graphs["1.15.5"].nodes;
  const known = new Set(nodes.map(({ name }) => name));
  return {
    nodes: nodes.map((each) => ({ ...each, ...facts(each, known) })),
    target: target || null,
    names: new Map(names),
    open: new Set(open),
    gradients: of.map(([x, tensor]) => ({ y: target, x, tensor })),
  };
}

/** What the REST contract adds to a recorded node. @param {Recorded} node @param {ReadonlySet<string>} known */
function facts({ name, phase, outputs, attrs }, known) {
  const { shape, value } = attrs.value ?? { shape: [], value: null };
  return {
    phase: phase === "after" && name.startsWith("clip") ? "process" : phase,
    of: phase === "gradient" ? forwardOf(name, known) : null,
    outputs: outputs.map(([dtype, size]) => ({ dtype, shape: size })),
    value: shape.length > 0 ? { shape, data: value } : value,
  };
}

/** "gradients/Exp_grad/mul" was made by the rule of "Exp". @param {string} name @param {ReadonlySet<string>} known */
function forwardOf(name, known) {
  const [, ...path] = name.split("/");
  for (let depth = path.length - 1; depth > 0; depth -= 1) {
    const scope = path.slice(0, depth).join("/");
    if (scope.endsWith("_grad") && known.has(scope.slice(0, -5))) return scope.slice(0, -5);
  }
  return null;
}

export const expSin = (/** @type {string[]} */ ...open) =>
  recorded("compose-exp-sin", {
    target: "Exp:0",
    of: [["Variable:0", "gradients/Sin_grad/mul:0"]],
    names: [
      ["Exp", "y"],
      ["Variable", "x"],
    ],
    open: ["gradients", ...open],
  });

export const square = () => recorded("train-sgd-square", { target: "Square:0", of: [["x:0", "gradients/Square_grad/Mul_1:0"]] });

export const regression = () =>
  recorded("train-sgd-regression", {
    target: "Mean:0",
    of: [
      ["w:0", "gradients/MatMul_grad/tuple/control_dependency_1:0"],
      ["b:0", "gradients/add_grad/tuple/control_dependency_1:0"],
    ],
  });

/** Every recorded program with all its scopes open, or with none. @param {string} id @param {boolean} all */
export function opened(id, all) {
  const model = recorded(id);
  const scopes = model.nodes.flatMap(({ name }) => name.split("/").map((_, i, parts) => parts.slice(0, i).join("/")));
  return { ...model, open: new Set(all ? scopes.filter(Boolean) : []) };
}

/**
 * A forward node by hand.
 * @param {string} name @param {string} op @param {string[]} [inputs] @param {Partial<ApiNode>} [more]
 * @returns {ApiNode}
 */
export function node(name, op, inputs = [], more = {}) {
  const outputs = [{ dtype: "float32", shape: [] }];
  return { name, op, inputs, control_inputs: [], phase: "forward", of: null, outputs, value: null, ...more };
}

/** @param {ApiNode[]} nodes @param {string[]} [open] @returns {GraphModel} */
export const model = (nodes, open = []) => ({ nodes, target: null, names: new Map(), open: new Set(open) });

/** @param {Scene} scene @param {string} id @returns {Item} */
export function itemOf(scene, id) {
  const item = scene.items.find((each) => each.id === id);
  if (!item) throw new Error(`"${id}" is not drawn; drawn are ${scene.items.map((each) => each.id).join(", ")}`);
  return item;
}

/** @param {Item} item */
export const middleX = ({ x, width }) => x + width / 2;

/** @param {Item} item */
export const middleY = ({ y, height }) => y + height / 2;
