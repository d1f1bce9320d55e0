// A text as a QR code: where its dark modules are.

import encode from "qr";

const QUIET = 4; // modules of white around the code, as the standard asks for

/**
 * The outline of the dark modules, and how many modules the code has across; null where the text is too long for any code.
 * @param {string} text
 */
export function qrPath(text) {
  try {
    const rows = encode(text, "raw", { ecc: "medium", border: QUIET });
    const runs = rows.flatMap((row, y) => darkRuns(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`));
    return { path: runs.join(""), size: rows.length };
  } catch {
    return null;
  }
}

/** Where dark modules begin in a row, and how many there are. @param {boolean[]} row */
function darkRuns(row) {
  /** @type {[number, number][]} */
  const runs = [];
  row.forEach((dark, x) => {
    const last = runs.at(-1);
    if (dark && last && last[0] + last[1] === x) last[1] += 1;
    else if (dark) runs.push([x, 1]);
  });
  return runs;
}
