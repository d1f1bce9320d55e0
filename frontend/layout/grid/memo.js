// Memo: grids that look the same are laid out once. The twenty layers of a network differ in names alone.

import { styleOf } from "../items/edges.js";
import { lineLabel } from "../items/labels.js";
import { gridInRows } from "../rows/scopes.js";
import { gridInStages } from "./grid.js";
import { memoryOf } from "./remembered.js";

/** @import { Grid, Task } from "./grid.js" */
/** @typedef {(task: Task) => Generator<void, Grid, void>} Layout */

const KEPT = 300; // grids

/** @type {Layout} */
function* layoutInRows(task) {
  const grid = yield* gridInStages(task);
  yield;
  return task.rows ? yield* gridInRows(grid, task.cells, task.rows) : grid;
}

/**
 * A layout of grids that remembers.
 * @param {Layout} [layout]
 * @returns {Layout}
 */
export function rememberedGrids(layout = layoutInRows) {
  const laidOut = /** @type {ReturnType<typeof memoryOf<{task: Task, grid: Grid}>>} */ (memoryOf(KEPT));
  return function* (task) {
    const key = likeness(task);
    const before = laidOut.get(key);
    if (before) return translated(before, task);
    const grid = yield* layout(task);
    laidOut.set(key, { task, grid });
    return grid;
  };
}

/** All that a layout depends on, without names. @param {Task} task */
function likeness({ cells, links, lanes, upright, rows }) {
  const number = new Map(cells.map(({ id }, i) => [id, i]));
  const [netOf, strandOf, styleNumber] = [numbering(), numbering(), numbering()];
  const places = new Map(
    links
      .map(({ first }) => first)
      .sort((a, b) => a - b)
      .map((first, i) => [first, i]),
  );
  return JSON.stringify([
    cells.map(({ lane, column, width, height, above, below, across, round }) => [
      lane,
      column,
      width,
      height,
      above,
      below,
      across,
      round,
    ]),
    links.map((link) => [
      number.get(link.from),
      number.get(link.to),
      netOf(link.net),
      link.slot,
      link.kind,
      lineLabel(link),
      strandOf(link.strand),
      places.get(link.first),
      link.passage,
      styleNumber(styleOf(link)),
    ]),
    cells.map(({ doors }) =>
      [...(doors ?? [])].map(([net, door]) => [netOf(net.replace(/^(in|out)>/, "")), net.startsWith("in>"), door]),
    ),
    [lanes, upright],
    rows && [rows.room, rows.titles.map((title, i) => (cells[i].doors ? title : 0))],
  ]);
}

/** Numbers in place of names: 0 for the first, the same again for the same. @returns {(name: string) => number} */
function numbering() {
  /** @type {Map<string, number>} */
  const numbers = new Map();
  return (name) => numbers.get(name) ?? (numbers.set(name, numbers.size), numbers.size - 1);
}

/** The grid of one task, said of another that is like it. @param {{task: Task, grid: Grid}} before @param {Task} task @returns {Grid} */
function translated({ task: { cells, links }, grid }, task) {
  const centres = task.cells.map(({ id }, i) => /** @type {const} */ ([id, grid.centres.get(cells[i].id) ?? { x: 0, y: 0 }]));
  const lines = task.links.map((link, i) => /** @type {const} */ ([link, grid.lines.get(links[i]) ?? []]));
  return { ...grid, centres: new Map(centres), lines: new Map(lines.filter(([, points]) => points.length > 0)) };
}
