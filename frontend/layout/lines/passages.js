// Passages: lines come to the border of an open scope, and leave it, in the order in which they lie outside.
//
// That order is the one that they have with all closed; so what is open inside a scope changes nothing around it.

import { IN, OUT } from "../items/edges.js";

/** @import { Link } from "../items/edges.js" */
/** @import { Closed } from "../grid/calm.js" */

/** @typedef {Map<string, Map<Link, number>>} Lines the heights of lines outside a scope, by IN + strand or OUT + net */

/**
 * The lines that come to open scopes or leave them, as they lie with all closed.
 * @param {ReadonlySet<string>} open @param {ReadonlyArray<Link>} links around them @param {Closed} closed
 * @returns {Map<string, Lines>} by the scope's id
 */
export function linesTo(open, links, { twins, paths, places, lanes }) {
  /** @type {Map<string, Lines>} */
  const found = new Map();
  for (const link of links) {
    const twin = /** @type {Link} */ (twins.get(link));
    const path = paths.get(twin) ?? [];
    if (open.has(link.to)) note(link.to, IN + link.strand, twin, places[path[path.length - 2]] ?? around(twin.to, twin.from));
    if (open.has(link.from)) note(link.from, OUT + link.net, twin, places[path[1]] ?? around(twin.from, twin.to));
  }
  return found;

  /** @param {string} scope @param {string} door @param {Link} twin @param {number} height */
  function note(scope, door, twin, height) {
    const own = found.get(scope) ?? new Map();
    own.set(door, (own.get(door) ?? new Map()).set(twin, height));
    found.set(scope, own);
  }

  /** Of a line that leaves the lane: above or beneath all others. @param {string} scope @param {string} other */
  function around(scope, other) {
    const [own, far] = [lanes.get(scope) ?? 0, lanes.get(other) ?? 0];
    return far < own || (far === own && own === 0) ? -1 : Infinity;
  }
}

/**
 * Give the links inside a scope that pass its border their places there. Those of one strand have one place: the mean
 * over the lines that go on from them.
 * @param {ReadonlyArray<Link>} links @param {Lines} outside
 */
export function numberPassages(links, outside) {
  /** @type {Map<string, Map<Link, number>>} */
  const strands = new Map();
  const passing = links.filter(({ from, to }) => from.startsWith(IN) || to.startsWith(OUT));
  for (const link of passing) {
    const own = strands.get(strandOf(link)) ?? new Map();
    strands.set(strandOf(link), own);
    for (const [line, height] of outside.get(link.from.startsWith(IN) ? strandOf(link) : link.to) ?? []) own.set(line, height);
  }
  const heights = new Map([...strands].map(([strand, beyond]) => [strand, meanOf([...beyond.values()])]));
  const sorted = [...new Set(heights.values())].sort((a, b) => a - b);
  const number = new Map(sorted.map((height, i) => [height, i]));
  for (const link of passing) link.passage = number.get(heights.get(strandOf(link)) ?? 0) ?? 0;
}

/** @param {Link} link */
const strandOf = ({ from, strand }) => (from.startsWith(IN) ? IN : OUT) + strand;

/** @param {number[]} values */
const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
