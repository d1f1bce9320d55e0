// Traces: all that a node depends on (upstream), and all that depends on it (downstream).

import { nodeOf } from "../layout/graph/names.js";
import { scopesOf, scopeTree } from "../layout/graph/scopes.js";

/** @import { ApiNode } from "../layout/types.js" */
/** @typedef {"upstream" | "downstream"} Way */

/**
 * The nodes of a trace, the first included, and the scopes that hold some of them.
 * @param {readonly ApiNode[]} nodes
 * @param {string} start node or scope
 * @param {Way} way
 * @returns {Set<string>}
 */
export function traced(nodes, start, way) {
  const tree = scopeTree(nodes);
  const inside = tree.scopes.get(start)?.members.map((i) => nodes[i].name);
  const found = reached(way === "upstream" ? inputsOf(nodes) : readersOf(nodes), inside ?? [start]);
  for (const name of [...found]) for (const scope of scopesOf(tree, name)) found.add(scope);
  return found;
}

/** @param {ReadonlyMap<string, readonly string[]>} next @param {string[]} starts */
function reached(next, starts) {
  const found = new Set(starts);
  for (const name of found) for (const other of next.get(name) ?? []) found.add(other); // a set grows while it is walked
  return found;
}

/** @param {ApiNode} node */
const sourcesOf = ({ inputs, control_inputs }) => [...inputs, ...control_inputs].map(nodeOf);

/** @param {readonly ApiNode[]} nodes */
const inputsOf = (nodes) => new Map(nodes.map((node) => [node.name, sourcesOf(node)]));

/** The names of the nodes that read each node. @param {readonly ApiNode[]} nodes */
export function readersOf(nodes) {
  const readers = new Map(nodes.map(({ name }) => [name, /** @type {string[]} */ ([])]));
  for (const node of nodes) for (const source of new Set(sourcesOf(node))) readers.get(source)?.push(node.name);
  return readers;
}
