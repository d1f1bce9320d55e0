// Tables as text for other programs: comma-separated to be saved, tab-separated to be pasted.
//
// A spreadsheet takes a cell that begins with =, +, - or @ for a formula, which may do harm; a text that begins so is given
// an apostrophe before it, as OWASP advises. Numbers are written as numbers, every digit of them.

/** @typedef {string | number | boolean | null | undefined} Cell */

const FORMULA = /^[\s\u00a0]*[=+\-@＝＋－＠−\t\r]/;
const BYTE_ORDER_MARK = "\ufeff"; // without it some spreadsheets take Chinese for another encoding

/** @param {Cell} cell @param {string} separator */
function written(cell, separator) {
  if (cell === null || cell === undefined) return "";
  if (typeof cell !== "string") return String(cell);
  const text = FORMULA.test(cell) && !Number.isFinite(Number(cell)) ? `'${cell}` : cell;
  return text.includes(separator) || /["\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {readonly (readonly Cell[])[]} rows @param {string} separator @param {string} end of a line */
const joined = (rows, separator, end) =>
  rows.map((row) => row.map((cell) => written(cell, separator)).join(separator) + end).join("");

/** A file's text (RFC 4180). @param {readonly (readonly Cell[])[]} rows the first of which is the heading */
export const csvOf = (rows) => BYTE_ORDER_MARK + joined(rows, ",", "\r\n");

/** What is pasted into a spreadsheet. @param {readonly (readonly Cell[])[]} rows */
export const tsvOf = (rows) => joined(rows, "\t", "\n");

/**
 * A tensor's data as rows: a row for each place along all axes but the last, whose indices come first.
 * @param {unknown} data nested lists @returns {Cell[][]}
 */
export function rowsOfTensor(data) {
  /** @param {unknown} part @param {number[]} at @returns {Cell[][]} */
  const within = (part, at) => {
    if (!Array.isArray(part)) return [[...at, cellOf(part)]];
    if (part.some(Array.isArray)) return part.flatMap((each, k) => within(each, [...at, k]));
    return [[...at, ...part.map(cellOf)]];
  };
  return within(data, []);
}

/** A value in one cell: a number as it is, nested lists as JSON. @param {unknown} data @returns {Cell} */
export function cellOf(data) {
  if (data === null || data === undefined) return null;
  if (typeof data === "number" || typeof data === "boolean" || typeof data === "string") return data;
  return JSON.stringify(data);
}
