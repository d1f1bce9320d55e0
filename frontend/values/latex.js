// LaTeX as text: the rows of aligned equations, each of which may be set by itself, and where a line may end.

const ALIGNED = /^\\begin\{aligned\}(.*)\\end\{aligned\}$/s;
const PIECES = /\\begin\{\w+\}|\\end\{\w+\}|\\\\|\\&|&/g; // what opens and closes, ends a row, or parts its columns

/** The rows of aligned equations, without the marks that align them; any other formula is one row. @param {string} latex @returns {string[]} */
export function rowsOf(latex) {
  const inside = ALIGNED.exec(latex.trim())?.[1];
  if (inside === undefined) return [latex];
  const rows = [""];
  let depth = 0;
  let from = 0;
  for (const { 0: piece, index } of inside.matchAll(PIECES)) {
    if (piece.startsWith("\\begin")) depth += 1;
    else if (piece.startsWith("\\end")) depth -= 1;
    else if (depth === 0 && piece !== "\\&") {
      rows[rows.length - 1] += inside.slice(from, index);
      from = index + piece.length;
      if (piece === "\\\\") rows.push("");
    }
  }
  rows[rows.length - 1] += inside.slice(from);
  return rows.map((row) => row.trim()).filter(Boolean);
}

/** A formula that may also be broken between its factors, which stand side by side. @param {string} latex */
export const breakable = (latex) => latex.replaceAll("\\;", "\\;\\allowbreak");
