// The arrangement: what stands above what in each column of a mesh.

import { levelHeights } from "./coordinates.js";
import { rowIn } from "./mesh.js";
import { fewCrossings } from "./order.js";

/** @import { Cell } from "./chains.js" */
/** @import { Mesh } from "./mesh.js" */

/**
 * The place of each vertex in its column, from the top.
 * @param {Mesh} mesh @param {number} lanes @param {number} columns
 * @param {ReadonlyMap<number, number>} given places of the vertices at the border, which they keep
 */
export function placesIn(mesh, lanes, columns, given) {
  const places = new Float64Array(mesh.vertices.length);
  /** @type {Map<number, number>} */
  const y = new Map();
  for (let lane = 0; lane < lanes; lane += 1) {
    const order = orderOf(mesh, lane, columns, y, given);
    for (const column of order) column.forEach((vertex, i) => (places[vertex] = i));
    if (lane + 1 === lanes) break; // no lane beneath looks up
    for (const [vertex, height] of levelHeights(rowIn(mesh, order), mesh.hops)) y.set(vertex, height);
  }
  return places;
}

/**
 * The columns of one lane, each from the top. A lane beneath others keeps the order of what its items belong to.
 * @param {Mesh} mesh @param {number} lane @param {number} columns @param {ReadonlyMap<number, number>} y of the lanes above
 * @param {ReadonlyMap<number, number>} given
 */
function orderOf(mesh, lane, columns, y, given) {
  const { vertices, hops } = mesh;
  const members = vertices.flatMap((vertex, i) => (vertex.lane === lane ? [i] : []));
  const keys = sortingKeys(mesh, members, y);
  members.sort((a, b) => (given.get(a) ?? 0) - (given.get(b) ?? 0) || (keys.get(a) ?? 0) - (keys.get(b) ?? 0) || a - b);
  /** @type {number[][]} */
  const found = Array.from({ length: columns }, () => []);
  for (const i of members) found[vertices[i].column].push(i);
  if (lane > 0) return found;
  const pairs = hops.map(({ left, right }) => /** @type {const} */ ([left, right]));
  return fewCrossings({ columns: found, hops: pairs.filter(([left]) => vertices[left].lane === lane), given });
}

/**
 * Program order in the first lane, the partner's height in others; for all else the mean of the neighbours'.
 * @param {Mesh} mesh @param {number[]} members @param {ReadonlyMap<number, number>} y
 */
function sortingKeys({ vertices, hops, byId, index }, members, y) {
  const above = (/** @type {string} */ id) => y.get(index.get(/** @type {Cell} */ (byId.get(id))) ?? -1);
  /** @type {Map<number, number>} */
  const keys = new Map();
  for (const i of members) {
    const { cell } = vertices[i];
    const known = cell?.partner ? above(cell.partner) : cell?.lane === 0 ? cell.key : undefined;
    if (known !== undefined) keys.set(i, known);
  }
  for (let round = 0; round < 3; round += 1) fillFromNeighbours(keys, hops);
  for (const i of members) {
    const [from, to] = vertices[i].ends.map((end) => keys.get(end) ?? vertices[end].cell?.key ?? 0);
    if (!keys.has(i)) keys.set(i, from + (to - from) * vertices[i].part);
  }
  return keys;
}

/** @param {Map<number, number>} keys @param {ReadonlyArray<import("./coordinates.js").Hop>} hops */
function fillFromNeighbours(keys, hops) {
  /** @type {Map<number, number[]>} */
  const near = new Map();
  for (const { left, right } of hops) {
    for (const [a, b] of [
      [left, right],
      [right, left],
    ]) {
      const key = keys.get(b);
      if (!keys.has(a) && key !== undefined) near.set(a, [...(near.get(a) ?? []), key]);
    }
  }
  for (const [i, found] of near) keys.set(i, found.reduce((sum, key) => sum + key, 0) / found.length);
}
