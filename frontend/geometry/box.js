// Boxes on the graph plane: {x, y, width, height}, x and y at the top-left corner.

/** @import { Box } from "./viewport.js" */

/**
 * Whether two boxes share a point that is not on a border.
 * @param {Box} a @param {Box} b
 */
export function overlaps(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/**
 * The part that two boxes share; without width or height where they share none.
 * @param {Box} a @param {Box} b
 * @returns {Box}
 */
export function common(a, b) {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const [right, bottom] = [Math.min(a.x + a.width, b.x + b.width), Math.min(a.y + a.height, b.y + b.height)];
  return { x, y, width: Math.max(0, right - x), height: Math.max(0, bottom - y) };
}

/**
 * The smallest box around all of them; an empty box at the origin for none.
 * @param {Iterable<Box>} boxes
 * @returns {Box}
 */
export function union(boxes) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  if (left === Infinity) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/**
 * The box around a line of points.
 * @param {ReadonlyArray<{x: number, y: number}>} points
 * @returns {Box}
 */
export function around(points) {
  return union(points.map(({ x, y }) => ({ x, y, width: 0, height: 0 })));
}

/**
 * The box, `by` larger on every side.
 * @param {Box} box @param {number} by
 * @returns {Box}
 */
export function grown(box, by) {
  return { x: box.x - by, y: box.y - by, width: box.width + 2 * by, height: box.height + 2 * by };
}

/**
 * The four sides of a box, each without breadth.
 * @param {Box} box
 * @returns {Box[]}
 */
export function sidesOf({ x, y, width, height }) {
  const [level, upright] = [
    { width, height: 0 },
    { width: 0, height },
  ];
  return [
    { x, y, ...level },
    { x, y: y + height, ...level },
    { x, y, ...upright },
    { x: x + width, y, ...upright },
  ];
}
