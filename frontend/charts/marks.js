// Points and paths on a chart: minima, maxima, saddles, the present point, and where optimizers went.

import { acrossAt, dot, downAt, lineThrough } from "./frame.js";

/** @import { Frame, Mark, PathMark } from "./frame.js" */
/** @typedef {"minimum" | "maximum" | "saddle" | "inflection"} Kind */
/** @typedef {readonly [number, number]} Place  on the screen, in px */
/** @typedef {{places: readonly (Place | null)[], colour: string, dash: readonly number[], isOwn: boolean}} Trail */

const SIZE_PX = 5;
const FEW = 60; // steps that each have a dot of their own
const FAR_PX = 20_000; // farther outside no line is drawn

/** Colours and strokes of up to six runs: each differs in both. */
export const RUNS = Object.freeze([
  { colour: "--run-1", dash: [] },
  { colour: "--run-2", dash: [8, 3] },
  { colour: "--run-3", dash: [3, 3] },
  { colour: "--run-4", dash: [10, 3, 2, 3] },
  { colour: "--run-5", dash: [14, 4] },
  { colour: "--run-6", dash: [2, 5] },
  { colour: "--run-7", dash: [1, 3] },
]);

/** The place of two numbers on a chart; null where they are none, or far outside. @param {Frame} frame @param {unknown} x @param {unknown} y @returns {Place | null} */
export function placeAt(frame, x, y) {
  if (typeof x !== "number" || typeof y !== "number") return null;
  const [across, down] = [acrossAt(frame, x), downAt(frame, y)];
  return Math.abs(across) < FAR_PX && Math.abs(down) < FAR_PX ? [across, down] : null;
}

/** The sign of a kind of point. @param {Kind} kind @param {Place} place */
function shape(kind, [x, y]) {
  const s = SIZE_PX;
  if (kind === "minimum") return `M${x - s} ${y - s}h${2 * s}L${x} ${y + s}Z`;
  if (kind === "maximum") return `M${x - s} ${y + s}h${2 * s}L${x} ${y - s}Z`;
  if (kind === "saddle") return `M${x} ${y - s}L${x + s} ${y}L${x} ${y + s}L${x - s} ${y}Z`;
  return `M${x - 4} ${y - 4}h8v8h-8Z`;
}

/** A point with its name above it; that of a minimum is beneath it where that is above the axis. @param {Kind} kind @param {Place} place @param {string} name @param {number} [bottom] where the axis is @returns {Mark[]} */
export function pointMarks(kind, place, name, bottom = Infinity) {
  const below = kind === "minimum" && place[1] + 19 <= bottom ? 19 : -10;
  return [
    { kind: "path", d: shape(kind, place), fill: "--text", stroke: "--surface", width: 1.5 },
    { kind: "text", x: place[0], y: place[1] + below, text: name, fill: "--text", align: "middle", halo: true },
  ];
}

/** The point that can be moved. @param {Place} place @returns {Mark[]} */
export const handleMarks = ([x, y]) => [
  { kind: "path", d: dot(x, y, 12), fill: "--accent", opacity: 0.18 },
  { kind: "path", d: dot(x, y, 6.5), fill: "--accent", stroke: "--surface", width: 2 },
];

/** Where an optimizer went: a line, dots at its updates while they are few, a ring where it ended. @param {Trail} trail @returns {PathMark[]} */
export function trailMarks({ places, colour, dash, isOwn }) {
  const known = places.flatMap((place) => (place ? [place] : []));
  if (known.length === 0) return [];
  const [x, y] = known[known.length - 1];
  const dots = known.length <= FEW ? known.slice(0, -1).map(([px, py]) => dot(px, py, isOwn ? 2.5 : 2)) : [];
  const line = lineThrough(places);
  return [
    { kind: "path", d: line, stroke: "--surface", width: isOwn ? 5 : 4, opacity: 0.7 },
    { kind: "path", d: line, stroke: colour, width: isOwn ? 2.5 : 2, dash },
    { kind: "path", d: dots.join(""), fill: colour },
    { kind: "path", d: dot(x, y, isOwn ? 5 : 4.5), fill: colour, stroke: "--surface", width: 1.5 },
  ];
}

/** The latest update: an arrow from where it was to where it is. @param {Place} from @param {Place} to @param {string} colour @returns {PathMark[]} */
export function updateMarks(from, to, colour) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length < 12) return [];
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const end = /** @type {const} */ ([to[0] - 7 * Math.cos(angle), to[1] - 7 * Math.sin(angle)]);
  const wing = (/** @type {number} */ side) =>
    /** @type {const} */ ([end[0] - 8 * Math.cos(angle + side), end[1] - 8 * Math.sin(angle + side)]);
  return [{ kind: "path", d: lineThrough([from, end, null, wing(0.45), end, wing(-0.45)]), stroke: colour, width: 2.5 }];
}
