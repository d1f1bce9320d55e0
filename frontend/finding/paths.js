// Paths: the ways along which one node's value reaches another. The chain rule adds over exactly these.

import { nodeOf } from "../layout/graph/names.js";
import { scopesOf, scopeTree } from "../layout/graph/scopes.js";

/** @import { ApiNode } from "../layout/types.js" */
/** @import { ScopeTree } from "../layout/graph/scopes.js" */
/**
 * @typedef {object} Paths
 * @property {Set<string>} names     the nodes on some path, both ends included, and the scopes that hold them
 * @property {number | null} count   how many paths there are; x enters Mul(x, x) on two; null in a loop: without end
 * @property {number} shortest       edges of the shortest
 */

/**
 * All paths along data edges from one node or scope to another; null where there is none.
 * @param {readonly ApiNode[]} nodes @param {string} from @param {string} to
 * @returns {Paths | null}
 */
export function pathsBetween(nodes, from, to) {
  const tree = scopeTree(nodes);
  const [starts, ends] = [from, to].map((name) => new Set(membersOf(nodes, tree, name)));
  const after = distances(readersByEdge(nodes), starts);
  const before = distances(new Map(nodes.map((node) => [node.name, node.inputs.map(nodeOf)])), ends);
  const on = nodes.filter(({ name }) => after.has(name) && before.has(name));
  if (on.length === 0) return null;
  const names = new Set(on.map(({ name }) => name));
  const count = countOf(on, names, starts, ends);
  const shortest = Math.min(...[...ends].map((end) => after.get(end) ?? Infinity));
  for (const { name } of on) for (const scope of scopesOf(tree, name)) names.add(scope);
  return { names, count, shortest };
}

/** A node by itself, a scope's nodes. @param {readonly ApiNode[]} nodes @param {ScopeTree} tree @param {string} name */
const membersOf = (nodes, { scopes, index }, name) =>
  index.has(name) ? [name] : (scopes.get(name)?.members.map((i) => nodes[i].name) ?? []);

/** Who reads each node, once for each edge. @param {readonly ApiNode[]} nodes */
function readersByEdge(nodes) {
  const readers = new Map(nodes.map(({ name }) => [name, /** @type {string[]} */ ([])]));
  for (const { name, inputs } of nodes) for (const input of inputs) readers.get(nodeOf(input))?.push(name);
  return readers;
}

/** How many edges lie between the starts and all that they reach. @param {ReadonlyMap<string, readonly string[]>} next @param {ReadonlySet<string>} starts */
function distances(next, starts) {
  const found = new Map([...starts].map((name) => [name, 0]));
  for (const [name, far] of found) {
    for (const other of next.get(name) ?? []) if (!found.has(other)) found.set(other, far + 1); // a map grows while it is walked
  }
  return found;
}

/**
 * A node is reached on as many paths as its inputs together, once for each edge. Inputs come before their readers,
 * except in a loop.
 * @param {readonly ApiNode[]} on @param {ReadonlySet<string>} names @param {ReadonlySet<string>} starts @param {ReadonlySet<string>} ends
 */
function countOf(on, names, starts, ends) {
  /** @type {Map<string, number>} */
  const paths = new Map();
  let waiting = on;
  while (waiting.length > 0) {
    const still = waiting.filter(({ name, inputs }) => {
      const sources = inputs.map(nodeOf).filter((source) => names.has(source));
      if (!sources.every((source) => paths.has(source))) return true;
      paths.set(
        name,
        sources.reduce((sum, source) => sum + (paths.get(source) ?? 0), starts.has(name) ? 1 : 0),
      );
      return false;
    });
    if (still.length === waiting.length) return null;
    waiting = still;
  }
  return on.reduce((sum, { name }) => sum + (ends.has(name) ? (paths.get(name) ?? 0) : 0), 0);
}

/**
 * The same in a picture at level Mathematics: what stands on a line between two gradients is no step of a path.
 * @param {readonly ApiNode[]} nodes @param {string} from @param {string} to
 * @returns {Paths | null}
 */
export function pathsPastFactors(nodes, from, to) {
  const factors = new Map(nodes.flatMap((node) => (node.form === "factor" ? [[node.name, node]] : [])));
  if (factors.has(from) || factors.has(to)) return pathsBetween(nodes, from, to);
  const joined = nodes.flatMap((node) =>
    factors.has(node.name) ? [] : [{ ...node, inputs: node.inputs.flatMap((name) => factors.get(name)?.inputs ?? [name]) }],
  );
  const found = pathsBetween(joined, from, to);
  if (!found) return null;
  for (const { name, inputs } of nodes) {
    const passed = found.names.has(name)
      ? inputs.filter((input) => factors.get(input)?.inputs.some((each) => found.names.has(each)))
      : [];
    for (const input of passed) found.names.add(input);
  }
  return found;
}
