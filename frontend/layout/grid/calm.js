// Calm: the order in the columns is found as if every scope here were closed.
//
// Lines that would then be one lie side by side. So opening a scope, or closing it, changes the order of nothing else, and
// what is drawn depends on what is open, not on how it came to be open.

import { IN, OUT } from "../items/edges.js";
import * as M from "../metrics.js";
import { placesIn } from "./arrangement.js";
import { cellOf, POINT } from "./chains.js";
import { meshOf } from "./mesh.js";
import { remembered } from "./remembered.js";

/** @import { Link } from "../items/edges.js" */
/** @import { Cell, Spot } from "./chains.js" */
/** @import { Mesh } from "./mesh.js" */
/** @typedef {ReadonlyMap<Link, Link>} Twins  per link the one that stands for it where all is closed */

/**
 * What stands where with all closed.
 * @typedef {object} Closed
 * @property {Twins} twins
 * @property {ReadonlyMap<string, number>} numbers    of the vertices, by the id of their cell
 * @property {ReadonlyMap<string, number>} lanes      by the id of the cell
 * @property {ReadonlyMap<Link, number[]>} paths      vertices of each twin
 * @property {Float64Array} places                    of each vertex in its column, from the top
 */

/**
 * The vertices of each lane's columns, from the top.
 * @param {Closed} closed @param {Mesh} mesh of the grid as it is drawn @param {number} lanes @param {number} columns
 * @returns {number[][][]}
 */
export function calmOrders(closed, mesh, lanes, columns) {
  const keys = placesOf(mesh, closed);
  const aims = aimsOf(mesh, closed.twins, keys);
  const sorted = mesh.vertices.map((_, i) => i).sort((a, b) => keys[a] - keys[b] || aims[a] - aims[b] || a - b);
  const orders = Array.from({ length: lanes }, () => Array.from({ length: columns }, () => /** @type {number[]} */ ([])));
  for (const i of sorted) orders[mesh.vertices[i].lane][mesh.vertices[i].column].push(i);
  return orders;
}

/**
 * The arrangement with all closed; found once, whatever is opened and closed then.
 * @param {ReadonlyArray<Spot>} spots @param {ReadonlyArray<Link>} links @param {number} lanes
 * @returns {Closed}
 */
export function closedArrangement(spots, links, lanes) {
  const twins = closedLinks(links);
  const cells = closedCells(spots, twins);
  const numbers = new Map(cells.map(({ id }, i) => [id, i]));
  const own = [...new Set(twins.values())];
  const columns = Math.max(0, ...cells.map(({ column }) => column)) + 1;
  const { paths, places } = arranged(likeness(cells, own, numbers, lanes), () => {
    const mesh = meshOf(cells, own);
    const given = new Map(
      own.flatMap(({ from, to, passage }) => [from, to].filter(isBorder).map((id) => [numbers.get(id) ?? -1, passage])),
    );
    return { paths: own.map((link) => mesh.paths.get(link) ?? []), places: placesIn(mesh, lanes, columns, given) };
  });
  return {
    twins,
    numbers,
    lanes: new Map(cells.map(({ id, lane }) => [id, lane])),
    paths: new Map(own.map((link, i) => [link, paths[i]])),
    places,
  };
}

/** @param {ReadonlyArray<Link>} links @returns {Twins} in the order of the graph's edges */
function closedLinks(links) {
  /** @type {Map<string, Link>} */
  const known = new Map();
  /** @type {Map<Link, Link>} */
  const twins = new Map();
  for (const link of [...links].sort((a, b) => a.first - b.first)) {
    const from = link.from.startsWith(IN) ? IN + link.strand : link.from;
    const to = link.to.startsWith(OUT) ? OUT + link.strand : link.to;
    const key = `${from} ${to} ${link.strand}`;
    const twin = known.get(key) ?? { ...link, from, to, net: link.strand, slot: -1 };
    known.set(key, twin);
    twins.set(link, twin);
  }
  return twins;
}

