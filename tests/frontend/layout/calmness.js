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
