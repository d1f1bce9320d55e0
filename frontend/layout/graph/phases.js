// Phases: what a program computes after its first gradient call is "after" to the server. Where a later call
// differentiates it (the second tower of two), it is a forward computation as much as the first.

import { nodeOf } from "./names.js";

/** @import { ApiNode } from "../types.js" */

/**
 * The nodes with "forward" for what some gradient call differentiates; the very same list where nothing changes.
 * @template {ApiNode} N
 * @param {readonly N[]} nodes
 * @returns {readonly N[]}
 */
export function withForward(nodes) {
  const late = new Map(nodes.filter(({ phase }) => phase === "after").map((node) => [node.name, node]));
  if (late.size === 0) return nodes;
  const found = new Set(nodes.flatMap(({ of }) => (of && late.has(of) ? [of] : [])));
  for (const name of found) {
    for (const input of late.get(name)?.inputs ?? []) if (late.has(nodeOf(input))) found.add(nodeOf(input)); // a set grows while it is walked
  }
  if (found.size === 0) return nodes;
  return nodes.map((node) => (found.has(node.name) ? { ...node, phase: "forward" } : node));
}
