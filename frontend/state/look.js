// How the graph is looked at: which scopes are open, and what is shown of it. Every change can be undone.

import { setAside } from "../finding/aside.js";
import { scopesOf, scopeTree } from "../layout/graph/scopes.js";
import { scopesAround } from "./lesson.js";

/** @import { State } from "../store.js" */
/** What makes up the look. */
export const LOOK_FIELDS = /** @type {const} */ ([
  "open",
  "lanes",
  "level",
  "beside",
  "detail",
  "merged",
  "direction",
  "colour",
  "moved",
  "hidden",
  "broughtBack",
]);
/** @typedef {Pick<State, typeof LOOK_FIELDS[number]>} Look */

const MOST_PAST = 100;

/** @param {State} now */
const lookOf = (now) => /** @type {Look} */ (Object.fromEntries(LOOK_FIELDS.map((field) => [field, now[field]])));

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

/**
 * Select a node or scope, open the scopes and series around it, and show its kind again.
 * @param {State} now @param {string} name @param {readonly ApiNode[]} nodes that are drawn @returns {Partial<State>}
 */
export function revealed(now, name, nodes) {
  const around = new Set([...scopesAround(name), ...scopesOf(scopeTree(nodes), name)]);
  const closed = [...around].filter((scope) => scope !== name && !now.open.has(scope));
  const op = now.program?.graph.nodes.find((node) => node.name === name)?.op ?? "";
  const isAside = setAside(now.program?.graph.nodes ?? [], now.broughtBack).some((node) => node.name === name);
  const change = {
    ...(isAside && { broughtBack: new Set(now.broughtBack).add(name) }),
    ...(closed.length > 0 && { open: new Set([...now.open, ...closed]) }),
    ...(now.hidden.has(op) && { hidden: new Set([...now.hidden].filter((each) => each !== op)) }),
  };
  const look = Object.keys(change).length > 0 ? looked(now, change) : {};
  return { ...look, selected: name, wanted: { name }, tab: "graph" };
}

/** Move an item by hand from where it stands. @param {State} now @param {string} id @param {number} dx @param {number} dy */
export function moved(now, id, dx, dy) {
  const [x, y] = now.moved.get(id) ?? [0, 0];
  return looked(now, { moved: new Map(now.moved).set(id, [Math.round(x + dx), Math.round(y + dy)]) });
}

/** Everything where the layout puts it. @param {State} now */
export const putBack = (now) => looked(now, { moved: new Map() });

/** Draw no nodes of this kind. @param {State} now @param {string} op */
export const hidden = (now, op) => looked(now, { hidden: new Set(now.hidden).add(op) });

/** Draw the nodes of this kind again. @param {State} now @param {string} op */
export function shownAgain(now, op) {
  const still = new Set(now.hidden);
  return still.delete(op) ? looked(now, { hidden: still }) : {};
}

/** Draw a node that was set aside. @param {State} now @param {string} name */
export const broughtBack = (now, name) => looked(now, { broughtBack: new Set(now.broughtBack).add(name) });

/** @import { ApiNode } from "../layout/types.js" */

/** @param {State} now @param {readonly ApiNode[]} nodes */
export const allOpened = (now, nodes) => looked(now, { open: new Set(scopeTree(nodes).scopes.keys()) });

/** @param {State} now */
export const allClosed = (now) => looked(now, { open: new Set() });
