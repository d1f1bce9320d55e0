// A sheet on one page: the drawing has the room that it needs to be read, the questions what is left of it.

const ROOMS_MM = [60, 45, 34, 26, 20, 15, 11, 8, 5, 2, 0]; // to write in, beneath a question
const SIZES_PT = [10, 9, 8, 7]; // of the answers
const DRAWINGS_MM = [
  [70, 0.9],
  [95, 0.8],
  [120, 0.7],
  [140, 0.55],
  [155, 0],
]; // so high at most, where it is as large as that on screen

/** @param {HTMLElement} sheet */
const isTooLong = (sheet) => sheet.scrollHeight > sheet.clientHeight + 1;

/**
 * The lowest room in which a drawing can be read, of those that a sheet has.
 * @param {(height: number) => {scale: number}} piecesIn @param {number} pxPerMm
 */
export function drawingRoom(piecesIn, pxPerMm) {
  const heights = DRAWINGS_MM.map(([mm, least]) => ({ height: mm * pxPerMm, least }));
  return (heights.find(({ height, least }) => piecesIn(height).scale >= least) ?? heights[heights.length - 1]).height;
}

/**
 * Make both sheets fit: less room to write first, then smaller answers, then fewer questions, the same on both.
 * @param {HTMLElement} question @param {HTMLElement} key @param {number} count of questions
 * @param {(shown: number) => void} show so many questions, and a word of the others
 */
export function fitSheets(question, key, count, show) {
  for (let shown = count; shown >= 0; shown = shown > 24 ? 24 : shown - 1) {
    show(shown);
    if (fits(question, "--room", ROOMS_MM, "mm") && fits(key, "--size", SIZES_PT, "pt")) return;
  }
}

/** Whether a sheet fits with one of these measures; it has the first that does. @param {HTMLElement} sheet @param {string} property @param {number[]} values @param {string} unit */
const fits = (sheet, property, values, unit) =>
  values.some((value) => {
    sheet.style.setProperty(property, `${value}${unit}`);
    return !isTooLong(sheet);
  });
