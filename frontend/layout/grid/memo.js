// Memo: grids that look the same are laid out once. The twenty layers of a network differ in names alone.

import { lineLabel } from "../items/labels.js";
import { layoutGrid } from "./grid.js";
import { remembered } from "./remembered.js";

/** @import { Grid, Task } from "./grid.js" */
/** @typedef {(task: Task) => Grid} Layout */

const KEPT = 300; // grids

/**
 * A layout of grids that remembers.
 * @param {Layout} [layout]
 * @returns {Layout}
 */
export function rememberedGrids(layout = layoutGrid) {
  const laidOut = remembered(KEPT);
  return (task) => {
    const before = /** @type {{task: Task, grid: Grid}} */ (laidOut(likeness(task), () => ({ task, grid: layout(task) })));
    return before.task === task ? before.grid : translated(before, task);
  };
}

/** All that a layout depends on, without names. @param {Task} task */
function likeness({ cells, links, lanes, upright }) {
  const number = new Map(cells.map(({ id }, i) => [id, i]));
  const nets = new Map();
  const netOf = (/** @type {string} */ net) => nets.get(net) ?? (nets.set(net, nets.size), nets.size - 1);
  const strands = new Map();
  const strandOf = (/** @type {string} */ strand) => strands.get(strand) ?? (strands.set(strand, strands.size), strands.size - 1);
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
    ]),
    cells.map(({ doors }) =>
      [...(doors ?? [])].map(([net, door]) => [netOf(net.replace(/^(in|out)>/, "")), net.startsWith("in>"), door]),
    ),
    [lanes, upright],
  ]);
}

/** The grid of one task, said of another that is like it. @param {{task: Task, grid: Grid}} before @param {Task} task @returns {Grid} */
function translated({ task: { cells, links }, grid }, task) {
  const centres = task.cells.map(({ id }, i) => /** @type {const} */ ([id, grid.centres.get(cells[i].id) ?? { x: 0, y: 0 }]));
  const lines = task.links.map((link, i) => /** @type {const} */ ([link, grid.lines.get(links[i]) ?? []]));
  return { ...grid, centres: new Map(centres), lines: new Map(lines.filter(([, points]) => points.length > 0)) };
}
