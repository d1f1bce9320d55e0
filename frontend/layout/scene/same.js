// Whether two scenes, or two of their parts, are drawn alike. While a slider moves, the values change and the drawing
// does not: then it stays. Where a scope opens, most of what is drawn only moves.

/** @import { Band, Edge, Item, Scene } from "../types.js" */

/** @param {Scene} a @param {Scene} b */
export function sameDrawing(a, b) {
  return alike(a.items, b.items, sameItem) && alike(a.edges, b.edges, sameEdge) && alike(a.bands, b.bands, sameBand);
}

/**
 * @template T
 * @param {ReadonlyArray<T>} a @param {ReadonlyArray<T>} b @param {(x: T, y: T) => boolean} same
 */
const alike = (a, b, same) => a.length === b.length && a.every((each, i) => same(each, b[i]));

/** Whether two have the same values in these fields. @template T @param {T} a @param {T} b @param {ReadonlyArray<keyof T>} fields */
const equal = (a, b, fields) => fields.every((field) => a[field] === b[field]);

/** @param {Item} a @param {Item} b */
const sameItem = (a, b) => a.x === b.x && a.y === b.y && sameShape(a, b);

/** Whether two items look alike, wherever they stand. @param {Item} a @param {Item} b */
export const sameShape = (a, b) =>
  equal(a, b, ["id", "kind", "label", "name", "title", "open", "phase", "valued", "width", "height", "titleX"]) &&
  alike(
    a.constants,
    b.constants,
    (x, y) => x.names[0] === y.names[0] && x.label === y.label && x.x - a.x === y.x - b.x && x.y - a.y === y.y - b.y,
  );

/** @param {Edge} a @param {Edge} b */
const sameEdge = (a, b) => equal(a, b, ["id", "title", "count", "width"]);

/** Whether two lines run the same way and look alike. @param {Edge} a @param {Edge} b */
export const sameLine = (a, b) =>
  sameEdge(a, b) &&
  equal(a, b, ["kind", "phase", "head", "tail"]) &&
  alike(a.points, b.points, (p, q) => p.x === q.x && p.y === q.y) &&
  a.label?.text === b.label?.text &&
  a.label?.x === b.label?.x &&
  a.label?.y === b.label?.y;

/** @param {Band} a @param {Band} b */
export const sameBand = (a, b) => equal(a, b, ["name", "phase", "x", "y", "width", "height", "titleX", "part"]);
