// Columns: what of a scene stands one beneath the other. Between them it can be cut.

import { closedWidth } from "../items/items.js";
import { ROOT } from "../graph/names.js";

/** @import { Edge, Item, Scene } from "../types.js" */

/**
 * `least`: its width with the scopes in it closed.
 * @typedef {{low: number, high: number, least: number}} Column
 */

const NEAR = 0.5; // px that a line may end beside its item

/** The columns of a scene, from the left. @param {Pick<Scene, "items">} scene @returns {Column[]} */
export function columnsOf({ items }) {
  const spans = items.filter(({ parent }) => parent === ROOT).map(spanOf);
  spans.sort((a, b) => a.low - b.low);
  /** @type {Column[]} */
  const columns = [];
  for (const span of spans) {
    const last = columns[columns.length - 1];
    if (last && span.low <= last.high + NEAR) {
      last.high = Math.max(last.high, span.high);
      last.least = Math.max(last.least, span.least);
    } else columns.push({ ...span });
  }
  return columns;
}

/** From the left to the right of an item with its constants. @param {Item} item @returns {Column} */
function spanOf({ x, width, constants, open, label }) {
  const low = Math.min(x, ...constants.map((each) => each.x));
  const high = Math.max(x + width, ...constants.map((each) => each.x + each.width));
  return { low, high, least: open ? closedWidth(label) : high - low };
}

/**
 * In which column each point of a line lies. What lies between two columns belongs to the one that the line comes from; at
 * its beginning, to the one that it leads to.
 * @param {ReadonlyArray<Column>} columns @param {Edge["points"]} points
 * @returns {number[]}
 */
export function columnsAlong(columns, points) {
  const places = points.map(({ x }) => placeAt(columns, x));
  let before = places.find(Number.isInteger) ?? Math.floor(places[0]);
  return places.map((place) => (before = between(place, before, columns.length - 1)));
}

/** A column, or of a place between two the one that is nearer to `before`. @param {number} place @param {number} before @param {number} last */
function between(place, before, last) {
  const column = before <= place ? Math.floor(place) : Math.ceil(place);
  return Math.min(Math.max(column, 0), last);
}

/** The number of the column at x; half a number more between two. @param {ReadonlyArray<Column>} columns @param {number} x */
export function placeAt(columns, x) {
  let [low, high] = [0, columns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (columns[middle].low - NEAR <= x) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return -0.5;
  return x <= columns[low - 1].high + NEAR ? low - 1 : low - 0.5;
}
