// Hiding: the graph without some kinds of op. What read a hidden node reads, in the drawing, what that node read.

import { nodeOf } from "../layout/graph/names.js";

/** @import { ApiNode } from "../layout/types.js" */
/** @typedef {{inputs: readonly string[], controls: readonly string[]}} Behind  what stands behind a hidden node */

/**
 * The nodes of other kinds, joined across the hidden ones; the very same list where none is hidden.
 * @template {ApiNode} N
 * @param {readonly N[]} nodes @param {ReadonlySet<string>} hidden op types
 * @returns {readonly N[]}
 */
export function withoutOps(nodes, hidden) {
  const gone = hidden.size === 0 ? [] : nodes.filter(({ op }) => hidden.has(op));
  if (gone.length === 0) return nodes;
  const behind = behindEach(gone);
  return nodes.flatMap((node) => (behind.has(node.name) ? [] : [joined(node, behind)]));
}

/** @template {ApiNode} N @param {N} node @param {ReadonlyMap<string, Behind>} behind @returns {N} */
function joined(node, behind) {
  if (![...node.inputs, ...node.control_inputs].some((name) => behind.has(nodeOf(name)))) return node;
  const inputs = node.inputs.flatMap((tensor) => behind.get(nodeOf(tensor))?.inputs ?? [tensor]);
  const controls = node.control_inputs.flatMap((name) => behind.get(name)?.controls ?? [name]);
  return { ...node, inputs, control_inputs: [...new Set(controls)] };
}

/** The drawn tensors and nodes behind each hidden node, each named once. @param {readonly ApiNode[]} gone */
function behindEach(gone) {
  const hidden = new Map(gone.map((node) => [node.name, node]));
  /** @type {Map<string, Behind>} */
  const behind = new Map();
  for (const { name } of gone) {
    const seen = new Set([name]);
    /** @type {Set<string>} */
    const inputs = new Set();
    /** @type {Set<string>} */
    const controls = new Set();
    for (const at of seen) {
      const { inputs: read = [], control_inputs: awaited = [] } = hidden.get(at) ?? {};
      for (const tensor of read) {
        if (hidden.has(nodeOf(tensor)))
          seen.add(nodeOf(tensor)); // a set grows while it is walked
        else inputs.add(tensor);
      }
      for (const other of awaited) if (!hidden.has(other)) controls.add(other);
    }
    behind.set(name, { inputs: [...inputs], controls: [...new Set([...controls, ...[...inputs].map(nodeOf)])] });
  }
  return behind;
}
