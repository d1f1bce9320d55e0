// Tags: the small flags that name a result, "y" and "dy/dx".

import { nodeOf, outputOf } from "../graph/names.js";

/** @import { ApiGradient, GraphModel } from "../types.js" */
/** @import { ScopeTree } from "../graph/scopes.js" */
/** @import { Wires } from "../graph/wires.js" */
/** @typedef {{id: string, tensor: string | null, of: string, gradient: ApiGradient | null}} Tag `of`: the node that it is about */

/**
 * The results to name: each differentiated tensor and the target, and each derivative, but for those that only go from one
 * closed band to another.
 * @param {GraphModel} model @param {ScopeTree} tree @param {Wires} wires
 * @returns {Tag[]}
 */
export function tagsOf(model, tree, wires) {
  const gradients = model.gradients ?? [];
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
    if (gradient.tensor && isPassedOn(gradient.tensor, model, tree, wires)) continue;
    tags.push({
      id: `d:${gradient.y} ${gradient.x} ${gradient.tensor}`,
      tensor: gradient.tensor,
      of: nodeOf(gradient.x),
      gradient,
    });
  }
  return tags;
}

/** Whether a tensor leaves a closed band for closed bands alone. @param {string} tensor @param {GraphModel} model @param {ScopeTree} tree @param {Wires} wires */
function isPassedOn(tensor, { open }, { index, nodes, bands }, { leaving, starts, to, output }) {
  const bandOf = (/** @type {number} */ i) => nodes[i].name.split("/", 1)[0];
  const isClosed = (/** @type {string} */ name) => bands.has(name) && !open.has(name);
  const i = index.get(nodeOf(tensor)) ?? -1;
  if (!isClosed(bandOf(i))) return false;
  const edges = [...leaving.subarray(starts[i], starts[i + 1])].filter((e) => output[e] === outputOf(tensor));
  const readers = edges.map((e) => bandOf(to[e])).filter((band) => band !== bandOf(i));
  return readers.length > 0 && readers.every(isClosed);
}
