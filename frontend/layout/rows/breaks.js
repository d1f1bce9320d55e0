// Breaks: between which columns a picture is broken into rows, as a text is into lines.
//
// As few rows as there is room for, about equally long, broken where few lines pass. The rows are chosen as if every scope
// were closed; where an open one makes a row too long, that row alone is broken once more. So what is opened in one row moves
// nothing in those before it, and the rows behind it keep what they hold.

import * as M from "../metrics.js";

/** @import { Column } from "./columns.js" */

export const MARGIN = 10; // px between a row and the nearest of the lines that lead on from it
const LINES_MOST = 16; // that may pass a break: eight terms and their gradients
const A_ROW = 1e4; // cost of a row: anything else is less
const A_LINE = 0.02; // of each line squared that passes a break, where a row as long as there is room costs 1

/** What the lines beside a row take up. @param {number} lines */
export const roomBeside = (lines) => (lines === 0 ? 0 : MARGIN + lines * M.TRACK);

/**
 * The numbers of the columns that begin another row; none where one row is enough, or where too many lines would be broken.
 * @param {ReadonlyArray<Column>} columns @param {ReadonlyArray<number>} passing how many lines pass from each column to the next
 * @param {number} width px that a row may be long
 * @returns {number[]}
 */
export function breaksOf(columns, passing, width) {
  const { closed, open } = measures(columns);
  const first = { from: 0, to: columns.length, passing, width };
  const starts = broken({ ...first, lengthOf: closed });
  if (starts === null) return [];
  const ends = [...starts.slice(1), columns.length];
  const found = starts.map((from, i) => broken({ ...first, from, to: ends[i], lengthOf: open }));
  return found.includes(null) ? [] : found.flatMap((row) => row ?? []).slice(1);
}

/** How long the columns from one to before another are: with the scopes in them closed, and as they are. @param {ReadonlyArray<Column>} columns */
function measures(columns) {
  const narrow = [0];
  for (const { low, high, least } of columns) narrow.push(narrow[narrow.length - 1] + high - low - least);
  const open = (/** @type {number} */ from, /** @type {number} */ to) => columns[to - 1].high - columns[from].low;
  const closed = (/** @type {number} */ from, /** @type {number} */ to) => open(from, to) - (narrow[to] - narrow[from]);
  return { closed, open };
}

/** @typedef {{from: number, to: number, passing: ReadonlyArray<number>, width: number, lengthOf: (from: number, to: number) => number}} Stretch */

/**
 * The first columns of the rows of a stretch of columns; null where a break would part too many lines.
 * @param {Stretch} stretch
 * @returns {number[] | null}
 */
function broken(stretch) {
  const { from, to } = stretch;
  /** @type {Map<number, {cost: number, start: number}>} the best rows that end before a column */
  const best = new Map([[from, { cost: 0, start: from }]]);
  for (let end = from + 1; end <= to; end += 1) {
    for (let start = end - 1; start >= from && mayHold(stretch, start, end); start -= 1) {
      const sum = (best.get(start)?.cost ?? Infinity) + costOf(stretch, start, end);
      if (sum < (best.get(end)?.cost ?? Infinity)) best.set(end, { cost: sum, start });
    }
  }
  const starts = [];
  for (let end = to; end > from; end = starts[0]) {
    const row = best.get(end);
    if (!row) return null;
    starts.unshift(row.start);
  }
  return starts;
}

/** Whether a row may be that long, but for the lines beside it; what cannot be parted may be longer. @param {Stretch} stretch @param {number} start @param {number} end */
const mayHold = ({ width, lengthOf, passing }, start, end) => lengthOf(start, end) <= width || isTied(passing, start, end);

/** Whether so many lines pass between all of these columns that none can be parted from the next; a single column has none. @param {ReadonlyArray<number>} passing @param {number} start @param {number} end */
const isTied = (passing, start, end) => passing.slice(start, end - 1).every((lines) => lines > LINES_MOST);

/** What a row costs; what cannot be parted may be too long. @param {Stretch} stretch @param {number} start @param {number} end */
function costOf({ to, passing, width, lengthOf }, start, end) {
  const lines = end < to ? passing[end - 1] : 0;
  const beside = roomBeside(start > 0 ? passing[start - 1] : 0) + roomBeside(passing[end - 1] ?? 0);
  const length = lengthOf(start, end) + beside;
  if (lines > LINES_MOST || (length > width && !isTied(passing, start, end))) return Infinity;
  return A_ROW + (length / width) ** 2 + A_LINE * lines ** 2;
}
