// Routes: lines that leave their lane, or cannot run straight through it.
//
// Between the columns lie gaps, between the lanes aisles; both are free of items. A route leaves its source,
// follows gaps and aisles, and comes to its consumer: gap i lies left of column i; an aisle lies above each lane, one
// beneath the last, and one within each lane, beneath its items, for lines that begin and end there.

/** @import { Link } from "../items/edges.js" */
/** @import { Side } from "../types.js" */
/** @import { Cell } from "../grid/chains.js" */

/** @typedef {{readonly kind: "gap" | "aisle", readonly at: number}} Corridor */
/** @typedef {{link: Link, from: Cell, to: Cell, exit: Side, entry: Side, corridors: Corridor[]}} Route */

/**
 * @typedef {object} Surroundings
 * @property {(cell: Cell) => boolean} highest   whether nothing of its lane stands above it in its column
 * @property {(cell: Cell) => boolean} lowest
 * @property {(lane: number) => number} flow
 */

/**
 * The way a link takes.
 * @param {Link} link @param {Cell} from @param {Cell} to @param {Surroundings} around
 * @returns {Route}
 */
export function routeOf(link, from, to, around) {
  const exit = from.doors?.get(`out>${link.net}`)?.side ?? sideOf(from, to, false, link, around);
  const entry = to.doors?.get(`in>${link.net}`)?.side ?? sideOf(to, from, true, link, around);
  return { link, from, to, exit, entry, corridors: corridorsOf(from, to, corridorAt(from, exit), corridorAt(to, entry)) };
}

/** Whether a route is one vertical line. @param {Route} route */
export const isPlumb = ({ from, to, exit, entry, corridors }) =>
  corridors.length === 1 && from.column === to.column && isUpright(exit) && isUpright(entry);

/** @param {Side} side */
export const isUpright = (side) => side === "top" || side === "bottom";

/**
 * The side of `cell` for a line to `other`: up or down where the way is free, else where its lane's lines go in or out.
 * @param {Cell} cell @param {Cell} other @param {boolean} entering @param {Link} link @param {Surroundings} around
 * @returns {Side}
 */
function sideOf(cell, other, entering, link, { highest, lowest, flow }) {
  if (other.lane > cell.lane && lowest(cell) && cell.below === 0) return "bottom";
  if (other.lane < cell.lane && highest(cell) && cell.above === 0) return "top";
  if (other.lane === cell.lane && other.column !== cell.column) return other.column < cell.column ? "left" : "right";
  if (link.kind === "reference") return "left";
  if (link.kind === "control" && !entering && other.column <= cell.column) return "left"; // around, not through what lies between
  const out = flow(cell.lane) > 0 ? "right" : "left";
  const back = out === "right" ? "left" : "right";
  return entering && other.lane !== cell.lane ? back : out;
}

/** The aisle above a lane. @param {number} lane */
export const above = (lane) => 2 * lane;

/** The aisle in a lane, beneath its items. @param {number} lane */
export const within = (lane) => 2 * lane + 1;

/** How many aisles so many lanes have. @param {number} lanes */
export const aislesAround = (lanes) => 2 * lanes + 1;

/** The corridor that a side opens on. @param {Cell} cell @param {Side} side @returns {Corridor} */
function corridorAt({ column, lane }, side) {
  if (isUpright(side)) return { kind: "aisle", at: above(side === "top" ? lane : lane + 1) };
  return { kind: "gap", at: side === "left" ? column : column + 1 };
}

/** @param {Cell} from @param {Cell} to @param {Corridor} first @param {Corridor} last @returns {Corridor[]} */
function corridorsOf(from, to, first, last) {
  if (first.kind !== last.kind) return [first, last];
  if (first.at === last.at) return [first];
  if (first.kind === "gap") return [first, { kind: "aisle", at: aisleBetween(from.lane, to.lane) }, last];
  return [first, { kind: "gap", at: from.column > to.column ? to.column + 1 : to.column }, last];
}

/** @param {number} from @param {number} to */
function aisleBetween(from, to) {
  if (from === to) return to === 0 ? above(to) : within(to);
  return above(to > from ? to : to + 1);
}
