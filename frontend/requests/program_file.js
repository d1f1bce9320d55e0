// Programs in files: a text as it is, a notebook's code without its pictures and output, which may be many times as long.

/** Whether a file is read as a program. @param {string} name */
export const isProgram = (name) => /\.(py|ipynb|txt|md)$/i.test(name);

/** The program in a file. @param {Pick<File, "name" | "text">} file */
export async function programIn(file) {
  const text = await file.text();
  return /\.ipynb$/i.test(file.name) ? codeOf(text) : text;
}

/**
 * The code cells of a notebook, a blank line between them. A text that is no notebook stays as it is: the answer says so.
 * @param {string} text
 */
export function codeOf(text) {
  const cells = cellsIn(text);
  if (!cells) return text;
  return cells
    .filter(({ cell_type }) => cell_type === "code")
    .map(({ source, input }) => [source ?? input ?? ""].flat().join("").trimEnd())
    .filter((code) => code !== "")
    .join("\n\n");
}

/** @typedef {{cell_type?: string, source?: string | string[], input?: string | string[]}} Cell */

/** @param {string} text @returns {Cell[] | null} */
function cellsIn(text) {
  try {
    const found = JSON.parse(text);
    const cells = found?.cells ?? found?.worksheets?.[0]?.cells; // the latter in notebooks of 2014 and before
    return Array.isArray(cells) ? cells.filter((cell) => typeof cell === "object" && cell !== null) : null;
  } catch {
    return null;
  }
}
