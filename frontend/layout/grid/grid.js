// The grid: items in lanes and columns, and the lines between them.
//
// One grid lays out one container: the whole picture, or the inside of an open scope (a single lane). The steps are
// those of Sugiyama: the columns are given; order within the columns, ports, heights, then widths and lines.

import { IN, OUT } from "../items/edges.js";
import { drawLines } from "../lines/lines.js";
import { assignPorts } from "../lines/ports.js";
import { isPlumb, isUpright, routeOf } from "../lines/routes.js";
import { calmOrders, closedArrangement } from "./calm.js";
import { heights, levelHeights } from "./coordinates.js";
import { level } from "./level.js";
import { apart, meshOf, rowIn } from "./mesh.js";

/** @import { Point } from "../types.js" */
/** @import { Link } from "../items/edges.js" */
/** @import { Cell } from "./chains.js" */
/** @import { End } from "../lines/ports.js" */
/** @import { Route } from "../lines/routes.js" */

/**
 * @typedef {object} Lane
 * @property {number} flow      1: left to right, -1: right to left
 * @property {number} header    room above its items
 * @property {number} footer
 * @property {number} least     height of its items together, at least
 * @property {number} ahead     room left of its first column; negative: right of its last
 */

/**
 * @typedef {object} Task
 * @property {Cell[]} cells                     in program order, columns numbered without holes
 * @property {ReadonlyArray<Link>} links
 * @property {ReadonlyArray<Lane>} lanes
 * @property {boolean} upright                  the flow runs up or down the page
 * @property {import("./calm.js").Closed} [closed]  what stands where with all closed; found where it is not given
 * @property {import("../rows/scopes.js").Rows} [rows]  in which it is broken where it is long
 */

/**
 * @typedef {object} Grid
 * @property {Map<string, Point>} centres       by item id
 * @property {Map<Link, Point[]>} lines
 * @property {Array<{top: number, bottom: number}>} lanes   with header and footer
 * @property {number} width
 * @property {number} height
 */

/** @import { Mesh } from "./mesh.js" */

/**
 * The grid of a task, in stages for who listens in between.
 * @param {Task} task
 * @returns {Generator<void, Grid, void>}
 */
export function* gridInStages(task) {
  const { cells, links, lanes } = task;
  const mesh = meshOf(cells, links);
  const columns = Math.max(0, ...cells.map(({ column }) => column)) + 1;
  const closed = task.closed ?? closedArrangement(cells, links, lanes.length);
  yield;
  const orders = calmOrders(closed, mesh, lanes.length, columns);
  const rows = orders.map((order) => rowIn(mesh, order));
  const rough = rows.map((row) => levelHeights(row, mesh.hops));
  yield;
  const routes = routesOf(task, mesh, orders);
  const ends = endsOf(mesh, routes, new Map(rough.flatMap((lane) => [...lane])));
  assignPorts([...ends.values()].flatMap(({ out, into }) => [out, into]));
  offsetPorts(mesh, ends);
  const y = new Map(rows.flatMap((row, lane) => [...heights(row, mesh.hops, rough[lane])]));
  level(orders.flat(), mesh.trunks, y, (a, b) => apart(mesh, a, b));
  yield;
  return drawLines({ task, mesh, columns, orders, routes, ends, y });
}

/** The routes of all links that are not chains. @param {Task} task @param {Mesh} mesh @param {number[][][]} orders */
function routesOf({ links, lanes }, { byId, index, paths }, orders) {
  const first = new Set(orders.flatMap((lane) => lane.map((column) => column[0])));
  const last = new Set(orders.flatMap((lane) => lane.map((column) => column[column.length - 1])));
  const around = {
    highest: (/** @type {Cell} */ cell) => first.has(index.get(cell) ?? -1),
    lowest: (/** @type {Cell} */ cell) => last.has(index.get(cell) ?? -1),
    flow: (/** @type {number} */ lane) => lanes[lane].flow,
  };
  /** @type {Map<Link, Route>} */
  const routes = new Map();
  for (const link of links) {
    const [from, to] = [byId.get(link.from), byId.get(link.to)];
    if (from && to && !paths.has(link)) routes.set(link, routeOf(link, from, to, around));
  }
  return routes;
}

