// Tables as text that spreadsheets open (RFC 4180).

const LIKE_A_FORMULA = /^[=+\-@\t\r]/; // a spreadsheet would compute what begins so

/** @param {unknown} cell a number with every digit, a text, or nothing */
function cellText(cell) {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number") return String(cell);
  const text = String(cell);
  const safe = LIKE_A_FORMULA.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Begins with the mark by which spreadsheets know UTF-8. @param {readonly (readonly unknown[])[]} rows */
export const csvOf = (rows) => `\ufeff${rows.map((row) => row.map(cellText).join(",")).join("\r\n")}\r\n`;
