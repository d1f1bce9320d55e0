// The grid: items in lanes and columns, and the lines between them.
//
// One grid lays out one container: the whole picture, or the inside of an open scope (a single lane). The steps are
// those of Sugiyama: the columns are given; order within the columns, ports, heights, then widths and lines.

import { heights } from "./coordinates.js";
import { fewCrossings } from "./order.js";
import { chainsOf } from "./chains.js";
import { assignPorts } from "./ports.js";
import { isPlumb, isUpright, routeOf } from "./routes.js";
import { drawLines } from "./lines.js";
import * as M from "./metrics.js";

/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./edges.js").Link} Link */
/** @typedef {import("./chains.js").Cell} Cell */
/** @typedef {import("./chains.js").Vertex} Vertex */
/** @typedef {import("./coordinates.js").Hop} Hop */
/** @typedef {import("./ports.js").End} End */
/** @typedef {import("./routes.js").Route} Route */

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
 * @property {import("./pins.js").Pins | null} pins  of the layout before, whose order stays
 */

/**
 * @typedef {object} Grid
 * @property {Map<string, Point>} centres       by item id
 * @property {Map<Link, Point[]>} lines
 * @property {Array<{top: number, bottom: number}>} lanes   with header and footer
 * @property {number} width
 * @property {number} height
 */

/** @typedef {{cells: Cell[], byId: Map<string, Cell>, index: Map<Cell, number>, vertices: ReadonlyArray<Vertex>, paths: Map<Link, number[]>, hops: Hop[]}} Mesh */

/**
 * @param {Task} task
 * @returns {Grid}
 */
export function layoutGrid(task) {
  const { cells, links, lanes, pins } = task;
  const mesh = meshOf(cells, links);
  const columns = Math.max(0, ...cells.map(({ column }) => column)) + 1;
  /** @type {Map<number, number>} */
  const y = new Map();
  const orders = lanes.map((_, lane) => {
    const order = orderOf(mesh, lane, columns, pins, y);
    for (const [vertex, height] of heights(order, mesh.hops, (a, b) => apart(mesh, a, b))) y.set(vertex, height);
    return order;
  });
  const routes = routesOf(task, mesh, orders);
  const ends = endsOf(mesh, routes, y);
  assignPorts([...ends.values()].flatMap(({ out, into }) => [out, into]));
  settlePorts(mesh, ends);
  for (const order of orders) {
    for (const [vertex, height] of heights(order, mesh.hops, (a, b) => apart(mesh, a, b))) y.set(vertex, height);
  }
  return drawLines({ task, mesh, columns, orders, routes, ends, y });
}

/** @param {Cell[]} cells @param {ReadonlyArray<Link>} links @returns {Mesh} */
function meshOf(cells, links) {
  const { paths, vertices } = chainsOf(cells, links);
  /** @type {Map<string, Hop>} */
  const hops = new Map();
  for (const [link, path] of paths) {
    for (let i = 1; i < path.length; i += 1) {
      const [left, right] = vertices[path[0]].column < vertices[path[1]].column ? [path[i - 1], path[i]] : [path[i], path[i - 1]];
      const known = hops.get(`${left} ${right}`);
      const weight = weightOf(vertices[path[i - 1]], vertices[path[i]], link);
      const hop = known ?? { left, right, leftPort: 0, rightPort: 0, weight: 0, links: 0 };
      hop.weight += weight;
      hop.links += 1;
      hops.set(`${left} ${right}`, hop);
    }
  }
  for (const hop of spineOf(vertices, [...hops.values()])) hop.weight *= SPINE;
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const index = new Map(cells.map((cell, i) => [cell, i]));
  return { cells, byId, index, vertices, paths, hops: [...hops.values()] };
}

const SPINE = 100; // how much straighter the longest way through a lane is to be than what branches off

/**
 * The hops on the longest ways through each lane: those that pass most items.
 * @param {ReadonlyArray<Vertex>} vertices @param {Hop[]} hops
 */
function spineOf(vertices, hops) {
  const counted = vertices.map(({ cell }) => Number(cell !== null));
  const [upTo, from] = [[...counted], [...counted]];
  const onward = hops.sort((a, b) => vertices[a.left].column - vertices[b.left].column);
  for (const { left, right } of onward) upTo[right] = Math.max(upTo[right], upTo[left] + counted[right]);
  for (const { left, right } of onward.toReversed()) from[left] = Math.max(from[left], from[right] + counted[left]);
  /** @type {Map<number, number>} */
  const longest = new Map();
  for (const { left, right } of hops) longest.set(vertices[left].lane, Math.max(longest.get(vertices[left].lane) ?? 0, upTo[left] + from[right]));
  return hops.filter(({ left, right }) => upTo[left] + from[right] === longest.get(vertices[left].lane));
}

/**
 * Long lines want to be straight more than short ones, and control edges hardly: they do not pull an item towards the
 * line that they join.
 * @param {Vertex} from @param {Vertex} to @param {Link} link
 */
function weightOf(from, to, link) {
  const bends = Number(from.cell === null) + Number(to.cell === null);
  if (link.kind !== "control") return [1, 2, 6][bends];
  return from.cell && !to.cell ? 0 : [0.2, 0.4, 1.2][bends];
}

/** Least distance of two centre lines in a column. @param {Mesh} mesh @param {number} upper @param {number} lower */
function apart({ vertices }, upper, lower) {
  const [a, b] = [vertices[upper].cell, vertices[lower].cell];
  const gap = a && b ? M.ROW_GAP : M.BEND_GAP;
  return (a ? a.height / 2 + a.below : 0) + gap + (b ? b.height / 2 + b.above : 0);
}

