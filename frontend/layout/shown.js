// Which item shows a node or scope: itself, the closed scope around it, or the series that it is folded into.

import { enclosing, ROOT } from "./scopes.js";

/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Scene} Scene */

/**
 * A scene, ready to be asked.
 * @typedef {object} Shown
 * @property {ReadonlyMap<string, Item>} items      by id
 * @property {ReadonlyMap<string, string>} folded   name of a scope or node in a closed series -> the series' id
 */

/** @param {Pick<Scene, "items">} scene @returns {Shown} */
export function shownIn({ items }) {
  return {
    items: new Map(items.map((item) => [item.id, item])),
    folded: new Map(items.flatMap(({ id, holds }) => (holds ?? []).map((name) => [name, id]))),
  };
}

/** The id of the item that shows a node, scope or tag; null where none does. @param {Shown} shown @param {string} name */
export function itemShowing({ items, folded }, name) {
  if (items.has(name)) return name;
  for (let at = name; at !== ROOT; at = enclosing(at)) {
    const found = items.has(`${at}/`) ? `${at}/` : folded.get(at);
    if (found !== undefined) return found;
  }
  return null;
}
