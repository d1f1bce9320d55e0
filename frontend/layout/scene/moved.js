// Moved by hand: a scene with some of its items put elsewhere. What they hold goes with them, and lines follow.
//
// The layout itself knows nothing of it: a move is a distance from the place that the layout chose.

import { around, union } from "../../geometry/box.js";
import { ROOT } from "../graph/names.js";

/** @import { Edge, Item, Point, Scene } from "../types.js" */
/** @import { Box } from "../../geometry/viewport.js" */
/** @typedef {ReadonlyMap<string, readonly [number, number]>} Moves  item id -> right and down, px */

const INSET = 6; // px between a moved item and the border of the scope that holds it
const REACH = 1; // px that a line's end may lie off the outline of its item

/**
 * The scene with each moved item in its new place; the very same scene where nothing of it was moved.
 * @param {Scene} scene @param {Moves} moves
 * @returns {Scene}
 */
export function withMoves(scene, moves) {
  if (moves.size === 0) return scene;
  const shifts = shiftsOf(scene.items, moves);
  if (shifts.size === 0) return scene;
  const boxes = new Map(scene.items.map((item) => [item.id, item]));
  const items = scene.items.map((item) => shiftedItem(item, shifts.get(item.id)));
  const edges = scene.edges.map((edge) => shiftedEdge(edge, shifts, boxes, scene.direction !== "right"));
  const ribbons = scene.ribbons.filter(({ from, to }) => !shifts.has(from) && !shifts.has(to));
  const pills = items.flatMap(({ constants }) => constants);
  const page = union([...items, ...scene.bands, ...pills, ...edges.map(({ points }) => around(points))]);
  return { ...scene, items, edges, ribbons, page };
}

/** How far each item goes, with the scopes around it; outer scopes stand before what they hold. @param {ReadonlyArray<Item>} items @param {Moves} moves */
function shiftsOf(items, moves) {
  /** @type {Map<string, Point>} */
  const shifts = new Map();
  const boxes = new Map(items.map((item) => [item.id, item]));
  for (const item of items) {
    const carried = shifts.get(item.parent) ?? { x: 0, y: 0 };
    const [x, y] = within(item, boxes.get(item.parent), moves.get(item.id) ?? [0, 0]);
    const shift = { x: carried.x + x, y: carried.y + y };
    if (shift.x !== 0 || shift.y !== 0) shifts.set(item.id, shift);
  }
  return shifts;
}

/** A move, cut so that the item stays inside its scope. @param {Item} item @param {Item | undefined} scope @param {readonly [number, number]} move @returns {readonly [number, number]} */
function within(item, scope, [dx, dy]) {
  if (!scope || item.parent === ROOT) return [dx, dy];
  const [right, bottom] = [scope.x + scope.width - item.width - INSET, scope.y + scope.height - item.height - INSET];
  return [clamped(dx, scope.x + INSET - item.x, right - item.x), clamped(dy, scope.y + 4 * INSET - item.y, bottom - item.y)];
}

/** @param {number} value @param {number} low @param {number} high */
const clamped = (value, low, high) => Math.min(Math.max(value, Math.min(low, 0)), Math.max(high, 0));

/** @param {Item} item @param {Point | undefined} shift @returns {Item} */
function shiftedItem(item, shift) {
  if (!shift) return item;
  const constants = item.constants.map((each) => ({ ...each, x: each.x + shift.x, y: each.y + shift.y }));
  return { ...item, x: item.x + shift.x, y: item.y + shift.y, constants };
}

/** @param {Edge} edge @param {ReadonlyMap<string, Point>} shifts @param {ReadonlyMap<string, Item>} boxes @param {boolean} upright @returns {Edge} */
function shiftedEdge(edge, shifts, boxes, upright) {
  const first = shiftAt(edge.points[0], shifts, boxes);
  const last = shiftAt(edge.points[edge.points.length - 1], shifts, boxes);
  if (!first && !last) return edge;
  const points =
    first && last && first.x === last.x && first.y === last.y
      ? edge.points.map((point) => plus(point, first))
      : bent(edge.points, first, last, upright);
  const label = edge.label && first ? { ...edge.label, x: edge.label.x + first.x, y: edge.label.y + first.y } : edge.label;
  return { ...edge, points, label };
}

/** How far the end of a line goes: with the innermost moved item whose outline it lies on. @param {Point} point @param {ReadonlyMap<string, Point>} shifts @param {ReadonlyMap<string, Item>} boxes */
function shiftAt(point, shifts, boxes) {
  let found;
  for (const [id, shift] of shifts) if (touches(point, /** @type {Item} */ (boxes.get(id)))) found = shift;
  return found;
}

/** Whether a point lies on a box or in it. @param {Point} point @param {Box} box */
const touches = ({ x, y }, box) =>
  x >= box.x - REACH && x <= box.x + box.width + REACH && y >= box.y - REACH && y <= box.y + box.height + REACH;

/** @param {Point} point @param {Point} by @returns {Point} */
const plus = ({ x, y }, by) => ({ x: x + by.x, y: y + by.y });

/** A line whose ends go different ways: the bends beside a moved end slide along. @param {ReadonlyArray<Point>} points @param {Point | undefined} first @param {Point | undefined} last @param {boolean} upright */
function bent(points, first, last, upright) {
  const line = points.length > 3 ? points : withBend(points, upright);
  const begun = first ? slid(line, first) : line;
  return last ? slid(begun.toReversed(), last).toReversed() : begun;
}

/** A line of four points at least, turning half-way. @param {ReadonlyArray<Point>} points @param {boolean} upright */
function withBend(points, upright) {
  const [start, end] = [points[0], points[points.length - 1]];
  const half = (start.y + end.y) / 2;
  if (upright) return [start, { x: start.x, y: half }, { x: end.x, y: half }, end];
  const middle = (start.x + end.x) / 2;
  return [start, { x: middle, y: start.y }, { x: middle, y: end.y }, end];
}

/** The first point moved, and the second so far that the piece between keeps its direction. @param {ReadonlyArray<Point>} line @param {Point} by @returns {ReadonlyArray<Point>} */
function slid([start, next, ...rest], by) {
  const moved = plus(start, by);
  const level = Math.abs(start.y - next.y) < Math.abs(start.x - next.x);
  return [moved, level ? { x: next.x, y: next.y + by.y } : { x: next.x + by.x, y: next.y }, ...rest];
}
