// Paper: a graph whose labels would get too small on one sheet is cut into pieces that stand one beneath another; into
// fewer where the words beside it would else need a third sheet.

/** @import { Box } from "./viewport.js" */

const SHEET = { width: 718, height: 756 }; // CSS px of an A4 page within its margins, with the words beside the graph
const ROOM = 1300; // CSS px that the pieces have in height on two sheets, with the words beside them
const FINE = 0.7; // of the size on screen: labels of 6 points
const LEAST = 0.5;
const OVERLAP = 120; // px; an item on a cut is whole in one of the two pieces
const MOST = 8;

/**
 * The pieces of a graph that it is printed in: all of it where that can be read, else cut across its longer side.
 * @param {Box} page @returns {Box[]}
 */
export function piecesOf(page) {
  const [across, along] = [SHEET.width / page.width, SHEET.height / page.height];
  const wide = across < along;
  const [start, side] = wide ? /** @type {const} */ (["x", "width"]) : /** @type {const} */ (["y", "height"]);
  const limit = Math.max(across, along); // as large as the shorter side allows
  const lengthOf = (/** @type {number} */ count) => (page[side] - OVERLAP) / count + OVERLAP;
  const scaleOf = (/** @type {number} */ count) => Math.min(limit, SHEET[side] / lengthOf(count));
  const heightOf = (/** @type {number} */ count) => count * scaleOf(count) * (wide ? page.height : lengthOf(count));
  let count = 1;
  const isFiner = () => count < MOST && scaleOf(count) < Math.min(FINE, limit);
  while (isFiner() && (scaleOf(count) < LEAST || heightOf(count + 1) <= ROOM)) count += 1;
  const length = lengthOf(count);
  return Array.from({ length: count }, (_, i) => ({ ...page, [start]: page[start] + i * (length - OVERLAP), [side]: length }));
}

const LARGEST = 1.2; // of the size on screen
const WORTH_A_CUT = 1.15; // times as large; else the graph stays whole

/**
 * The pieces of a graph in a place of this size, one beneath another, or side by side where it is higher than wide; so many
 * that it is as large as it gets.
 * @param {Box} page @param {import("./viewport.js").Size} room @returns {{pieces: Box[], scale: number}}
 */
export function rowsOf(page, room) {
  const wide = page.width / room.width >= page.height / room.height;
  const [start, side] = wide ? /** @type {const} */ (["x", "width"]) : /** @type {const} */ (["y", "height"]);
  const across = wide ? "height" : "width";
  const lengthOf = (/** @type {number} */ count) => (page[side] - OVERLAP) / count + OVERLAP;
  const scaleOf = (/** @type {number} */ count) =>
    Math.min(LARGEST, room[side] / (count === 1 ? page[side] : lengthOf(count)), room[across] / count / page[across]);
  let count = 1;
  for (let more = 2; more <= MOST; more += 1) if (scaleOf(more) > scaleOf(count) * WORTH_A_CUT) count = more;
  const length = count === 1 ? page[side] : lengthOf(count);
  const pieces = Array.from({ length: count }, (_, i) => ({
    ...page,
    [start]: page[start] + i * (length - OVERLAP),
    [side]: length,
  }));
  return { pieces, scale: scaleOf(count) };
}
