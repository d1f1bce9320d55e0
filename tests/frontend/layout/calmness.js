// Calm: how much else moves where one scope opens or closes.

import { itemOf } from "./programs.js";

/** @typedef {import("../../../frontend/layout/types.js").Scene} Scene */

/**
 * How far, beyond the growth of an opened scope, the farthest other item went; counted from the middle of the scope's
 * top, which stays under the pointer.
 * @param {Scene} before @param {Scene} after @param {string} id
 */
export function excessOf(before, after, id) {
  const [was, is] = [itemOf(before, id), itemOf(after, id)];
  const grown = { x: Math.max(0, is.width - was.width), y: Math.max(0, is.height - was.height) };
  const anchor = { x: is.x + is.width / 2 - was.x - was.width / 2, y: is.y - was.y };
  const places = new Map(after.items.map((item) => [item.id, item]));
  return Math.max(
    0,
    ...before.items.flatMap((item) => {
      const now = places.get(item.id);
      if (!now || item.id === id) return [];
      return [Math.abs(now.x - item.x - anchor.x) - grown.x, Math.abs(now.y - item.y - anchor.y) - grown.y];
    }),
  );
}

/**
 * Two items of one column that stand the other way round in another scene; null where there are none.
 * @param {Scene} before @param {Scene} after
 */
export function reordered(before, after) {
  const places = new Map(after.items.map((item) => [item.id, item]));
  const kept = before.items.flatMap((item) => {
    const now = places.get(item.id);
    return now ? [{ id: item.id, column: `${item.parent} ${item.x + item.width / 2}`, was: item.y, is: now.y }] : [];
  });
  kept.sort((a, b) => (a.column === b.column ? a.was - b.was : a.column < b.column ? -1 : 1));
  const at = kept.findIndex((each, i) => each.column === kept[i + 1]?.column && each.is >= kept[i + 1].is);
  return at < 0 ? null : `${kept[at].id} and ${kept[at + 1].id}`;
}
