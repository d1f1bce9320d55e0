// Printed lines, as they are shown: columns stay above one another, all other lines are wrapped.

/** @typedef {{aligned: boolean, text: string}} Stretch of lines, each with its end */

/**
 * The lines, those in a row that are alike together.
 * @param {ReadonlyArray<string>} lines @returns {Stretch[]}
 */
export function stretchesOf(lines) {
  /** @type {Stretch[]} */
  const found = [];
  let depth = 0; // of the brackets that are open
  for (const line of lines) {
    const before = /^\S/.test(line) ? 0 : depth; // further rows are set in
    depth = Math.max(0, before + opened(line));
    const aligned = before > 0 || depth > 0 || / {2}/.test(line.trim());
    const last = found.at(-1);
    if (last?.aligned === aligned) last.text += `${line}\n`;
    else found.push({ aligned, text: `${line}\n` });
  }
  return found;
}

/** How many brackets of arrays are opened in a line and not closed in it. @param {string} line */
const opened = (line) => line.split("[").length - line.split("]").length;
