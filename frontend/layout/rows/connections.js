// Connections: how a line goes on from one row to the next, as the eye does from one line of a text to the next.
//
// Right of its row it turns down, runs back between the two rows, and turns down once more left of the next one. Lines that
// pass a break one above the other wind around one another, so that none crosses another there.

import { styleOf } from "../items/edges.js";
import * as M from "../metrics.js";
import { MARGIN, roomBeside } from "./breaks.js";
import { columnsAlong } from "./columns.js";

/** @import { Edge, Point, Scene } from "../types.js" */
/** @import { Column } from "./columns.js" */

/**
 * A step of a line past the end of a column, with the heights at which it leaves it and goes on. `i`: the point it leads to;
 * `key`: lines of one look that leave an item at one place share their way.
 * @typedef {{i: number, after: number, leaves: number, enters: number, key: string, onward: boolean}} Step
 */
/** @typedef {{edge: Edge, columns: number[], steps: ReadonlyArray<Step>}} Along  a line and where it lies: per point its column */

/** @param {ReadonlyArray<Column>} columns @param {Scene} scene @returns {Along[]} */
export const linesAlong = (columns, { edges }) =>
  edges.map((edge) => {
    const along = columnsAlong(columns, edge.points);
    return { edge, columns: along, steps: stepsPast(edge, along) };
  });

/** The steps of a line that lead past the end of a column. @param {Edge} edge @param {number[]} columns @returns {Step[]} */
function stepsPast(edge, columns) {
  const { points } = edge;
  /** @type {Step[]} */
  const steps = [];
  for (let i = 1; i < points.length; i += 1) {
    const [from, to] = [columns[i - 1], columns[i]];
    if (from === to) continue;
    const onward = to > from;
    const by = onward ? 1 : -1;
    const key = `${styleOf(edge)} ${by} ${Math.round(points[i - 1].y)}`;
    for (let at = from; at !== to; at += by) {
      const enters = at + by === to ? points[i].y : points[i - 1].y;
      steps.push({ i, after: onward ? at : at - 1, leaves: points[i - 1].y, enters, key, onward });
    }
  }
  return steps;
}

/** How many lines lead from each column to the next. @param {Along[]} lines @param {number} columns */
export function linesPassing(lines, columns) {
  const passing = Array.from({ length: columns - 1 }, () => new Set());
  for (const { steps } of lines) for (const { after, key } of steps) passing[after].add(key);
  return passing.map(({ size }) => size);
}

/**
 * Where the lines that pass a break run, by key: the first is the outermost right of the upper row, the last left of the lower one.
 * @param {Along[]} lines @param {ReadonlyArray<number>} breaks
 * @returns {Array<Map<string, number>>} by break
 */
export function tracksAt(lines, breaks) {
  const number = new Map(breaks.map((first, i) => [first - 1, i]));
  /** @type {Array<Map<string, number>>} */
  const heights = breaks.map(() => new Map());
  for (const { steps } of lines) {
    for (const { after, key, leaves, enters, onward } of steps) {
      const at = heights[number.get(after) ?? -1];
      if (at && !at.has(key)) at.set(key, onward ? leaves : enters);
    }
  }
  return heights.map((at) => new Map([...at].sort(([, a], [, b]) => a - b).map(([key], track) => [key, track])));
}

/**
 * @typedef {object} Row
 * @property {number} right   of all that stands in it, where it is drawn
 * @property {number} bottom
 */

/**
 * The corners of a line between a row and the next, from the end of the upper one.
 * @param {Row} upper @param {number} track @param {number} count of tracks @param {number} leaves height in the upper row @param {number} enters in the lower one
 * @returns {Point[]}
 */
export function corners({ right, bottom }, track, count, leaves, enters) {
  const outwards = MARGIN + (count - 1 - track) * M.TRACK;
  const [out, back, down] = [right + outwards, -MARGIN - track * M.TRACK, bottom + outwards];
  return [
    { x: out, y: leaves },
    { x: out, y: down },
    { x: back, y: down },
    { x: back, y: enters },
  ];
}

/** What the lines between two rows take up. @param {number} count */
export const roomBetween = (count) => roomBeside(count) + MARGIN;
