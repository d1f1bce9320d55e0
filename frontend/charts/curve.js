// A target over one variable: the curve, and the tangent at a point.

import { acrossAt, downAt, lineThrough, padded } from "./frame.js";

/** @import { Frame, Mark, PathMark } from "./frame.js" */
/** @import { Grid } from "./grid.js" */

const STEEP = 8; // times the height that all but a few of the values have: those few are cut off
const FEW = 0.03;

/** The values that the picture shows: all, but for a few that are far beyond the others. @param {readonly number[]} values @returns {[number, number]} */
export function shownValues(values) {
  const finite = Float64Array.from(values.filter(Number.isFinite)).sort();
  if (finite.length === 0) return [-1, 1];
  const at = (/** @type {number} */ share) => finite[Math.round(share * (finite.length - 1))];
  const [low, high, least, most] = [at(FEW), at(1 - FEW), at(0), at(1)];
  const room = STEEP * (high - low);
  return padded(least < low - room ? low : least, most > high + room ? high : most);
}

/** @param {Frame} frame @param {Grid} grid @returns {Mark[]} */
export function curveMarks(frame, { axes: [{ values: xs }], values }) {
  const edge = 2 * frame.height;
  const places = xs.map((x, k) => {
    const down = downAt(frame, values[k]);
    return Number.isFinite(down) && Math.abs(down) < 50 * edge ? /** @type {const} */ ([acrossAt(frame, x), down]) : null;
  });
  const line = /** @type {const} */ ({
    kind: "path",
    d: lineThrough(withoutJumps(places, edge)),
    stroke: "--forward",
    width: 2.5,
  });
  return [{ kind: "clipped", frame, marks: [line] }];
}

/** The line ends where it leaves the picture at one side and comes back at the other, as beside a pole. @param {(readonly [number, number] | null)[]} places @param {number} edge */
const withoutJumps = (places, edge) =>
  places.flatMap((place, k) => {
    const before = k > 0 ? places[k - 1] : null;
    return place && before && Math.abs(place[1] - before[1]) > edge ? [null, place] : [place];
  });

/** The line that has the curve's value and slope at x, across the whole picture. @param {Frame} frame @param {number} x @param {number} value @param {number} slope @returns {PathMark[]} */
export function tangentMarks(frame, x, value, slope) {
  const end = (/** @type {number} */ at) => /** @type {const} */ ([acrossAt(frame, at), downAt(frame, value + slope * (at - x))]);
  return [{ kind: "path", d: lineThrough(frame.x.map(end)), stroke: "--gradient", width: 1.75, dash: [6, 4] }];
}
