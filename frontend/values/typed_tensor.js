// Tensors as people type and paste them: a number, numbers with commas between them, rows, or lists within brackets.

import { typedNumber } from "./typed.js";

/** @typedef {number | Nested[]} Nested  a number, or lists of numbers within lists */

const MOST_NUMBERS = 100_000;
const DEEPEST = 8;
const SEPARATORS = [/[\t]/, /[;；]/, /[,，]/, /\s+/]; // of a row; the first that a row has

/** @param {string} text @returns {number} NaN of what is none */
const numberIn = (text) => typedNumber(text) ?? NaN;

/** @param {string} line */
function cellsOf(line) {
  const separator = SEPARATORS.find((each) => each.test(line.trim()));
  const cells = separator ? line.trim().split(separator) : [line];
  return cells.map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
}

/** Reads "[[1, 2], [3, 4]]". */
class Brackets {
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  /** The whole text; null where it is not well formed. @returns {Nested | null} */
  whole() {
    const list = this.list(0);
    return this.#at === this.text.length ? list : null;
  }

  /** @param {number} depth @returns {Nested | null} */
  list(depth) {
    if (this.text[this.#at] !== "[" || depth >= DEEPEST) return null;
    this.#at += 1;
    /** @type {Nested[]} */
    const items = [];
    while (this.text[this.#at] !== "]") {
      const item = this.text[this.#at] === "[" ? this.list(depth + 1) : this.number();
      if (item === null) return null;
      items.push(item);
      if (this.text[this.#at] === ",") this.#at += 1;
      else if (this.text[this.#at] !== "]") return null;
    }
    this.#at += 1;
    return items;
  }

  /** @returns {number | null} */
  number() {
    const end = this.text.slice(this.#at).search(/[,[\]]/);
    if (end < 0) return null;
    const number = typedNumber(this.text.slice(this.#at, this.#at + end));
    this.#at += end;
    return number;
  }
}

/**
 * The numbers that a text means; null of anything else, of rows of different lengths, and of too many numbers. A first row
 * without a single number is a heading, and left out.
 * @param {string} text @returns {Nested | null}
 */
export function typedTensor(text) {
  const plain = text.trim().replaceAll("，", ",").replaceAll("【", "[").replaceAll("】", "]");
  if (plain === "") return null;
  const found = plain.startsWith("[") ? new Brackets(plain.replace(/\s*([[\],])\s*/g, "$1")).whole() : rowsIn(plain);
  if (found === null) return null;
  const shape = regularShape(found);
  return shape && shape.reduce((size, axis) => size * axis, 1) <= MOST_NUMBERS ? found : null;
}

/** @param {string} text @returns {Nested | null} */
function rowsIn(text) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  const whole = lines.length === 1 ? typedNumber(lines[0]) : null;
  if (whole !== null) return whole;
  const rows = lines.map((line) => cellsOf(line).map(numberIn));
  if (rows.length > 1 && rows[0].every(Number.isNaN)) rows.shift();
  if (rows.flat().some(Number.isNaN)) return null;
  if (rows.length === 1) return rows[0];
  return rows.every((row) => row.length === 1) ? rows.flat() : rows;
}

/** The axes of nested lists; null where lists at one depth differ in length. @param {Nested} data @returns {number[] | null} */
export function regularShape(data) {
  if (!Array.isArray(data)) return [];
  if (data.length === 0) return [0];
  const inner = data.map(regularShape);
  const [first] = inner;
  const isRegular = first !== null && inner.every((shape) => shape?.join() === first.join());
  return isRegular ? [data.length, ...first] : null;
}

/** Nested lists on one line. @param {unknown} data */
export const tensorText = (data) => (Array.isArray(data) ? JSON.stringify(data).replaceAll(",", ", ") : String(data ?? ""));

const WHOLE = /^u?int/;

/**
 * Why numbers do not fit a tensor; null where they do.
 * @param {Nested} data @param {string} dtype @param {readonly (number | null)[] | null} shape  null: any; null for an axis: any length
 * @returns {{key: string, params: Record<string, string>} | null}
 */
export function misfit(data, dtype, shape) {
  const axes = regularShape(data) ?? [];
  const fits = shape === null || (shape.length === axes.length && shape.every((size, k) => size === null || size === axes[k]));
  if (!fits) return { key: "fields.wrong_shape", params: { wanted: shapeText(shape), given: shapeText(axes) } };
  const numbers = /** @type {number[]} */ (/** @type {any[]} */ ([data]).flat(Infinity));
  const odd = WHOLE.test(dtype) ? numbers.find((number) => !Number.isInteger(number)) : undefined;
  if (odd !== undefined) return { key: "fields.not_whole", params: { dtype, number: String(odd) } };
  const other = dtype === "bool" ? numbers.find((number) => number !== 0 && number !== 1) : undefined;
  return other === undefined ? null : { key: "fields.no_bool", params: { number: String(other) } };
}

/** "(?, 2)", "()" of a single number. @param {readonly (number | null)[]} shape */
export const shapeText = (shape) => `(${shape.map((size) => size ?? "?").join(", ")}${shape.length === 1 ? "," : ""})`;
