// Numbers and tensors as text.
//
// Four significant digits, a real minus sign, thin spaces between thousands; where four digits
// would hide an integer's end they are not cut. "–" stands for "no value".

/** @typedef {import("../types.js").Value | import("../types.js").Data | undefined} Value */

const MINUS = "−";
const TIMES = "×";
const THIN_SPACE = "\u202f"; // a number is not broken at it
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const WORDS = new Map([
  ["nan", "NaN"],
  ["inf", "∞"],
  ["-inf", `${MINUS}∞`],
]);
export const NO_VALUE = "–";

/** @param {number} exponent */
function superscript(exponent) {
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return exponent < 0 ? `⁻${digits}` : digits;
}

/** @param {number} size not negative @param {number} digits significant ones @returns {string} */
function magnitude(size, digits) {
  if (size === 0) return "0";
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = size.toExponential(digits - 1).split("e");
    return `${Number(mantissa)}${TIMES}10${superscript(Number(exponent))}`;
  }
  const near = size >= 1000 ? Math.round(size) : Number(size.toPrecision(digits));
  return String(near).replace(/\B(?=(\d{3})+$)/g, near >= 1000 ? THIN_SPACE : "");
}

/** One number to so many significant digits. @param {number} value @param {number} digits */
function rounded(value, digits) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  const text = magnitude(Math.abs(value), digits);
  return value < 0 ? MINUS + text : text;
}

/** One number to four significant digits. @param {number} value */
export const formatNumber = (value) => rounded(value, 4);

/** One number with every digit that it has, for a title. @param {number} value */
export const exactNumber = (value) => String(value).replace("-", MINUS);

/** @param {unknown} data @param {(value: number) => string} number @returns {string} */
function nested(data, number) {
  if (Array.isArray(data)) return `[${data.map((item) => nested(item, number)).join(", ")}]`;
  if (typeof data === "number") return number(data);
  if (data === null || data === undefined) return NO_VALUE;
  return WORDS.get(String(data)) ?? String(data);
}

/** @param {Value} value @returns {import("../types.js").TensorValue | null} */
const tensorOf = (value) => (typeof value === "object" && value !== null && !Array.isArray(value) ? value : null);

/**
 * The bare data of a value: a tensor's nested list, or the value itself.
 * @param {Value} value
 * @returns {unknown}
 */
export function dataOf(value) {
  const tensor = tensorOf(value);
  if (!tensor) return value;
  return "values" in tensor ? dataOf(/** @type {Value} */ (tensor.values)) : tensor.data; // slices: the rows they hold
}

/** @param {Value} value @param {(value: number) => string} number */
function written(value, number) {
  const tensor = tensorOf(value);
  const data = dataOf(value);
  return tensor && data === null ? `${tensor.dtype} (${tensor.shape.join(", ")})` : nested(data, number);
}

/** The whole value, rounded. @param {Value} value */
export const formatValue = (value) => written(value, formatNumber);

/** The whole value, every digit. @param {Value} value */
export const exactValue = (value) => written(value, exactNumber);

/**
 * A value in little room: numbers have fewer digits there, never half an exponent; a shape stands for what does not fit,
 * that of a vector in brackets, or it would be taken for a number.
 * @param {Value} value
 * @param {number} room in characters
 */
export function shortValue(value, room) {
  const fits = (/** @type {string} */ text) => text.length <= room;
  const text = formatValue(value);
  if (fits(text)) return text;
  const shorter = (/** @type {number} */ digits) => written(value, (number) => rounded(number, digits));
  const short = text.length > 2 * room ? undefined : [3, 2].map(shorter).find(fits);
  if (short !== undefined) return short;
  const data = dataOf(value);
  if (typeof data === "number") return shorter(1);
  const shape = tensorOf(value)?.shape ?? shapeOf(data);
  if (shape.length === 0) return `${text.slice(0, room - 1)}…`;
  return shape.length === 1 ? `(${shape})` : shape.join("×");
}

/** @param {unknown} data @returns {number[]} */
export const shapeOf = (data) => (Array.isArray(data) ? [data.length, ...shapeOf(data[0])] : []);
