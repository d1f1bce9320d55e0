// Whether two scenes are drawn alike. While a slider moves, the values change and the drawing does not: then it stays.

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Edge} Edge */

/** @param {Scene} a @param {Scene} b */
export function sameDrawing(a, b) {
  return alike(a.items, b.items, sameItem) && alike(a.edges, b.edges, sameEdge) && alike(a.bands, b.bands, (x, y) => x.name === y.name);
}

/**
 * @template T
 * @param {ReadonlyArray<T>} a @param {ReadonlyArray<T>} b @param {(x: T, y: T) => boolean} same
 */
const alike = (a, b, same) => a.length === b.length && a.every((each, i) => same(each, b[i]));

/** @param {Item} a @param {Item} b */
const sameItem = (a, b) =>
  a.id === b.id && a.x === b.x && a.y === b.y && a.label === b.label && a.name === b.name && a.open === b.open &&
  alike(a.constants, b.constants, (x, y) => x.name === y.name && x.label === y.label);

/** @param {Edge} a @param {Edge} b */
const sameEdge = (a, b) => a.id === b.id && a.title === b.title && a.count === b.count && a.width === b.width;
