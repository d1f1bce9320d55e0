// Lines: from the points of a route to the text of an SVG path.
//
// Two neighbouring points on one horizontal or vertical are joined by a straight line, and such lines
// meet in a rounded corner. Two points that share neither are joined by a curve that leaves and
// arrives along the flow: level, or upright where the drawing runs up or down.

/** @typedef {{readonly x: number, readonly y: number}} Point */

const SAME = 0.01; // px: closer than this counts as the same coordinate

/**
 * The path's `d`.
 * @param {ReadonlyArray<Point>} points @param {boolean} [upright] the flow runs up or down @param {number} [radius] of the corners
 */
export function pathOf(points, upright = false, radius = 8) {
  const line = withoutRepeats(points);
  if (line.length < 2) return "";
  let d = `M${at(line[0])}`;
  for (let i = 1; i < line.length; i += 1) d += piece(line, i, upright, radius);
  return d;
}

/**
 * Follow the line with a pen, its corners sharp.
 * @param {ReadonlyArray<Point>} points @param {boolean} upright @param {Pick<CanvasPath, "moveTo" | "lineTo" | "bezierCurveTo">} pen
 */
export function trace(points, upright, pen) {
  pen.moveTo(points[0].x, points[0].y);
  for (let i = 1; i < points.length; i += 1) {
    const [from, to] = [points[i - 1], points[i]];
    if (straight(from, to)) pen.lineTo(to.x, to.y);
    else {
      const [near, far] = turning(from, to, upright);
      pen.bezierCurveTo(near.x, near.y, far.x, far.y, to.x, to.y);
    }
  }
}

/**
 * The line as straight pieces: a curve as a few chords.
 * @param {ReadonlyArray<Point>} points @param {boolean} upright
 * @returns {Array<readonly [Point, Point]>}
 */
export function piecesOf(points, upright) {
  return points.slice(1).flatMap((to, i) => {
    const from = points[i];
    if (straight(from, to)) return [/** @type {const} */ ([from, to])];
    const chord = Array.from({ length: CHORDS + 1 }, (_, k) => alongCurve(from, to, upright, k / CHORDS));
    return chord.slice(1).map((end, k) => /** @type {const} */ ([chord[k], end]));
  });
}

const CHORDS = 6;

/** @param {Point} from @param {Point} to @param {boolean} upright @param {number} part of the way */
function alongCurve(from, to, upright, part) {
  const [near, far] = turning(from, to, upright);
  const rest = 1 - part;
  const [a, b, c, d] = [rest ** 3, 3 * rest ** 2 * part, 3 * rest * part ** 2, part ** 3];
  return { x: a * from.x + b * near.x + c * far.x + d * to.x, y: a * from.y + b * near.y + c * far.y + d * to.y };
}

/** @param {ReadonlyArray<Point>} line @param {number} i @param {boolean} upright @param {number} radius */
function piece(line, i, upright, radius) {
  const [from, to, next] = [line[i - 1], line[i], line[i + 1]];
  if (!straight(from, to)) return `C${turning(from, to, upright).map(at).join(" ")} ${at(to)}`;
  if (!next || !straight(to, next) || turnsNot(from, to, next)) return `L${at(to)}`;
  const r = Math.min(radius, distance(from, to) / 2, distance(to, next) / 2);
  return `L${at(towards(to, from, r))}Q${at(to)} ${at(towards(to, next, r))}`;
}

/** The points that steer a curve. @param {Point} from @param {Point} to @param {boolean} upright @returns {[Point, Point]} */
function turning(from, to, upright) {
  const middle = between(from, to, 0.5);
  return upright
    ? [
        { x: from.x, y: middle.y },
        { x: to.x, y: middle.y },
      ]
    : [
        { x: middle.x, y: from.y },
        { x: middle.x, y: to.y },
      ];
}

/** @param {ReadonlyArray<Point>} points */
function withoutRepeats(points) {
  return points.filter((point, i) => i === 0 || distance(points[i - 1], point) > SAME);
}

/** Whether two points are joined by a straight line. @param {Point} a @param {Point} b */
export const straight = (a, b) => Math.abs(a.x - b.x) < SAME || Math.abs(a.y - b.y) < SAME;

/** @param {Point} a @param {Point} b @param {Point} c */
const turnsNot = (a, b, c) =>
  (Math.abs(a.x - b.x) < SAME && Math.abs(b.x - c.x) < SAME) || (Math.abs(a.y - b.y) < SAME && Math.abs(b.y - c.y) < SAME);

/** @param {Point} a @param {Point} b */
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** @param {Point} a @param {Point} b @param {number} part */
const between = (a, b, part) => ({ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part });

/** @param {Point} from @param {Point} to @param {number} length */
const towards = (from, to, length) => between(from, to, length / Math.max(SAME, distance(from, to)));

/** @param {Point} point */
const at = ({ x, y }) => `${round(x)},${round(y)}`;

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
