// Which item shows a node or scope: itself, the closed scope around it, or the series that it is folded into.

import { enclosing, ROOT } from "../graph/names.js";

/** @import { Item, Scene } from "../types.js" */

/**
 * A scene, ready to be asked.
 * @typedef {object} Shown
 * @property {ReadonlyMap<string, Item>} items      by id
 * @property {(name: string) => string | undefined} folded  the id of the closed series that a scope or node stands in
 */

/** @param {Pick<Scene, "items">} scene @returns {Shown} */
export function shownIn({ items }) {
  /** @type {Map<string, string> | null} made when first asked: series hold thousands of names */
  let found = null;
  const foldedIn = () => new Map(items.flatMap(({ id, holds }) => (holds ?? []).map((name) => [name, id])));
  return {
    items: new Map(items.map((item) => [item.id, item])),
    folded: (name) => (found ??= foldedIn()).get(name),
  };
}

/** The id of the item that shows a node, scope or tag; null where none does. @param {Shown} shown @param {string} name */
export function itemShowing({ items, folded }, name) {
  if (items.has(name)) return name;
  for (let at = name; at !== ROOT; at = enclosing(at)) {
    const found = items.has(`${at}/`) ? `${at}/` : folded(at);
    if (found !== undefined) return found;
  }
  return null;
}
