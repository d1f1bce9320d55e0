// Matrices in a figure: cells of an image, and lines or areas of equal height.

import { contours } from "d3-contour";

import { colourOf, ramp } from "./colours.js";

/** @import { Mark } from "../frame.js" */
/** @import { Series } from "../../types.js" */
/** @import { Places } from "./series.js" */

const SHADES = 32;

/** @param {Series} series @param {Places} places @returns {Mark[]} */
export const gridMarks = (series, places) =>
  series.kind === "image" ? imageMarks(series, places) : contourMarks(series, places);

/** The numbers at both ends of a series' scale of colours: of lines of equal height, those of the outermost lines. @param {Series} series @returns {[number, number]} */
export function scaleEnds({ kind, z = [], value = [], levels = [], ends = [] }) {
  const numbers = kind === "contour" && levels.length > 1 ? levels : kind === "points" ? value : z.flat();
  const finite = numbers.filter((each) => each !== null);
  const least = finite.reduce((a, b) => Math.min(a, b), Infinity);
  const most = finite.reduce((a, b) => Math.max(a, b), -Infinity);
  return [ends[0] ?? least, ends[1] ?? most];
}

/** Cells of the same shade in one path. @param {Series} series @param {Places} places @returns {Mark[]} */
function imageMarks(series, places) {
  const { z = [], extent = [0, 1, 1, 0] } = series;
  const [low, high] = scaleEnds(series);
  const [left, right, bottom, top] = [places.x(extent[0]), places.x(extent[1]), places.y(extent[2]), places.y(extent[3])].map(
    Number,
  );
  const size = { width: (right - left) / (z[0]?.length || 1), height: (bottom - top) / (z.length || 1) };
  /** @type {Map<number, string[]>} */
  const cells = new Map();
  z.forEach((row, i) =>
    row.forEach((value, j) => {
      if (value === null) return;
      const shade = Math.min(SHADES - 1, Math.max(0, Math.round(((value - low) / (high - low || 1)) * (SHADES - 1))));
      const d = `M${(left + j * size.width).toFixed(2)} ${(top + i * size.height).toFixed(2)}h${size.width.toFixed(2)}v${size.height.toFixed(2)}h${(-size.width).toFixed(2)}Z`;
      cells.set(shade, [...(cells.get(shade) ?? []), d]);
    }),
  );
  return [...cells].map(([shade, parts]) => ({ kind: "path", d: parts.join(""), fill: ramp(shade / (SHADES - 1)) }));
}

/** @param {Series} series @param {Places} places @returns {Mark[]} */
function contourMarks(series, places) {
  const { z = [], x = [], y = [], levels = [], filled = false, colour } = series;
  const [columns, rows] = [z[0]?.length ?? 0, z.length];
  if (columns < 2 || rows < 2) return [];
  const [low, high] = scaleEnds(series);
  const along = (/** @type {readonly (number | null)[]} */ numbers, /** @type {number} */ at) => {
    const place = Math.min(numbers.length - 1, Math.max(0, at - 0.5));
    const first = Math.min(numbers.length - 2, Math.floor(place));
    const [a, b] = [Number(numbers[first]), Number(numbers[first + 1])];
    return a + (place - first) * (b - a);
  };
  const point = (/** @type {readonly number[]} */ [i, j]) =>
    `${Number(places.x(along(x, i))).toFixed(1)} ${Number(places.y(along(y, j))).toFixed(1)}`;
  const heights = levels.filter((each) => each !== null);
  const lowest = z.flat().reduce((/** @type {number} */ a, b) => (b === null ? a : Math.min(a, b)), Infinity);
  const thresholds = filled ? [lowest, ...heights] : heights;
  const shapes = contours().size([columns, rows]).thresholds(thresholds)(z.flat().map((each) => each ?? NaN));
  return shapes.map(({ value, coordinates }) => {
    const d = coordinates.flatMap((polygon) => polygon.map((ring) => `M${ring.map(point).join("L")}Z`)).join("");
    const shade = colour === undefined ? ramp((value - low) / (high - low || 1)) : colourOf(series);
    return filled ? { kind: "path", d, fill: shade } : { kind: "path", d, stroke: shade, width: 1.4 };
  });
}
