// How the graph is looked at: which scopes are open, and what is shown of it. Every change can be undone.

import { scopeTree } from "./layout/scopes.js";
import { scopesAround } from "./lesson.js";

/** @typedef {import("./store.js").State} State */
/** @typedef {Pick<State, "open" | "lanes" | "detail" | "merged">} Look */

const MOST_PAST = 100;

/** @param {State} now @returns {Look} */
const lookOf = ({ open, lanes, detail, merged }) => ({ open, lanes, detail, merged });

/** Change the look, and remember the one before. @param {State} now @param {Partial<Look>} change @returns {Partial<State>} */
export const looked = (now, change) => ({
  ...change,
  past: [...now.past, lookOf(now)].slice(-MOST_PAST),
});

/** The look before the last change. @param {State} now @returns {Partial<State>} */
export function undone(now) {
  const last = now.past.at(-1);
  return last ? { ...last, past: now.past.slice(0, -1) } : {};
}

/** Open a closed scope, close an open one. @param {State} now @param {string} scope */
export function toggled(now, scope) {
  const open = new Set(now.open);
  if (!open.delete(scope)) open.add(scope);
  return looked(now, { open });
}

/** Select a node or scope, and open the scopes around it. @param {State} now @param {string} name @returns {Partial<State>} */
export function revealed(now, name) {
  const closed = scopesAround(name).filter((scope) => !now.open.has(scope));
  const open = closed.length > 0 ? looked(now, { open: new Set([...now.open, ...closed]) }) : {};
  return { ...open, selected: name, wanted: { name }, tab: "graph" };
}

/** @typedef {import("./layout/types.js").ApiNode} ApiNode */

/** @param {State} now @param {readonly ApiNode[]} nodes */
export const allOpened = (now, nodes) => looked(now, { open: new Set(scopeTree(nodes).scopes.keys()) });

/** @param {State} now */
export const allClosed = (now) => looked(now, { open: new Set() });
