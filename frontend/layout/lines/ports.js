// Ports: where lines touch an item.
//
// Every input of an op has its own port, in the order of its inputs, so that x * x shows two lines. What leaves an item
// on one side leaves by one port for each tensor.

import { PORT_STEP } from "../metrics.js";

/** @import { Side } from "../types.js" */
/** @import { Cell } from "../grid/chains.js" */

/**
 * One end of a link.
 * @typedef {object} End
 * @property {Cell} cell
 * @property {Side} side
 * @property {string} group     ends of one group share the port
 * @property {number} slot      input number of an op, or -1
 * @property {boolean} control  stands below what carries data the same way
 * @property {number} towards   where the line goes on: smaller is higher, or farther left
 * @property {number} plumb     for a vertical line between two neighbours: which of their lines it is; else -1
 * @property {number} offset    the answer: from the centre of the shape, along the side
 */

/** Set the offsets of all ends. @param {ReadonlyArray<End>} ends */
export function assignPorts(ends) {
  /** @type {Map<string, End[]>} */
  const sides = new Map();
  for (const end of ends) {
    const key = `${end.side} ${end.cell.id}`;
    const own = sides.get(key);
    if (own) own.push(end);
    else sides.set(key, [end]);
  }
  for (const own of sides.values()) {
    if (own[0].side === "left" || own[0].side === "right") spreadAlong(own);
    else spreadAcross(own);
  }
}

/** Ports on the left or right. @param {End[]} ends */
function spreadAlong(ends) {
  const { cell } = ends[0];
  const groups = grouped(ends).sort((a, b) => orderOf(a[0], b[0]));
  const room = Math.max(0, cell.height - (cell.round ? 14 : 12));
  const step = Math.min(PORT_STEP, room / Math.max(1, groups.length - 1));
  groups.forEach((group, i) => group.forEach((end) => (end.offset = (i - (groups.length - 1) / 2) * step)));
}

/** @param {End} a @param {End} b */
function orderOf(a, b) {
  if (a.slot >= 0 && b.slot >= 0) return a.slot - b.slot;
  return a.towards - b.towards || Number(a.control) - Number(b.control);
}

/** Ports above or beneath: vertical lines in the middle, others on the side that they come from. @param {End[]} ends */
function spreadAcross(ends) {
  const { cell } = ends[0];
  const most = cell.round ? (cell.width / 2) * 0.62 : cell.width / 2 - 8;
  const plumb = grouped(ends.filter((end) => end.plumb >= 0)).sort((a, b) => a[0].plumb - b[0].plumb);
  const edge = ((plumb.length - 1) / 2) * PORT_STEP;
  plumb.forEach((group, i) => group.forEach((end) => (end.offset = i * PORT_STEP - edge)));
  const aside = ends.filter((end) => end.plumb < 0);
  const left = grouped(aside.filter((end) => end.towards < 0)).sort((a, b) => b[0].towards - a[0].towards);
  const right = grouped(aside.filter((end) => end.towards >= 0)).sort((a, b) => a[0].towards - b[0].towards);
  const start = Math.max(0, edge) + (ends[0].side === "top" ? PORT_STEP / 2 : PORT_STEP); // lines from above and from beneath pass each other
  for (const [side, groups] of /** @type {const} */ ([
    [-1, left],
    [1, right],
  ])) {
    const step = Math.min(PORT_STEP, Math.max(0, most - start) / Math.max(1, groups.length - 1));
    groups.forEach((group, i) => group.forEach((end) => (end.offset = side * Math.min(most, start + i * step))));
  }
}

/** @param {End[]} ends @returns {End[][]} */
function grouped(ends) {
  /** @type {Map<string, End[]>} */
  const groups = new Map();
  for (const end of ends) groups.set(end.group, [...(groups.get(end.group) ?? []), end]);
  return [...groups.values()];
}

/**
 * The point of the shape's outline at a port, from the shape's centre.
 * @param {Cell} cell @param {Side} side @param {number} offset
 */
export function portPoint({ width, height, round }, side, offset) {
  const [across, down] = [width / 2, height / 2];
  if (side === "left" || side === "right") {
    const x = round ? across * Math.sqrt(Math.max(0, 1 - (offset / down) ** 2)) : across;
    return { x: side === "left" ? -x : x, y: offset };
  }
  const y = round ? down * Math.sqrt(Math.max(0, 1 - (offset / across) ** 2)) : down;
  return { x: offset, y: side === "top" ? -y : y };
}