/**
 * The columns of one lane, each from the top. A lane beneath others keeps the order of what its items belong to.
 * @param {Mesh} mesh @param {number} lane @param {number} columns
 * @param {import("./pins.js").Pins | null} pins @param {ReadonlyMap<number, number>} y of the lanes above
 */
function orderOf(mesh, lane, columns, pins, y) {
  const { vertices, hops } = mesh;
  const members = vertices.flatMap((vertex, i) => (vertex.lane === lane ? [i] : []));
  const kept = pins !== null && members.some((i) => pins.item(vertices[i].cell?.id ?? "") !== undefined);
  const keys = keysOf(mesh, members, kept ? pins : null, y);
  members.sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0) || a - b);
  /** @type {number[][]} */
  const found = Array.from({ length: columns }, () => []);
  for (const i of members) found[vertices[i].column].push(i);
  if (kept || lane > 0) return found;
  const pairs = hops.map(({ left, right }) => /** @type {const} */ ([left, right]));
  return fewCrossings({ columns: found, hops: pairs.filter(([left]) => vertices[left].lane === lane) });
}

/**
 * Sorting keys: the height last time, or of the partner; for others the mean of their neighbours'.
 * @param {Mesh} mesh @param {number[]} members @param {import("./pins.js").Pins | null} pins @param {ReadonlyMap<number, number>} y
 */
function keysOf({ vertices, hops, byId, index }, members, pins, y) {
  const above = (/** @type {string} */ id) => y.get(index.get(/** @type {Cell} */ (byId.get(id))) ?? -1);
  /** @type {Map<number, number>} */
  const keys = new Map();
  for (const i of members) {
    const { cell, between, part } = vertices[i];
    const before = pins && (cell ? pins.item(cell.id) : pins.line(between[0], between[1], part));
    const known = pins ? before : cell?.partner ? above(cell.partner) : undefined;
    if (known !== undefined && known !== null) keys.set(i, known);
    else if (cell && cell.lane === 0 && !pins) keys.set(i, cell.key);
  }
  for (let round = 0; round < 3; round += 1) fillFromNeighbours(keys, hops);
  for (const i of members) {
    const [from, to] = vertices[i].ends.map((end) => keys.get(end) ?? vertices[end].cell?.key ?? 0);
    if (!keys.has(i)) keys.set(i, from + (to - from) * vertices[i].part);
  }
  return keys;
}

/** @param {Map<number, number>} keys @param {ReadonlyArray<Hop>} hops */
function fillFromNeighbours(keys, hops) {
  /** @type {Map<number, number[]>} */
  const near = new Map();
  for (const { left, right } of hops) {
    for (const [a, b] of [[left, right], [right, left]]) {
      const key = keys.get(b);
      if (!keys.has(a) && key !== undefined) near.set(a, [...(near.get(a) ?? []), key]);
    }
  }
  for (const [i, found] of near) keys.set(i, found.reduce((sum, key) => sum + key, 0) / found.length);
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
  for (const [link, path] of paths) {
    const [a, b] = [vertices[path[0]], vertices[path[path.length - 1]]];
    const onward = a.column < b.column;
    const out = endOf(link, a.cell, onward ? "right" : "left", false, y.get(path[1]) ?? 0, -1);
    const into = endOf(link, b.cell, onward ? "left" : "right", true, y.get(path[path.length - 2]) ?? 0, -1);
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

/** @param {import("./types.js").Side} side @param {Cell} cell @param {Cell} other */
function towards(side, cell, other) {
  if (isUpright(side)) return other.column - cell.column || -0.5;
  return (other.lane - cell.lane) * 1e6 || 1e5;
}

/**
 * @param {Link} link @param {Cell | null} cell @param {import("./types.js").Side} side
 * @param {boolean} entering @param {number} toward @param {number} plumb
 * @returns {End}
 */
function endOf(link, cell, side, entering, toward, plumb) {
  const control = link.kind === "control";
  const group = plumb >= 0 ? `plumb ${plumb}` : !entering ? `${link.net} out` : control ? "awaited" : `${link.net} ${link.slot} in`;
  const slot = entering ? link.slot : -1;
  return { cell: /** @type {Cell} */ (cell), side, group, slot, control, towards: toward, plumb, offset: 0 };
}

/** Open scopes have their doors; then tell the hops where their lines touch, in the mean. @param {Mesh} mesh @param {ReadonlyMap<Link, Ends>} ends */
function settlePorts({ paths, vertices, hops }, ends) {
  for (const [link, { out, into }] of ends) {
    out.offset = out.cell.doors?.get(`out>${link.net}`)?.dy ?? out.offset;
    into.offset = into.cell.doors?.get(`in>${link.net}`)?.dy ?? into.offset;
  }
  const byEnds = new Map(hops.map((hop) => [`${hop.left} ${hop.right}`, hop]));
  for (const [link, path] of paths) {
    const { out, into } = /** @type {Ends} */ (ends.get(link));
    const onward = vertices[path[0]].column < vertices[path[1]].column;
    const sorted = onward ? path : path.toReversed();
    const [left, right] = onward ? [out, into] : [into, out];
    const first = byEnds.get(`${sorted[0]} ${sorted[1]}`);
    const last = byEnds.get(`${sorted[sorted.length - 2]} ${sorted[sorted.length - 1]}`);
    if (first) first.leftPort += left.offset / first.links;
    if (last) last.rightPort += right.offset / last.links;
  }
}

