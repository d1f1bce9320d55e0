// Repeats: lines that lie on lines which came before. Those of one trunk run along it together, at one height, and end
// alike; what was done about the first of them is done for all.

/** @import { Point } from "../types.js" */

/**
 * Whether a piece of a line repeats one that was asked about before: the same, or a part of it along the flow. One in a
 * while that does may go unnoticed.
 * @param {boolean} upright the flow runs up or down
 * @returns {(from: Point, to: Point) => boolean}
 */
export function repeatsIn(upright) {
  const [along, across] = upright ? /** @type {const} */ (["y", "x"]) : /** @type {const} */ (["x", "y"]);
  /** @type {Map<number, {low: number, high: number}>} the longest level piece at each height */
  const levels = new Map();
  /** @type {Map<number, Array<readonly [Point, Point]>>} all others, by how far along they start */
  const climbs = new Map();
  return (from, to) => (from[across] === to[across] ? repeatsLevel(from, to) : repeatsClimb(from, to));

  /** @param {Point} from @param {Point} to */
  function repeatsLevel(from, to) {
    const [low, high] = [Math.min(from[along], to[along]), Math.max(from[along], to[along])];
    const known = levels.get(from[across]);
    if (known && known.low <= low && high <= known.high) return true;
    if (!known || high - low > known.high - known.low) levels.set(from[across], { low, high });
    return false;
  }

  /** @param {Point} from @param {Point} to */
  function repeatsClimb(from, to) {
    const known = climbs.get(from[along]) ?? [];
    if (known.some(([a, b]) => a[across] === from[across] && b.x === to.x && b.y === to.y)) return true;
    known.push([from, to]);
    if (known.length > MOST) known.shift();
    climbs.set(from[along], known);
    return false;
  }
}

const MOST = 8; // climbs that are remembered at one place
