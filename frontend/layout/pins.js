// Pins: where everything stood across the flow in the scene before, so that what stays keeps its order.

import { turnOf } from "./turn.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Point} Point */

/**
 * @typedef {object} Pins
 * @property {(id: string) => number | undefined} item                              its middle
 * @property {(from: string, to: string, part: number) => number | undefined} line  so far along the line between two items
 */

/** @param {Pick<Scene, "items" | "edges" | "direction">} scene @returns {Pins} */
export function pinsOf({ items, edges, direction }) {
  const turn = turnOf({ direction });
  const middles = new Map(items.map((item) => [item.id, turn.across(item)]));
  const lines = new Map(edges.map(({ joins, points }) => [joins, points]));
  return {
    item: (id) => middles.get(id),
    line(from, to, part) {
      const points = lines.get(`${from} ${to}`);
      return points && acrossAt(points, part, turn.upright);
    },
  };
}

/** Where a line stands across the flow, a part of its way along it. @param {ReadonlyArray<Point>} points @param {number} part @param {boolean} upright */
function acrossAt(points, part, upright) {
  const flat = points.map(({ x, y }) => (upright ? { along: y, across: x } : { along: x, across: y }));
  const [start, end] = [flat[0], flat[flat.length - 1]];
  const at = start.along + (end.along - start.along) * part;
  const sign = Math.sign(end.along - start.along) || 1;
  const next = Math.max(1, flat.findIndex(({ along }) => (along - at) * sign >= 0));
  const [a, b] = [flat[next - 1], flat[next]];
  const share = a.along === b.along ? 0 : (at - a.along) / (b.along - a.along);
  return a.across + (b.across - a.across) * Math.min(1, Math.max(0, share));
}
