// Paper: a graph whose labels would get too small on one sheet is cut into pieces that stand one beneath another.

/** @typedef {import("./viewport.js").Box} Box */

const SHEET = { width: 718, height: 756 }; // CSS px of an A4 page within its margins, with the words beside the graph
const LEAST = 0.7; // of the size on screen: labels of 6 points
const OVERLAP = 120; // px; an item on a cut is whole in one of the two pieces
const MOST = 8;

/**
 * The pieces of a graph that it is printed in: all of it where that can be read, else cut across its longer side.
 * @param {Box} page @returns {Box[]}
 */
export function piecesOf(page) {
  const [across, along] = [SHEET.width / page.width, SHEET.height / page.height];
  const scale = Math.min(LEAST, Math.max(across, along)); // as large as the shorter side allows
  if (Math.min(across, along) >= scale) return [page];
  const [start, side] = across < along ? /** @type {const} */ (["x", "width"]) : /** @type {const} */ (["y", "height"]);
  const step = SHEET[side] / scale - OVERLAP;
  const count = Math.min(MOST, Math.ceil((page[side] - OVERLAP) / step));
  const length = (page[side] - OVERLAP) / count + OVERLAP;
  return Array.from({ length: count }, (_, i) => ({ ...page, [start]: page[start] + i * (length - OVERLAP), [side]: length }));
}
