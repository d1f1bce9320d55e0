// Places in a text: the server counts lines and columns from 1 in code points, an editor offsets from 0.

/** @typedef {{line: number | null, column: number | null, end_line?: number | null, end_column?: number | null}} Place */

/** @param {string[]} lines @param {number} line @param {number} column */
function offsetOf(lines, line, column) {
  const row = Math.min(Math.max(line, 1), lines.length) - 1;
  const before = lines.slice(0, row).reduce((sum, text) => sum + text.length + 1, 0);
  return before + [...lines[row]].slice(0, Math.max(0, column - 1)).join("").length;
}

/**
 * The offsets [from, to) of a place. An empty place is widened to one character, so that it can be seen.
 * @param {string} text @param {Place} place @returns {[number, number] | null}
 */
export function rangeOf(text, { line, column, end_line: endLine, end_column: endColumn }) {
  if (!line || !column || text === "") return null;
  const lines = text.split("\n");
  const from = offsetOf(lines, line, column);
  const to = Math.max(from, offsetOf(lines, endLine ?? line, endColumn ?? column));
  if (to > from) return [from, to];
  return from < text.length && text[from] !== "\n" ? [from, from + 1] : [Math.max(0, from - 1), Math.max(from, 1)];
}