/** The items, closed, and the borders that the twins run to. @param {ReadonlyArray<Spot>} spots @param {Twins} twins @returns {Cell[]} */
function closedCells(spots, twins) {
  const items = spots.filter(({ id }) => !isBorder(id));
  const byId = new Map(spots.map((spot) => [spot.id, spot]));
  /** @type {Map<string, Spot>} */
  const borders = new Map();
  for (const [link, twin] of twins) {
    for (const end of /** @type {const} */ (["from", "to"])) {
      const border = byId.get(link[end]);
      if (border && isBorder(border.id) && !borders.has(twin[end]))
        borders.set(twin[end], { ...border, id: twin[end], key: items.length + borders.size });
    }
  }
  return [...items.map((spot) => cellOf(spot, CLOSED)), ...[...borders.values()].map((spot) => cellOf(spot, POINT))];
}

const CLOSED = { ...POINT, height: M.OP_HEIGHT };

const KEPT = 100; // arrangements
const arranged =
  /** @type {(key: string, make: () => {paths: number[][], places: Float64Array}) => {paths: number[][], places: Float64Array}} */ (
    remembered(KEPT)
  );

/**
 * All that an arrangement depends on, without names: the layers of a network share theirs.
 * @param {Cell[]} cells @param {Link[]} links @param {ReadonlyMap<string, number>} numbers of the cells @param {number} lanes
 */
function likeness(cells, links, numbers, lanes) {
  /** @type {Map<string, number>} */
  const nets = new Map();
  for (const { net } of links) if (!nets.has(net)) nets.set(net, nets.size);
  return JSON.stringify([
    cells.map(({ id, lane, column, partner, key }) => [
      lane,
      column,
      numbers.get(partner ?? ""),
      isBorder(id) ? null : key - cells[0].key,
    ]),
    links.map(({ from, to, net, kind, passage }) => [numbers.get(from), numbers.get(to), nets.get(net), kind, passage]),
    lanes,
  ]);
}

/** @param {string} id */
const isBorder = (id) => id.startsWith(IN) || id.startsWith(OUT);

/**
 * Per vertex as drawn: the place of the one that stands for it.
 * @param {Mesh} mesh @param {Closed} closed
 */
function placesOf(mesh, { twins, numbers, paths, places }) {
  const found = new Float64Array(mesh.vertices.length).fill(NaN);
  const set = (/** @type {number} */ vertex, /** @type {number} */ twin) => {
    if (Number.isNaN(found[vertex])) found[vertex] = places[twin];
  };
  mesh.cells.forEach(({ id }, i) => isBorder(id) || set(i, numbers.get(id) ?? -1));
  for (const [link, twin] of twins) {
    const [path, closedPath] = [mesh.paths.get(link) ?? [], paths.get(twin) ?? []];
    path.forEach((vertex, i) => set(vertex, closedPath[i]));
    set(numberOf(mesh, link.from), numbers.get(twin.from) ?? -1);
    set(numberOf(mesh, link.to), numbers.get(twin.to) ?? -1);
  }
  return found;
}

/** @param {Mesh} mesh @param {string} id */
const numberOf = ({ byId, index }, id) => index.get(/** @type {Cell} */ (byId.get(id))) ?? -1;

/**
 * Per vertex, what parts those that share a place: where their lines pass the border of an open scope; of the borders of
 * this one, what they lead to.
 * @param {Mesh} mesh @param {Twins} twins @param {Float64Array} places
 */
function aimsOf(mesh, twins, places) {
  const aims = new Float64Array(mesh.vertices.length);
  const doorOf = (/** @type {Link} */ { from, to, net }) =>
    mesh.byId.get(from)?.doors?.get(OUT + net)?.dy ?? mesh.byId.get(to)?.doors?.get(IN + net)?.dy ?? 0;
  /** @type {Map<number, number[]>} */
  const atBorders = new Map();
  for (const link of twins.keys()) {
    const [from, to] = [numberOf(mesh, link.from), numberOf(mesh, link.to)];
    const [border, other] = isBorder(link.from) ? [from, to] : [to, from];
    if (isBorder(mesh.cells[border].id))
      atBorders.set(border, [...(atBorders.get(border) ?? []), places[other] * FAR + doorOf(link)]);
  }
  for (const [border, all] of atBorders) aims[border] = all.reduce((sum, each) => sum + each, 0) / all.length;
  for (const [link, path] of mesh.paths) {
    const border = [path[0], path[path.length - 1]].find((end) => atBorders.has(end));
    for (const vertex of path.slice(1, -1)) aims[vertex] ||= border === undefined ? doorOf(link) : aims[border];
  }
  return aims;
}

const FAR = 1e5; // px; no item is as high
