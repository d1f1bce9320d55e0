// The losses of a run as a curve shows them: a line through the numbers, and where they end.

import { formatValue } from "../values/format.js";

/** @import { Data } from "../types.js" */

/** What a line can be drawn through; null: no finite number. @param {readonly Data[]} losses @returns {Array<number | null>} */
export const finiteOnly = (losses) => losses.map((loss) => (typeof loss === "number" ? loss : null));

/** The rows whose number has none beside it: no line leads through them. @param {ReadonlyArray<number | null | undefined>} losses */
export const standingAlone = (losses) =>
  losses.flatMap((loss, row) => (typeof loss === "number" && isNone(losses[row - 1]) && isNone(losses[row + 1]) ? [row] : []));

/** @param {number | null | undefined} loss */
const isNone = (loss) => loss === null || loss === undefined;

/** The first row whose loss is NaN or infinite, and which it is; null for none. @param {readonly Data[]} losses */
export function endOfNumbers(losses) {
  const row = losses.findIndex((loss) => typeof loss === "string");
  return row < 0 ? null : { row, text: formatValue(losses[row]) };
}

const ASTRAY = new Set(["diverged", "non_finite"]);

/** A loss in the order of sizes: what is no number is worse than any. @param {Data} loss */
function size(loss) {
  if (loss === "-inf") return -Infinity;
  return typeof loss === "number" ? loss : Infinity;
}

/**
 * The row from which a run that has gone astray never had as low a loss again; null of other runs, and where the loss fell
 * until the end: then there is no lowest one.
 * @param {string} status of the run @param {readonly Data[]} losses
 */
export function divergesFrom(status, losses) {
  if (!ASTRAY.has(status) || losses.length === 0) return null;
  const sizes = losses.map(size);
  const least = sizes.reduce((low, each) => Math.min(low, each), Infinity);
  const row = sizes.lastIndexOf(least);
  return row < losses.length - 1 && least < Infinity ? row : null;
}
