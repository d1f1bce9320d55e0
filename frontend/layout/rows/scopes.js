// Rows inside an open scope: its grid is broken as the whole picture is, where it would be too long to be read at once.
//
// What comes in at the left stands beside the first row, what leaves at the right beside the last; for what is computed from
// right to left it is the other way round. So the lines outside end where they did, and the inside alone has other rows.

import { ROOT } from "../graph/names.js";
import * as M from "../metrics.js";
import { rowsInStages } from "./rows.js";

/** @import { Point, Scene } from "../types.js" */
/** @import { Size } from "../../geometry/viewport.js" */
/** @import { Cell } from "../grid/chains.js" */
/** @import { Grid } from "../grid/grid.js" */
/** @typedef {{titles: ReadonlyArray<string>, room: Size}} Rows  the titles of what stands in the grid; px that can be read on screen at once */

const AROUND = 2 * (M.SCOPE_PADDING + M.GAP); // px that a scope's border and the lines beside it take up

/** What is left for the inside of a scope, of the room around it. @param {Size} room @returns {Size} */
export const roomInside = ({ width, height }) => ({ width: width - AROUND, height: height - M.SCOPE_HEADER - M.SCOPE_PADDING });

/**
 * The grid of an open scope in as many rows as it needs; the very same grid where that is one.
 * @param {Grid} grid @param {ReadonlyArray<Cell>} cells first those with a title, then the nets at the border
 * @param {Rows} rows
 * @returns {Generator<void, Grid, void>}
 */
export function* gridInRows(grid, cells, { titles, room }) {
  if (grid.width <= room.width) return grid;
  const links = [...grid.lines.keys()];
  const scene = sceneOf(grid, cells, titles);
  const broken = yield* rowsInStages(scene, room);
  if (broken === scene) return grid;
  const { x, y, width, height } = broken.page;
  const borderAt = (/** @type {Point} */ point) => (2 * point.x < grid.width ? 0 : width);
  const centreOf = (/** @type {Cell} */ cell, /** @type {number} */ i) => {
    const before = grid.centres.get(cell.id) ?? { x: 0, y: 0 };
    if (i >= titles.length) return { x: borderAt(before), y: broken.items[i].y - y };
    const [was, is] = [scene.items[i], broken.items[i]];
    return { x: before.x + is.x - was.x - x, y: before.y + is.y - was.y - y };
  };
  const centres = new Map(cells.map((cell, i) => /** @type {const} */ ([cell.id, centreOf(cell, i)])));
  const borders = new Set(cells.slice(titles.length).map(({ id }) => id));
  const lines = links.map((link, k) => {
    const points = broken.edges[k].points.map((point) => ({ x: point.x - x, y: point.y - y }));
    if (borders.has(link.from)) points[0] = { ...points[0], x: centres.get(link.from)?.x ?? 0 };
    if (borders.has(link.to)) points[points.length - 1] = { ...points[points.length - 1], x: centres.get(link.to)?.x ?? 0 };
    return /** @type {const} */ ([link, points]);
  });
  return { ...grid, centres, lines: new Map(lines), width, height };
}

/** A grid as a scene that can be cut: boxes and lines. @param {Grid} grid @param {ReadonlyArray<Cell>} cells @param {ReadonlyArray<string>} titles @returns {Scene} */
function sceneOf({ centres, lines, width, height }, cells, titles) {
  const items = cells.map((cell, i) => {
    const { x, y } = centres.get(cell.id) ?? { x: 0, y: 0 };
    const { across, above, below } = cell;
    const box = { x: x - across / 2, y: y - cell.height / 2 - above, width: across, height: cell.height + above + below };
    return {
      ...box,
      parent: i < titles.length ? ROOT : "",
      open: cell.doors !== null,
      label: titles[i],
      constants: [],
    };
  });
  const edges = [...lines].map(([link, points]) => ({ ...link, points, label: null }));
  const page = { x: 0, y: 0, width, height };
  return /** @type {Scene} */ (/** @type {unknown} */ ({ items, edges, bands: [], ribbons: [], direction: "right", page }));
}
