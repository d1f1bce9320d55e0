// The text of an SVG path, as pieces with places: to be moved, and to have arrow heads at its ends.

/** @typedef {import("./path.js").Point} Point */
/** @typedef {{letter: string, points: Point[]}} Piece  M, L, Q, C or Z with its places, the end last */

const COMMAND = /([A-Z])([^A-Z]*)/g;
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/g;

/**
 * The pieces of a path that is written in absolute M, L, H, V, Q, C and Z, each of one step.
 * @param {string} d
 * @returns {Piece[]}
 */
export function pathPieces(d) {
  let at = { x: 0, y: 0 };
  return [...d.matchAll(COMMAND)].map(([, letter, rest]) => {
    const numbers = (rest.match(NUMBER) ?? []).map(Number);
    const points = placesOf(letter, numbers, at);
    at = points.at(-1) ?? at;
    return { letter: "HV".includes(letter) ? "L" : letter, points };
  });
}

/** @param {string} letter @param {number[]} numbers @param {Point} at @returns {Point[]} */
function placesOf(letter, numbers, at) {
  if (letter === "H") return [{ x: numbers[0], y: at.y }];
  if (letter === "V") return [{ x: at.x, y: numbers[0] }];
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }));
}

/** The text of these pieces, each place moved. @param {readonly Piece[]} pieces @param {(point: Point) => Point} [moved] */
export const pathText = (pieces, moved = (point) => point) =>
  pieces.map(({ letter, points }) => letter + points.map(moved).map(written).join(" ")).join("");

/**
 * A head at one end of a line: its tip is there, and it points out of the line.
 * @param {readonly Piece[]} head @param {Point} tip of the head, as it is drawn pointing to the right
 * @param {readonly Piece[]} line @param {"start" | "end"} side
 */
export function headAt(head, tip, line, side) {
  const points = line.flatMap((piece) => piece.points);
  const [end, ...before] = side === "start" ? points : points.toReversed();
  const from = before.find(({ x, y }) => x !== end.x || y !== end.y) ?? { x: end.x - 1, y: end.y };
  const angle = Math.atan2(end.y - from.y, end.x - from.x);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return pathText(head, (point) => {
    const [x, y] = [point.x - tip.x, point.y - tip.y];
    return { x: end.x + cos * x - sin * y, y: end.y + sin * x + cos * y };
  });
}

/** @param {Point} point */
const written = ({ x, y }) => `${rounded(x)},${rounded(y)}`;

/** To a hundredth of a px. @param {number} value */
export const rounded = (value) => Math.round(value * 100) / 100 + 0; // never -0
