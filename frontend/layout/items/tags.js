// Tags: the small flags that name a result, "y" and "dy/dx".

import { nodeOf, outputOf } from "../graph/names.js";
import { closedAround, isBand } from "../graph/scopes.js";

/** @import { ApiGradient, GraphModel } from "../types.js" */
/** @import { ScopeTree } from "../graph/scopes.js" */
/** @import { Wires } from "../graph/wires.js" */
/** @typedef {{id: string, tensor: string | null, of: string, gradient: ApiGradient | null}} Tag `of`: the node that it is about */

/**
 * The results to name: each differentiated tensor and the target, and each derivative, but for those that only go from one
 * closed band or series to another, along one line with all that do.
 * @param {GraphModel} model @param {ScopeTree} tree @param {Wires} wires
 * @returns {Tag[]}
 */
export function tagsOf(model, tree, wires) {
  const gradients = model.gradients ?? [];
  const foldOf = foldsOf(tree, model.open);
  const ys = new Set([model.target, ...gradients.map(({ y }) => y)].filter((y) => y !== null));
  /** @type {Tag[]} */
  const tags = [];
  for (const tensor of ys) {
    const i = tree.index.get(nodeOf(tensor));
    if (i !== undefined && !tree.nodes[i].stub && !gradients.some((each) => each.tensor === tensor)) {
      tags.push({ id: `y:${tensor}`, tensor, of: nodeOf(tensor), gradient: null });
    }
  }
  for (const gradient of gradients) {
    if (!tree.index.has(nodeOf(gradient.tensor ?? gradient.x))) continue;
    if (gradient.tensor && isPassedOn(gradient.tensor, foldOf, tree, wires)) continue;
    tags.push({
      id: `d:${gradient.y} ${gradient.x} ${gradient.tensor}`,
      tensor: gradient.tensor,
      of: nodeOf(gradient.x),
      gradient,
    });
  }
  return tags;
}

/**
 * Whether each node is folded away, and where: in which closed band or series; -1 for all others.
 * @param {ScopeTree} tree @param {ReadonlySet<string>} open @returns {(i: number) => number}
 */
function foldsOf(tree, open) {
  const closed = closedAround(tree, open);
  return (i) => {
    const outer = tree.home[i] < 0 ? -1 : closed[tree.home[i]];
    return outer >= 0 && (tree.list[outer].series || isBand(tree, tree.list[outer].name)) ? outer : -1;
  };
}

/**
 * Whether a tensor leaves a closed band or series for such alone.
 * @param {string} tensor @param {(i: number) => number} foldOf @param {ScopeTree} tree @param {Wires} wires
 */
function isPassedOn(tensor, foldOf, { index }, { leaving, starts, to, output }) {
  const i = index.get(nodeOf(tensor)) ?? -1;
  const fold = i < 0 ? -1 : foldOf(i);
  if (fold < 0) return false;
  const edges = [...leaving.subarray(starts[i], starts[i + 1])].filter((e) => output[e] === outputOf(tensor));
  const readers = edges.map((e) => foldOf(to[e])).filter((reader) => reader !== fold);
  return readers.length > 0 && readers.every((reader) => reader >= 0);
}
