// Neighbours: where an arrow key leads from an item. Right follows the computation, left goes against it, whichever
// way the lane runs; up and down go to what is drawn there.

/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Scene} Scene */

/**
 * The id of the item that a key leads to; null for none.
 * @param {Scene} scene @param {string} id @param {string} key "ArrowRight", …
 */
export function neighbour(scene, id, key) {
  const item = scene.items.find((each) => each.id === id);
  if (!item) return scene.items[0]?.id ?? null;
  if (key === "ArrowRight") return nearest(item, alongEdges(scene, "from", "to", id), beside);
  if (key === "ArrowLeft") return nearest(item, alongEdges(scene, "to", "from", id), beside);
  const sign = key === "ArrowDown" ? 1 : -1;
  const there = scene.items.filter((each) => (each.y - item.y) * sign > 4 || encloses(item, each, sign));
  return nearest(item, there.filter((each) => each.id !== id), beneath);
}

/** An open scope leads down into itself. @param {Item} outer @param {Item} inner @param {number} sign */
const encloses = (outer, inner, sign) => sign > 0 && outer.open && inner.parent === outer.id;

/** @param {Scene} scene @param {"from" | "to"} end @param {"from" | "to"} other @param {string} id */
function alongEdges({ edges, items }, end, other, id) {
  const ids = new Set(edges.filter((edge) => edge[end] === id).map((edge) => edge[other]));
  return items.filter((item) => ids.has(item.id));
}

/** @param {Item} item @param {Item[]} found @param {(dx: number, dy: number) => number} cost */
function nearest(item, found, cost) {
  let best = null;
  let least = Infinity;
  for (const each of found) {
    const now = cost(middle(each, "x", "width") - middle(item, "x", "width"), middle(each, "y", "height") - middle(item, "y", "height"));
    if (now < least) [best, least] = [each.id, now];
  }
  return best;
}

/** @param {Item} item @param {"x" | "y"} at @param {"width" | "height"} size */
const middle = (item, at, size) => item[at] + item[size] / 2;

/** @param {number} dx @param {number} dy */
const beside = (dx, dy) => Math.abs(dy) * 2 + Math.abs(dx);

/** @param {number} dx @param {number} dy */
const beneath = (dx, dy) => Math.abs(dx) * 2 + Math.abs(dy);
