// Trials: which scopes are laid out open before anybody asks for it, the likeliest first.
//
// Whoever opened a scope opens next what came into sight with it; and what holds most takes longest. Scopes that hold as
// much and have as many lines are mostly laid out alike (memo.js): of each kind one comes first.

/** @import { Scene } from "../types.js" */

/**
 * The names of the closed scopes of a scene in the order in which to try them.
 * @param {Pick<Scene, "items" | "edges">} scene @param {ReadonlySet<string>} before ids of what was in the picture before
 */
export function trialsOf({ items, edges }, before) {
  const kindOf = kindsBy(edges);
  const closed = items.filter(({ kind, open }) => kind === "scope" && !open);
  closed.sort((a, b) => Number(before.has(a.id)) - Number(before.has(b.id)) || Number(b.detail) - Number(a.detail));
  const found = new Set();
  /** @type {[string[], string[]]} */
  const [firstOfKind, others] = [[], []];
  for (const scope of closed) {
    const kind = kindOf(scope);
    (found.has(kind) ? others : firstOfKind).push(scope.name);
    found.add(kind);
  }
  return [...firstOfKind, ...others];
}

/** What a scope is like: its phase, how many nodes it holds, how many lines lead to it and from it. @param {Scene["edges"]} edges */
function kindsBy(edges) {
  /** @type {Map<string, number>} */
  const into = new Map();
  /** @type {Map<string, number>} */
  const out = new Map();
  for (const { from, to } of edges) {
    out.set(from, (out.get(from) ?? 0) + 1);
    into.set(to, (into.get(to) ?? 0) + 1);
  }
  return (/** @type {import("../types.js").Item} */ { id, phase, detail }) =>
    `${phase} ${detail} ${into.get(id) ?? 0} ${out.get(id) ?? 0}`;
}
