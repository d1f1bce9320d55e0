// Difference quotients over δ: what the plot of their errors draws, and what holds at one δ.

/** @import { Comparison, Value } from "../types.js" */

export const METHODS = /** @type {const} */ (["forward", "central", "complex_step"]);
export const TYPES = /** @type {const} */ (["float32", "float64"]);

/** @typedef {typeof METHODS[number]} Method */
/** @typedef {typeof TYPES[number]} FloatType */
/** @typedef {{type: FloatType, method: Method, errors: Array<number | null>}} Series */

/** What a logarithmic axis can show; an error of 0 and what is no number have no place on it. @param {Value | undefined} error */
const shown = (error) => (typeof error === "number" && error > 0 ? error : null);

/**
 * Error against δ, a line for each method in each float type; δ from the smallest on.
 * @param {Comparison["numeric"]} numeric @returns {{deltas: number[], series: Series[]}}
 */
export function errorLines(numeric) {
  const deltas = [...new Set(TYPES.flatMap((type) => numeric[type].delta))].sort((a, b) => a - b);
  const series = TYPES.flatMap((type) =>
    METHODS.map((method) => ({ type, method, errors: errorsAt(numeric[type], method, deltas) })),
  );
  return { deltas, series: series.filter(({ type, method }) => numeric[type][method].length > 0) };
}

/** @param {Comparison["numeric"]["float32"]} sweep @param {Method} method @param {number[]} deltas */
const errorsAt = (sweep, method, deltas) => deltas.map((delta) => shown(sweep.errors[method][sweep.delta.indexOf(delta)]));

/**
 * The quotients at one δ with their errors.
 * @param {Comparison["numeric"]} numeric @param {number} delta
 * @returns {{type: FloatType, method: Method, value: Value, error: Value}[]}
 */
export function quotientsAt(numeric, delta) {
  return TYPES.flatMap((type) => {
    const place = numeric[type].delta.indexOf(delta);
    if (place < 0) return [];
    return METHODS.filter((method) => numeric[type][method].length > 0).map((method) => ({
      type,
      method,
      value: numeric[type][method][place],
      error: numeric[type].errors[method][place],
    }));
  });
}

/** |d − g| / max(|d|, |g|): 0 where both are 0, null where one is no number. @param {Value | undefined} d @param {Value | undefined} g */
export function relativeError(d, g) {
  if (typeof d !== "number" || typeof g !== "number") return null;
  const size = Math.max(Math.abs(d), Math.abs(g));
  return size === 0 ? 0 : Math.abs(d - g) / size;
}

/** The automatic derivative's component that the columns show. @param {Comparison} comparison @returns {Value | undefined} */
export function automaticValue({ automatic, component }) {
  const { value } = automatic;
  const own =
    typeof value === "object" && value !== null && !Array.isArray(value) ? /** @type {any} */ (value)[component.name] : value;
  return component.index.reduce((/** @type {any} */ rows, place) => rows?.[place], own);
}

/** δ as a power of ten, as the slider has it. @param {number} delta */
export const powerOf = (delta) => Math.round(Math.log10(delta));

/** The δ of a slider's place. @param {Comparison["numeric"]} numeric @param {number} power */
export const deltaAt = (numeric, power) =>
  numeric.float64.delta.find((delta) => powerOf(delta) === power) ?? numeric.float64.delta[0];
