// Set aside: in a large graph, what only gathers many others (an initializer's group) would draw a line to each of
// them. It is left out of the picture, named above it, and brought back with one click.

/** @import { ApiNode } from "../layout/types.js" */

const LARGE = 50; // nodes; below that everything is drawn
const MANY = 8; // nodes that one waits for

/**
 * The nodes to leave out: they compute nothing, wait for many, and are no part of an update.
 * @param {readonly ApiNode[]} nodes @param {ReadonlySet<string>} broughtBack names that are drawn all the same
 * @returns {readonly ApiNode[]}
 */
export function setAside(nodes, broughtBack) {
  if (nodes.length <= LARGE) return [];
  return nodes.filter(
    ({ name, op, phase, control_inputs: awaited }) =>
      op === "NoOp" && (phase === "forward" || phase === "after") && awaited.length >= MANY && !broughtBack.has(name),
  );
}

/**
 * The nodes without some of them; the very same list where none is left out.
 * @template {ApiNode} N
 * @param {readonly N[]} nodes @param {readonly ApiNode[]} aside of these nodes
 * @returns {readonly N[]}
 */
export function withoutNodes(nodes, aside) {
  if (aside.length === 0) return nodes;
  const gone = new Set(aside);
  return nodes.filter((node) => !gone.has(node));
}
