// Fans: the lines that come to one side of an open scope from outside it.

import { piecesOf } from "../../../frontend/geometry/path.js";

/** @typedef {import("../../../frontend/layout/types.js").Scene} Scene */
/** @typedef {import("../../../frontend/layout/types.js").Point} Point */
/** @typedef {readonly [Point, Point]} Piece */

/** How many pairs of lines cross right before the border of an open scope. @param {Scene} scene */
export function crossingsAtBorders({ items, edges, direction }) {
  const upright = direction !== "right";
  const level = (/** @type {Point} */ { x, y }) => (upright ? { x: y, y: x } : { x, y });
  const scopes = items
    .filter(({ open }) => open)
    .map(({ id, ...box }) => ({ id, low: level(box), high: level({ x: box.x + box.width, y: box.y + box.height }) }));
  /** @type {Map<string, Array<readonly Piece[]>>} */
  const fans = new Map();
  for (const { points } of edges) {
    for (const line of [points.map(level), points.map(level).toReversed()]) {
      const end = line[line.length - 1];
      const last = line.findLastIndex(({ y }) => Math.abs(y - end.y) > SAME);
      const scope = scopes.find(
        ({ low, high }) => end.y > low.y && end.y < high.y && [low.x, high.x].some((x) => Math.abs(x - end.x) < SAME),
      );
      if (last < 0 || !scope || (line[last].x > scope.low.x - 1 && line[last].x < scope.high.x + 1)) continue;
      const side = `${scope.id} ${end.x}`;
      fans.set(side, [...(fans.get(side) ?? []), piecesOf([line[last], line[last + 1]], false)]);
    }
  }
  return [...fans.values()].reduce((sum, fan) => sum + pairsCrossing(fan), 0);
}

const SAME = 0.01; // px

/** @param {ReadonlyArray<readonly Piece[]>} lines */
const pairsCrossing = (lines) =>
  lines.reduce((sum, a, i) => sum + lines.slice(i + 1).filter((b) => a.some((p) => b.some((q) => cross(p, q)))).length, 0);

/** @param {Piece} p @param {Piece} q */
export const cross = ([a, b], [c, d]) => turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;

/** @param {Point} a @param {Point} b @param {Point} c */
const turn = (a, b, c) => Math.sign(Math.round(((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) * 1e3));
