// A landscape's numbers as the server sends them, and what lies between them.

/** @typedef {{dtype: string, shape: number[], base64: string}} PackedGrid */
/**
 * @typedef {object} LandscapeAnswer
 * @property {string} id
 * @property {string} target
 * @property {{variable: string, values: number[]}[]} axes
 * @property {PackedGrid} values
 * @property {PackedGrid[] | null} gradient
 * @property {{min: number | string, max: number | string, not_finite: number}} extent
 * @property {CriticalPoint[]} points
 * @property {Record<string, number[]> | null} path
 * @property {{message: string, message_zh?: string, hint?: string, hint_zh?: string}[]} diagnostics
 */
/** @typedef {Omit<LandscapeAnswer, "values" | "gradient" | "extent"> & {extent: LandscapeAnswer["extent"] | null}} LandscapeFacts  all but the grids; no extent before the last band */
/** @typedef {{type: "header", id: string, target: string, axes: LandscapeAnswer["axes"], bands: number}} LandscapeHeader */
/** @typedef {{type: "band", first: number, end: number, values: PackedGrid, gradient: PackedGrid[] | null}} LandscapeBand  rows along the first axis */
/** @typedef {{type: "footer"} & Pick<LandscapeAnswer, "extent" | "points" | "path" | "diagnostics">} LandscapeFooter */
/** @typedef {LandscapeHeader | LandscapeBand | LandscapeFooter | ({type: "whole"} & LandscapeAnswer)} LandscapeEvent */
/** @typedef {{kind: "minimum" | "maximum" | "saddle", at: Record<string, number>, value: number | string, isolated: boolean, degenerate: boolean}} CriticalPoint */
/** @typedef {Float32Array | Float64Array | Int32Array | BigInt64Array} Numbers */
/** @typedef {{axes: readonly {variable: string, values: readonly number[]}[], values: readonly number[], slopes: readonly (readonly number[])[]}} Grid  values of two axes row by row, the first axis's number the same along a row */

const ARRAYS = { float16: null, float32: Float32Array, float64: Float64Array, int32: Int32Array };

/** The numbers of a packed grid. @param {PackedGrid} grid @returns {number[]} */
export function unpacked({ dtype, base64 }) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const Kind = ARRAYS[/** @type {keyof typeof ARRAYS} */ (dtype)];
  return Kind ? Array.from(new Kind(bytes.buffer)) : halves(new Uint16Array(bytes.buffer), dtype === "bfloat16");
}

/** Numbers of half the usual length. @param {Uint16Array} words @param {boolean} isBrain whether eight of the bits are the exponent's */
const halves = (words, isBrain) => Array.from(words, (word) => (isBrain ? brain(word) : half(word)));

/** @param {number} word */
const brain = (word) => new Float32Array(new Uint32Array([word * 65_536]).buffer)[0];

/** @param {number} word */
function half(word) {
  const sign = word & 0x80_00 ? -1 : 1;
  const exponent = (word >> 10) & 31;
  const fraction = word & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}

/** @param {LandscapeAnswer} answer @returns {Grid} */
export const gridOf = ({ axes, values, gradient }) => ({
  axes,
  values: unpacked(values),
  slopes: (gradient ?? []).map(unpacked),
});

/** A grid whose numbers are still to come: each is NaN. @param {Pick<LandscapeAnswer, "axes">} header @returns {Grid} */
export function awaitedGrid({ axes }) {
  const count = axes.reduce((product, { values }) => product * values.length, 1);
  const blank = () => /** @type {number[]} */ (Array(count).fill(NaN));
  return { axes, values: blank(), slopes: axes.map(blank) };
}

/** The grid with the rows of a band. @param {Grid} grid @param {LandscapeBand} band @returns {Grid} */
export function withBand(grid, { first, values, gradient }) {
  const columns = grid.axes[1]?.values.length ?? 1;
  const filled = (/** @type {readonly number[]} */ before, /** @type {PackedGrid | undefined} */ rows) => {
    const numbers = rows ? unpacked(rows) : [];
    return before.toSpliced(first * columns, numbers.length, ...numbers);
  };
  return { ...grid, values: filled(grid.values, values), slopes: grid.slopes.map((each, k) => filled(each, gradient?.[k])) };
}

/** A grid with the points of a finer one: each has the numbers of the nearest that is there. @param {Grid} coarse @param {Grid["axes"]} axes @returns {Grid} */
export function spread(coarse, axes) {
  const [rows, columns] = axes.map(({ values }, axis) => {
    const last = coarse.axes[axis].values.length - 1;
    return values.map((_, k) => Math.round((k * last) / (values.length - 1)));
  });
  const width = coarse.axes[1].values.length;
  const all = (/** @type {readonly number[]} */ numbers) => rows.flatMap((i) => columns.map((j) => numbers[i * width + j]));
  return { axes, values: all(coarse.values), slopes: coarse.slopes.map(all) };
}

/**
 * The value and the slope of a curve between its points: the cubic that has the values and the slopes at both.
 * @param {Grid} grid of one axis @param {number} x @returns {{value: number, slope: number} | null} null outside, and where there are no numbers
 */
export function between({ axes: [{ values: xs }], values, slopes: [slopes] }, x) {
  const [first, last] = [xs[0], xs[xs.length - 1]];
  if (!(x >= first && x <= last)) return null;
  const h = (last - first) / (xs.length - 1);
  const i = Math.min(xs.length - 2, Math.floor((x - first) / h));
  const s = (x - xs[i]) / h;
  const [a, b] = [values[i], values[i + 1]];
  const [p, q] = [slopes[i] * h, slopes[i + 1] * h];
  const value = a * (1 + 2 * s) * (1 - s) ** 2 + p * s * (1 - s) ** 2 + b * s * s * (3 - 2 * s) + q * s * s * (s - 1);
  const slope = (6 * s * (s - 1) * (a - b) + p * (1 - s) * (1 - 3 * s) + q * s * (3 * s - 2)) / h;
  return Number.isFinite(value) && Number.isFinite(slope) ? { value, slope } : null;
}

/** The number at the nearest place of a grid with two axes. @param {Grid} grid @param {readonly number[]} numbers @param {number} x @param {number} y */
export function nearest({ axes: [across, up] }, numbers, x, y) {
  const place = (/** @type {readonly number[]} */ values, /** @type {number} */ value) => {
    const last = values.length - 1;
    return Math.min(last, Math.max(0, Math.round(((value - values[0]) / (values[last] - values[0])) * last)));
  };
  return numbers[place(across.values, x) * up.values.length + place(up.values, y)];
}
