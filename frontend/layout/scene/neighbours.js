// Neighbours: where an arrow key leads from an item. The key that points with the flow follows the computation, its
// opposite goes against it, whichever way the lane runs; the other two go to what is drawn there, the titles of bands included.

import { BAND_HEADER } from "../metrics.js";

/** @import { Scene } from "../types.js" */
/** @typedef {{id: string, x: number, y: number, width: number, height: number, holds: (other: string) => boolean}} Stop */

const TITLE = 80; // width of a band's title, about

/** The keys that point with the flow and against it. */
const KEYS = {
  right: { onward: "ArrowRight", against: "ArrowLeft" },
  down: { onward: "ArrowDown", against: "ArrowUp" },
  up: { onward: "ArrowUp", against: "ArrowDown" },
};

/**
 * The id of the item or band that a key leads to; null for none.
 * @param {Scene} scene @param {string} id @param {string} key "ArrowRight", …
 */
export function neighbour(scene, id, key) {
  const stops = stopsOf(scene);
  const here = stops.find((stop) => stop.id === id);
  if (!here) return stops[0]?.id ?? null;
  const { onward, against } = KEYS[scene.direction];
  const level = scene.direction === "right";
  if (key === onward) return nearest(here, alongEdges(scene, stops, "from", "to", id), level ? 1 : 2, level ? 2 : 1);
  if (key === against) return nearest(here, alongEdges(scene, stops, "to", "from", id), level ? 1 : 2, level ? 2 : 1);
  const axis = level ? "y" : "x";
  const sign = key === "ArrowDown" || key === "ArrowRight" ? 1 : -1;
  const there = stops.filter((stop) => (stop[axis] - here[axis]) * sign > 4 || (sign > 0 && here.holds(stop.id)));
  return nearest(
    here,
    there.filter((stop) => stop.id !== id),
    level ? 2 : 1,
    level ? 1 : 2,
  );
}

/** Whether a band, or the piece of it that stands in a row, has its title. @param {Scene["bands"][number]} band */
const hasTitle = ({ part = 0 }) => part === 0;

/** @param {Scene} scene @returns {Stop[]} */
function stopsOf({ items, bands }) {
  const parents = new Map(items.map((item) => [item.id, item.parent]));
  return [
    ...items.map(({ id, x, y, width, height }) => ({
      id,
      x,
      y,
      width,
      height,
      holds: (/** @type {string} */ other) => parents.get(other) === id,
    })),
    ...bands.filter(hasTitle).map(({ name, x, y, titleX }) => ({
      id: `${name}/`,
      x: x + titleX,
      y,
      width: TITLE,
      height: BAND_HEADER,
      holds: () => false,
    })),
  ];
}

/** @param {Scene} scene @param {Stop[]} stops @param {"from" | "to"} end @param {"from" | "to"} other @param {string} id */
function alongEdges({ edges }, stops, end, other, id) {
  const ids = new Set(edges.filter((edge) => edge[end] === id).map((edge) => edge[other]));
  return stops.filter((stop) => ids.has(stop.id));
}

/** The nearest by a distance that weighs both directions. @param {Stop} here @param {Stop[]} stops @param {number} across @param {number} down */
function nearest(here, stops, across, down) {
  const cost = (/** @type {Stop} */ { x, y, width, height }) =>
    across * Math.abs(x + width / 2 - here.x - here.width / 2) + down * Math.abs(y + height / 2 - here.y - here.height / 2);
  let best = null;
  for (const stop of stops) if (best === null || cost(stop) < cost(best)) best = stop;
  return best?.id ?? null;
}
