// Graphs made elsewhere: {"nodes": [{"id", "op", "inputs", "shape", "device", "value"}]}, as text, for the page to draw.
//
// Such a file does not say which nodes are gradients or updates; the names that TensorFlow gives them do.

import { leaf } from "./layout/scopes.js";

/** @typedef {import("./api.js").ApiNode} ApiNode */
/** @typedef {import("./api.js").Program} Program */
/** @typedef {{id: string, op: string, inputs?: string[], shape?: (number | null)[], device?: string, value?: import("./api.js").Value, attrs?: Record<string, unknown>}} NeutralNode */

const GRADIENTS = /^gradients(_\d+)?\//;
const CONTROL = /^\^/;

/**
 * The nodes of the graph that a text holds; null where it holds none.
 * @param {string} text
 * @returns {ApiNode[] | null}
 */
export function nodesFrom(text) {
  const nodes = neutralNodes(text);
  if (nodes === null) return null;
  const known = new Set(nodes.map(({ id }) => id));
  const optimizers = new Set(nodes.flatMap(({ id }) => /^([^/]+)\/update_/.exec(id)?.[1] ?? []));
  return nodes.map((node) => nodeFrom(node, known, optimizers));
}

/** A program that is nothing but its graph. @param {ApiNode[]} nodes @returns {Program} */
export const programOf = (nodes) => ({
  ...{ dialect: "graph", status: "ok", printed: [], bindings: [], target: null, gradients: [], diagnostics: [], result: null },
  graph: { nodes },
});

/** @param {string} text @returns {NeutralNode[] | null} */
function neutralNodes(text) {
  const nodes = parsed(text)?.nodes;
  const fits = (/** @type {any} */ each) => typeof each?.id === "string" && typeof each.op === "string";
  return Array.isArray(nodes) && nodes.length > 0 && nodes.every(fits) ? nodes : null;
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {NeutralNode} node @param {ReadonlySet<string>} known @param {ReadonlySet<string>} optimizers @returns {ApiNode} */
function nodeFrom({ id, op, inputs = [], shape, device = "", value, attrs = {} }, known, optimizers) {
  const gradient = GRADIENTS.test(id);
  const update = optimizers.has(id.split("/", 1)[0]);
  const bare = shape?.length === 0 ? value : undefined;
  return {
    ...{ name: id, op, attrs, device, span: null },
    inputs: inputs.filter((input) => !CONTROL.test(input)),
    control_inputs: inputs.filter((input) => CONTROL.test(input)).map((input) => input.slice(1)),
    phase: gradient ? "gradient" : update ? "update" : "forward",
    of: gradient ? forwardOf(id, known) : null,
    outputs: shape ? [{ dtype: "float32", shape }] : [],
    value: bare ?? null,
  };
}

/** "gradients/a/Exp_grad/mul" was made by the rule of "a/Exp". @param {string} name @param {ReadonlySet<string>} known */
function forwardOf(name, known) {
  for (let end = name.lastIndexOf("/"); end > 0; end = name.lastIndexOf("/", end - 1)) {
    const scope = name.slice(0, end);
    const forward = scope.slice(scope.indexOf("/") + 1, -"_grad".length);
    if (leaf(scope).endsWith("_grad") && known.has(forward)) return forward;
  }
  return null;
}
