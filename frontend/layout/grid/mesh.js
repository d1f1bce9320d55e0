// The mesh of a grid: its vertices (items, and the bends of lines that pass columns) and the hops between neighbouring columns.

import * as M from "../metrics.js";
import { chainsOf } from "./chains.js";
import { rowOf } from "./coordinates.js";

/** @import { Link } from "../items/edges.js" */
/** @import { Cell, Vertex } from "./chains.js" */
/** @import { Hop } from "./coordinates.js" */

/**
 * @typedef {object} Mesh
 * @property {Cell[]} cells                        the first vertices
 * @property {Map<string, Cell>} byId
 * @property {Map<Cell, number>} index
 * @property {ReadonlyArray<Vertex>} vertices
 * @property {Map<Link, number[]>} paths           vertices from source to consumer, of links within a lane
 * @property {number[][]} trunks                  bends of long lines, from the left
 * @property {Hop[]} hops
 */

/** @param {Cell[]} cells @param {ReadonlyArray<Link>} links @returns {Mesh} */
export function meshOf(cells, links) {
  const { paths, trunks, vertices } = chainsOf(cells, links);
  /** @type {Map<number, Hop>} */
  const hops = new Map();
  for (const [link, path] of paths) {
    for (let i = 1; i < path.length; i += 1) {
      const [left, right] = vertices[path[0]].column < vertices[path[1]].column ? [path[i - 1], path[i]] : [path[i], path[i - 1]];
      const ends = left * vertices.length + right;
      const known = hops.get(ends);
      const weight = weightOf(vertices[path[i - 1]], vertices[path[i]], link);
      const hop = known ?? { left, right, leftPort: 0, rightPort: 0, weight: 0, edges: 0 };
      hop.weight += weight;
      hop.edges += link.count;
      hops.set(ends, hop);
    }
  }
  for (const hop of spineOf(vertices, [...hops.values()])) hop.weight *= SPINE;
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const index = new Map(cells.map((cell, i) => [cell, i]));
  return { cells, byId, index, vertices, paths, trunks, hops: [...hops.values()] };
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
  for (const { left, right } of hops)
    longest.set(vertices[left].lane, Math.max(longest.get(vertices[left].lane) ?? 0, upTo[left] + from[right]));
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

/** One lane as a row of columns. @param {Mesh} mesh @param {ReadonlyArray<ReadonlyArray<number>>} order its columns, each from the top */
export const rowIn = (mesh, order) =>
  rowOf(
    order,
    (a, b) => apart(mesh, a, b),
    (vertex) => mesh.vertices[vertex].cell === null,
  );

/** Least distance of two centre lines in a column. @param {Mesh} mesh @param {number} upper @param {number} lower */
export function apart({ vertices }, upper, lower) {
  const [a, b] = [vertices[upper].cell, vertices[lower].cell];
  const gap = a && b ? M.ROW_GAP : M.BEND_GAP;
  return (a ? a.height / 2 + a.below : 0) + gap + (b ? b.height / 2 + b.above : 0);
}
