// Part: the forward or the backward part of a graph by itself.
//
// The backward part shows each forward tensor that it borrows as a small flag at its reader, so that no edge is hidden.

import { enclosing, nodeOf } from "./names.js";

/** @import { ApiNode, GraphModel } from "../types.js" */
/** @typedef {"both" | "forward" | "backward"} Lanes */

/**
 * @template {Omit<GraphModel, "open">} M
 * @param {M} model @param {Lanes} lanes
 * @returns {M}
 */
export function partOf(model, lanes) {
  if (lanes === "both") return model;
  const forward = model.nodes.filter(({ phase }) => phase === "forward");
  if (lanes === "forward") return { ...model, nodes: forward, gradients: [] };
  const backward = model.nodes.filter(({ phase }) => phase !== "forward");
  const read = new Set(backward.flatMap(({ inputs }) => inputs.map(nodeOf)));
  const borrowed = forward.filter(({ name }) => read.has(name));
  const stubs = borrowed.map((node) => ({ ...node, inputs: [], control_inputs: [], stub: true }));
  return { ...model, nodes: [...stubs, ...backward], names: namesFor(borrowed, model) };
}

/** The learner's names, and for what reads a variable the variable's. @param {ApiNode[]} borrowed @param {Omit<GraphModel, "open">} model */
function namesFor(borrowed, { nodes, names }) {
  const known = new Set(nodes.map(({ name }) => name));
  const reads = borrowed.filter(({ name, op }) => op === "Identity" && known.has(enclosing(name)));
  return new Map([
    ...names,
    ...reads.map(({ name }) => /** @type {const} */ ([name, names.get(enclosing(name)) ?? enclosing(name)])),
  ]);
}

/**
 * The tensor that stands for one whose node is not drawn: what such a node passes on is its first input.
 * @param {string} tensor @param {ReadonlyArray<ApiNode>} all @param {ReadonlyArray<ApiNode>} drawn
 */
export function standingFor(tensor, all, drawn) {
  if (all === drawn) return tensor;
  const shown = new Set(drawn.map(({ name }) => name));
  const inputs = new Map(all.map((node) => [node.name, node.inputs]));
  let at = tensor;
  while (!shown.has(nodeOf(at))) {
    const [first] = inputs.get(nodeOf(at)) ?? [];
    if (first === undefined) return tensor;
    at = /:\d+$/.test(first) ? first : `${first}:0`;
  }
  return at;
}
