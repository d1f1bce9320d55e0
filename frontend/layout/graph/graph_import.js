// Graphs made elsewhere: {"nodes": [{"id", "op", "inputs", "shape", "device", "value"}]}, as text, for the page to draw.
//
// Such a file does not say which nodes are gradients or updates; the names that TensorFlow gives them do. The server's answer
// about a file that it opened holds nodes as a program's does, and is taken as it is.

import { leaf } from "./names.js";

/** @import { ApiNode, Diagnostic, Program } from "../../types.js" */
/** @typedef {{id?: string, format?: string, statistics?: import("../../types.js").Statistics, diagnostics?: Diagnostic[]}} About  the server's word on a file */
/** @typedef {{id: string, op: string, inputs?: string[], shape?: (number | null)[], device?: string, value?: import("../../types.js").Value, attrs?: Record<string, unknown>}} ImportedNode */

const GRADIENTS = /^gradients(_\d+)?\//;
const CONTROL = /^\^/;

/**
 * The nodes of the graph that a text holds; null where it holds none.
 * @param {string} text
 * @returns {ApiNode[] | null}
 */
export const nodesFrom = (text) => graphFrom(text)?.nodes ?? null;

/**
 * The graph that a text holds, with the server's word on it where there is one; null where it holds none.
 * @param {string} text
 * @returns {{nodes: ApiNode[], about: About} | null}
 */
export function graphFrom(text) {
  const found = parsed(text);
  if (Array.isArray(found?.graph?.nodes)) {
    const { graph, nodes: _, ...about } = found;
    return { nodes: shared(graph.nodes), about };
  }
  const nodes = nodesIn(found);
  return nodes && { nodes, about: {} };
}

/** @param {any} found @returns {ApiNode[] | null} */
function nodesIn(found) {
  const nodes = importedNodes(found);
  if (nodes === null) return null;
  const known = new Set(nodes.map(({ id }) => id));
  const optimizers = new Set(nodes.flatMap(({ id }) => /^([^/]+)\/update_/.exec(id)?.[1] ?? []));
  const outputsOf = sharedOutputs();
  return nodes.map((node) => nodeFrom(node, known, optimizers, outputsOf));
}

/** A program that is nothing but its graph. @param {ApiNode[]} nodes @param {About} [about] @returns {Program} */
export const programOf = (nodes, { id, format = "", statistics, diagnostics = [] } = {}) => ({
  ...{ dialect: "graph", status: "ok", printed: [], bindings: [], target: null, gradients: [], diagnostics, result: null },
  ...(id && { imported: id }),
  ...(statistics && { file: { format, ...statistics } }),
  graph: { nodes },
});

/** @param {any} found @returns {ImportedNode[] | null} */
function importedNodes(found) {
  const nodes = found?.nodes;
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

// What many nodes have in common is one object for all of them: fewer to make, to send from the worker and to keep.

/** @type {string[]} */
const NO_INPUTS = [];
const NO_ATTRS = {};

/** The nodes with one object for what many of them have in common. @param {ApiNode[]} nodes */
function shared(nodes) {
  const known = new Map();
  const once = (/** @type {any} */ value) => {
    const key = JSON.stringify(value);
    const found = known.get(key) ?? value;
    known.set(key, found);
    return found;
  };
  for (const node of nodes) {
    node.outputs = once(node.outputs);
    node.attrs = once(node.attrs);
    if (node.inputs.length === 0) node.inputs = NO_INPUTS;
    if (node.control_inputs.length === 0) node.control_inputs = NO_INPUTS;
  }
  return nodes;
}

/** Outputs by shape, the same for the same shape. @returns {(shape: ImportedNode["shape"]) => ApiNode["outputs"]} */
function sharedOutputs() {
  /** @type {Map<string, ApiNode["outputs"]>} */
  const found = new Map([["", []]]);
  return (shape) => {
    const key = shape ? `[${shape}]` : "";
    const outputs = found.get(key) ?? [{ dtype: "float32", shape: shape ?? null }];
    found.set(key, outputs);
    return outputs;
  };
}

/** @param {ImportedNode} node @param {ReadonlySet<string>} known @param {ReadonlySet<string>} optimizers @param {ReturnType<typeof sharedOutputs>} outputsOf @returns {ApiNode} */
function nodeFrom({ id, op, inputs = NO_INPUTS, shape, device = "", value, attrs = NO_ATTRS }, known, optimizers, outputsOf) {
  const gradient = GRADIENTS.test(id);
  const update = optimizers.has(id.split("/", 1)[0]);
  const bare = shape?.length === 0 ? value : undefined;
  return {
    ...{ name: id, op, attrs, device, span: null },
    ...divided(inputs),
    phase: gradient ? "gradient" : update ? "update" : "forward",
    of: gradient ? forwardOf(id, known) : null,
    outputs: outputsOf(shape),
    value: bare ?? null,
  };
}

/** @param {string[]} inputs */
function divided(inputs) {
  if (!inputs.some((input) => CONTROL.test(input))) return { inputs, control_inputs: NO_INPUTS };
  const control = inputs.filter((input) => CONTROL.test(input)).map((input) => input.slice(1));
  return { inputs: inputs.filter((input) => !CONTROL.test(input)), control_inputs: control };
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
