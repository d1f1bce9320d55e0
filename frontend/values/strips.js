// A tensor in a strip: its extent, its mean, and a few cells that show where it is large and where it is not finite.

import { dataOf, formatNumber, shapeOf } from "./format.js";

/** @import { Value } from "../types.js" */
/**
 * @typedef {object} Strip
 * @property {readonly number[]} cells   −1 to 1: the size against the largest, in reading order; NaN: not finite
 * @property {boolean} sound             all elements are finite
 * @property {string} shape              "3×1"; "" of a scalar
 * @property {readonly [string, string, string] | null} extent  least, mean and largest of the finite elements; null for none
 */

const MOST_CELLS = 12;

/** @type {WeakMap<object, Strip | null>} a value never changes */
const kept = new WeakMap();

/**
 * The strip of a tensor with elements; null for a scalar and for what is no number. A scalar that is not finite has one
 * without cells.
 * @param {Value | undefined} value
 * @returns {Strip | null}
 */
export function stripOf(value) {
  if (value === null || typeof value !== "object") return stripMade(value);
  const known = kept.get(value);
  if (known !== undefined) return known;
  const strip = stripMade(value);
  kept.set(value, strip);
  return strip;
}

/** @param {Value | undefined} value @returns {Strip | null} */
function stripMade(value) {
  const data = dataOf(value);
  if (data === null) return summarised(value);
  const numbers = numbersIn(data);
  if (numbers.length === 0) return null;
  if (!Array.isArray(data)) return Number.isFinite(numbers[0]) ? null : { cells: [], sound: false, shape: "", extent: null };
  return { ...cellsOf(numbers), shape: shapeOf(data).join("×"), extent: extentOf(numbers.filter(Number.isFinite)) };
}

/** The strip of a tensor too large to be sent whole. @param {Value | undefined} value @returns {Strip | null} */
function summarised(value) {
  const summary = value !== null && typeof value === "object" && "summary" in value ? value.summary : undefined;
  if (!summary || !value || typeof value !== "object" || !("shape" in value)) return null;
  const { min, mean, max, nan_count: nans, inf_count: infinities } = summary;
  const sound = !nans && !infinities;
  return { cells: [], sound, shape: value.shape.join("×"), extent: formatted(Number(min), Number(mean), Number(max)) };
}

/** What JSON lacks is written as words. */
const WORDS = new Map([
  ["nan", NaN],
  ["inf", Infinity],
  ["-inf", -Infinity],
]);

/** All numbers of a nested list, in reading order. @param {unknown} data @returns {number[]} */
function numbersIn(data) {
  const flat = Array.isArray(data) ? data.flat(Infinity) : [data];
  return flat.flatMap((each) => (typeof each === "number" ? [each] : (WORDS.get(String(each)) ?? [])));
}

/** Neighbours share a cell where there are many: the largest in size stands for them. @param {number[]} numbers */
function cellsOf(numbers) {
  const size = Math.ceil(numbers.length / MOST_CELLS);
  const groups = Array.from({ length: Math.ceil(numbers.length / size) }, (_, i) => numbers.slice(i * size, (i + 1) * size));
  const largest = Math.max(...numbers.filter(Number.isFinite).map(Math.abs), Number.MIN_VALUE);
  const cells = groups.map((group) => {
    if (!group.every(Number.isFinite)) return NaN;
    return group.reduce((best, each) => (Math.abs(each) > Math.abs(best) ? each : best)) / largest;
  });
  return { cells, sound: numbers.every(Number.isFinite) };
}

/** @param {number[]} numbers */
function extentOf(numbers) {
  if (numbers.length === 0) return null;
  let [least, sum, most] = [Infinity, 0, -Infinity];
  for (const number of numbers) [least, sum, most] = [Math.min(least, number), sum + number, Math.max(most, number)];
  return formatted(least, sum / numbers.length, most);
}

/** @param {number} min @param {number} mean @param {number} max @returns {[string, string, string]} */
const formatted = (min, mean, max) => [formatNumber(min), formatNumber(mean), formatNumber(max)];
