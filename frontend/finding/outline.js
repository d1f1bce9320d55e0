// The outline: the graph as a tree of scopes and nodes, in program order; inside an open scope lies what it holds.

import { enclosing, leaf, ROOT } from "../layout/graph/names.js";
import { scopeTree } from "../layout/graph/scopes.js";

/** @import { ApiNode } from "../layout/types.js" */
/**
 * @typedef {object} Row
 * @property {string} name     full name of the node or scope
 * @property {string} label
 * @property {string} op       "" of a scope
 * @property {number} level    from 1
 * @property {boolean | null} open   null of a node
 */

/**
 * The rows in sight, from the top.
 * @param {readonly ApiNode[]} nodes @param {ReadonlySet<string>} open
 * @returns {Row[]}
 */
export function outlineOf(nodes, open) {
  const { scopes } = scopeTree(nodes);
  /** @type {Map<string, Row[]>} by scope */
  const inside = new Map([[ROOT, []]]);
  for (const { name, op, label } of nodes) {
    const own = scopes.has(name) ? name : nearest(scopes, enclosing(name));
    for (const scope of missing(own, inside)) enter(scopes, inside, scope, open);
    inside
      .get(own)
      ?.push({ name, label: label ?? (scopes.has(name) ? `(${leaf(name)})` : leaf(name)), op, level: 0, open: null });
  }
  return unfolded(inside, ROOT, 1);
}

/** The innermost scope of a name that is one in the drawing too. @param {ReadonlyMap<string, unknown>} scopes @param {string} name */
function nearest(scopes, name) {
  let at = name;
  while (at !== ROOT && !scopes.has(at)) at = enclosing(at);
  return at;
}

/** The scopes down to one that have no row yet, outermost first. @param {string} scope @param {ReadonlyMap<string, Row[]>} inside */
function missing(scope, inside) {
  const found = [];
  for (let at = scope; at !== ROOT && !inside.has(at); at = enclosing(at)) found.unshift(at);
  return found;
}

/** @param {ReadonlyMap<string, unknown>} scopes @param {Map<string, Row[]>} inside @param {string} name @param {ReadonlySet<string>} open */
function enter(scopes, inside, name, open) {
  if (!scopes.has(name)) return;
  inside.set(name, []);
  inside.get(nearest(scopes, enclosing(name)))?.push({ name, label: leaf(name), op: "", level: 0, open: open.has(name) });
}

/** @param {ReadonlyMap<string, Row[]>} inside @param {string} scope @param {number} level @returns {Row[]} */
function unfolded(inside, scope, level) {
  return (inside.get(scope) ?? []).flatMap((row) => {
    const below = row.open ? unfolded(inside, row.name, level + 1) : [];
    return [{ ...row, level }, ...below];
  });
}
