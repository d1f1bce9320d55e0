// Chains: links within a lane, cut into hops from column to column.
//
// Where a link passes a column it gets a bend there: a vertex that takes part in the ordering, so that the line
// has room of its own between the items. Links of one net share their bends and part only where they must; what leaves
// a scope by one door, and what one item waits for, runs together from where it can.

import { OUT } from "../items/edges.js";

/** @import { Link } from "../items/edges.js" */
/** @import { Side } from "../types.js" */

/**
 * Where an item, or a net at the border, stands in a grid.
 * @typedef {object} Spot
 * @property {string} id
 * @property {number} lane
 * @property {number} column                       index
 * @property {string | null} partner               the cell of another lane that it stands beneath
 * @property {number} key                          where order is not given otherwise: smaller is higher
 */

/**
 * An item as the grid sees it; y is counted from the centre line of its shape.
 * @typedef {object} Shape
 * @property {number} width                        of the shape
 * @property {number} height
 * @property {number} above                        room for constants over and under it
 * @property {number} below
 * @property {number} across                       room across, at least `width`
 * @property {boolean} round                       an ellipse
 * @property {ReadonlyMap<string, Door> | null} doors  of an open scope: where each net goes in and out
 */

/** @typedef {Spot & Shape} Cell */

/** A shape at its spot. Every field is named: there are tens of thousands, and spreading takes eighty times as long. @param {Spot} spot @param {Shape} shape @returns {Cell} */
export const cellOf = ({ id, lane, column, partner, key }, { width, height, above, below, across, round, doors }) => ({
  id,
  lane,
  column,
  partner,
  key,
  width,
  height,
  above,
  below,
  across,
  round,
  doors,
});

/** The shape of a net at the border. */
export const POINT = { width: 0, height: 0, above: 0, below: 0, across: 0, round: false, doors: null };

/** @typedef {{side: Side, dy: number}} Door */

/**
 * @typedef {object} Chains
 * @property {Map<Link, number[]>} paths           vertices from source to consumer, for links drawn as chains
 * @property {number[][]} trunks                   the bends of each trunk on one side of its item, from the left
 * @property {ReadonlyArray<Vertex>} vertices      the first are the cells
 */

/**
 * A bend knows its chain's ends, and how far along it is.
 * @typedef {{lane: number, column: number, cell: Cell | null, ends: readonly [number, number], part: number}} Vertex
 */

const BENDS_MOST = 30000;

/**
 * @param {ReadonlyArray<Cell>} cells @param {ReadonlyArray<Link>} links
 * @returns {Chains}
 */
export function chainsOf(cells, links) {
  const index = new Map(cells.map((cell, i) => [cell.id, i]));
  /** @type {Vertex[]} */
  const vertices = cells.map((cell, i) => ({ lane: cell.lane, column: cell.column, cell, ends: [i, i], part: 0 }));
  /** @type {Map<Link, number[]>} */
  const paths = new Map();
  /** @type {Bends} */
  const bends = new Map();
  const inLane = links.filter((link) => runsInLane(cells[index.get(link.from) ?? 0], cells[index.get(link.to) ?? 0], link));
  const longest = longestSpan(inLane, (link) => spanOf(cells, index, link.from, link.to));
  for (const link of inLane) {
    const ends = /** @type {const} */ ([index.get(link.from) ?? 0, index.get(link.to) ?? 0]);
    if (spanOf(cells, index, link.from, link.to) <= longest) paths.set(link, pathOf(link, ends, vertices, bends));
  }
  const trunks = [...bends.values()].map((trunk) => [...trunk].sort(([a], [b]) => a - b).map(([, bend]) => bend));
  return { paths, trunks, vertices };
}

/** @typedef {Map<string, Map<number, number>>} Bends  vertices by the side of a trunk that they belong to, and by column */

/** Links that share this share their bends. @param {Link} link */
const trunkOf = ({ from, to, net, kind }) =>
  to.startsWith(OUT) ? to : kind === "control" ? `awaited by ${to}` : `${from} ${net}`;

/** @param {ReadonlyArray<Cell>} cells @param {ReadonlyMap<string, number>} index @param {string} from @param {string} to */
const spanOf = (cells, index, from, to) => Math.abs(cells[index.get(from) ?? 0].column - cells[index.get(to) ?? 0].column);

/** @param {Cell} from @param {Cell} to @param {Link} link */
function runsInLane(from, to, link) {
  if (from.lane !== to.lane || from.column === to.column) return false;
  const onward = from.column < to.column;
  const exit = from.doors?.get(`out>${link.net}`)?.side ?? (onward ? "right" : "left");
  const entry = to.doors?.get(`in>${link.net}`)?.side ?? (onward ? "left" : "right");
  return exit === (onward ? "right" : "left") && entry === (onward ? "left" : "right");
}

/** The longest span that is still cut into hops; longer links go around the lane. @param {ReadonlyArray<Link>} links @param {(link: Link) => number} span */
function longestSpan(links, span) {
  /** @type {Map<string, number>} */
  const trunks = new Map();
  for (const link of links) trunks.set(trunkOf(link), Math.max(trunks.get(trunkOf(link)) ?? 0, span(link)));
  const spans = [...trunks.values()];
  return [1000, 60, 20, 8, 3].find((most) => spans.reduce((sum, each) => sum + (each <= most ? each : 0), 0) <= BENDS_MOST) ?? 1;
}

/**
 * @param {Link} link @param {readonly [number, number]} ends
 * @param {Vertex[]} vertices @param {Bends} bends
 */
function pathOf(link, ends, vertices, bends) {
  const [first, last] = ends;
  const { lane, column } = vertices[first];
  const step = Math.sign(vertices[last].column - column);
  const key = `${trunkOf(link)} ${step}`;
  const trunk = bends.get(key) ?? new Map();
  const path = [first];
  for (let at = column + step; at !== vertices[last].column; at += step) {
    const part = (at - column) / (vertices[last].column - column);
    const bend = trunk.get(at) ?? vertices.push({ lane, column: at, cell: null, ends, part }) - 1;
    trunk.set(at, bend);
    path.push(bend);
  }
  if (trunk.size > 0) bends.set(key, trunk);
  path.push(last);
  return path;
}
