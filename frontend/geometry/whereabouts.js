// Whereabouts: boxes on the plane, found again by where they lie. The plane is cut into strips that run with the flow of
// the drawing; each knows its boxes in order. A line across the whole picture so meets the boxes on its way alone.

/** @import { Box } from "./viewport.js" */

const BREADTH = 32; // px of a strip: some three lines of text

/**
 * @template {{readonly box: Box}} T
 * @typedef {object} Whereabouts
 * @property {(box: Box) => T[]} near  all whose boxes may overlap this one, some of them twice
 */

/**
 * @template {{readonly box: Box}} T
 * @param {ReadonlyArray<T>} things @param {boolean} upright whether the strips run down the page
 * @returns {Whereabouts<T>}
 */
export function whereaboutsOf(things, upright) {
  const [start, length, side, breadth] = upright
    ? /** @type {const} */ (["y", "height", "x", "width"])
    : /** @type {const} */ (["x", "width", "y", "height"]);
  /** @type {Map<number, T[]>} */
  const strips = new Map();
  for (const thing of things) {
    const [low, high] = touched(thing.box[side], thing.box[breadth]);
    for (let strip = low; strip <= high; strip += 1) {
      const own = strips.get(strip);
      if (own) own.push(thing);
      else strips.set(strip, [thing]);
    }
  }
  for (const own of strips.values()) own.sort((a, b) => a.box[start] - b.box[start]);
  const longest = things.reduce((most, { box }) => Math.max(most, box[length]), 0);
  return {
    near(box) {
      const [low, high] = touched(box[side], box[breadth]);
      const [from, to] = [box[start] - longest, box[start] + box[length]];
      const found = [];
      for (let strip = low; strip <= high; strip += 1) {
        const own = strips.get(strip);
        for (let i = own ? firstFrom(own, from, start) : 0; own && i < own.length && own[i].box[start] <= to; i += 1)
          found.push(own[i]);
      }
      return found;
    },
  };
}

/** The numbers of the first and the last strip between two borders. @param {number} low @param {number} breadth */
const touched = (low, breadth) => [Math.floor(low / BREADTH), Math.floor((low + breadth) / BREADTH)];

/** The place of the first that begins here or later. @param {ReadonlyArray<{readonly box: Box}>} sorted @param {number} from @param {"x" | "y"} axis */
function firstFrom(sorted, from, axis) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle].box[axis] < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