/** @typedef {{out: End, into: End}} Ends */

/** Both ends of every link. @param {Mesh} mesh @param {ReadonlyMap<Link, Route>} routes @param {ReadonlyMap<number, number>} y */
function endsOf({ vertices, paths }, routes, y) {
  /** @type {Map<Link, Ends>} */
  const ends = new Map();
  const heightAt = (/** @type {number} */ vertex, /** @type {string} */ door) =>
    (y.get(vertex) ?? 0) + (vertices[vertex].cell?.doors?.get(door)?.dy ?? 0);
  for (const [link, path] of paths) {
    const [a, b] = [vertices[path[0]], vertices[path[path.length - 1]]];
    const onward = a.column < b.column;
    const out = endOf(link, a.cell, onward ? "right" : "left", false, heightAt(path[1], IN + link.net), -1);
    const into = endOf(link, b.cell, onward ? "left" : "right", true, heightAt(path[path.length - 2], OUT + link.net), -1);
    ends.set(link, { out, into });
  }
  let plumb = 0;
  for (const [link, route] of routes) {
    const { from, to, exit, entry } = route;
    if (isPlumb(route)) plumb += 1;
    const number = isPlumb(route) ? plumb : -1;
    const out = endOf(link, from, exit, false, towards(exit, from, to), number);
    const into = endOf(link, to, entry, true, towards(entry, to, from), number);
    ends.set(link, { out, into });
  }
  return ends;
}

/** @param {import("../types.js").Side} side @param {Cell} cell @param {Cell} other */
function towards(side, cell, other) {
  if (isUpright(side)) return other.column - cell.column || -0.5;
  return (other.lane - cell.lane) * 1e6 || 1e5;
}

/**
 * @param {Link} link @param {Cell | null} cell @param {import("../types.js").Side} side
 * @param {boolean} entering @param {number} toward @param {number} plumb
 * @returns {End}
 */
function endOf(link, cell, side, entering, toward, plumb) {
  const control = link.kind === "control";
  const group =
    plumb >= 0 ? `plumb ${plumb}` : !entering ? `${link.net} out` : control ? "awaited" : `${link.net} ${link.slot} in`;
  const slot = entering ? link.slot : -1;
  return { cell: /** @type {Cell} */ (cell), side, group, slot, control, towards: toward, plumb, offset: 0 };
}

/** Open scopes have their doors; then the hops learn where their lines touch, in the mean over the edges that they stand for. @param {Mesh} mesh @param {ReadonlyMap<Link, Ends>} ends */
function offsetPorts({ paths, vertices, hops }, ends) {
  for (const [link, { out, into }] of ends) {
    out.offset = out.cell.doors?.get(OUT + link.net)?.dy ?? out.offset;
    into.offset = into.cell.doors?.get(IN + link.net)?.dy ?? into.offset;
  }
  const byEnds = new Map(hops.map((hop) => [`${hop.left} ${hop.right}`, hop]));
  for (const [link, path] of paths) {
    const { out, into } = /** @type {Ends} */ (ends.get(link));
    const onward = vertices[path[0]].column < vertices[path[1]].column;
    const sorted = onward ? path : path.toReversed();
    const [left, right] = onward ? [out, into] : [into, out];
    const first = byEnds.get(`${sorted[0]} ${sorted[1]}`);
    const last = byEnds.get(`${sorted[sorted.length - 2]} ${sorted[sorted.length - 1]}`);
    if (first) first.leftPort += (left.offset * link.count) / first.edges;
    if (last) last.rightPort += (right.offset * link.count) / last.edges;
  }
}
