// The series of a figure as marks: lines, points, bars, areas, lines across, and words.

import { dot, lineThrough } from "../frame.js";
import { colourOf, ramp } from "./colours.js";
import { gridMarks, scaleEnds } from "./grids.js";

/** @import { Frame, Mark } from "../frame.js" */
/** @import { Series } from "../../types.js" */
/** @typedef {{frame: Frame, x: (value: number | null) => number | null, y: (value: number | null) => number | null}} Places  where numbers stand, px; null: nowhere */

export const DASHES = /** @type {Record<string, readonly number[]>} */ ({
  dashed: [6, 4],
  dotted: [1.5, 3],
  dashdot: [7, 3, 1.5, 3],
});
export const INK = "#222222";

/** @param {number | null} a @param {number | null | undefined} b */
export const sum = (a, b) => (a === null ? null : a + Number(b ?? 0));

/** What a series is drawn as. @param {Series} series @param {Places} places @returns {Mark[]} */
export function seriesMarks(series, places) {
  if (series.kind === "line") return lineMarks(series, places);
  if (series.kind === "points") return pointMarks(series, places);
  if (series.kind === "bars") return barMarks(series, places);
  if (series.kind === "area") return areaMarks(series, places);
  if (series.kind === "level") return levelMarks(series, places);
  if (series.kind === "text") return wordMarks(series, places);
  return gridMarks(series, places);
}

/** @param {Series} series @param {Places} places @returns {(readonly [number, number] | null)[]} */
function pointsOf({ x = [], y = [] }, places) {
  return x.map((value, k) => {
    const [across, down] = [places.x(value), places.y(y[k] ?? null)];
    return across === null || down === null ? null : /** @type {const} */ ([across, down]);
  });
}

/** @param {Series} series @param {Places} places @returns {Mark[]} */
function lineMarks(series, places) {
  const points = pointsOf(series, places);
  const { dash = "solid", width = 1.8, opacity, marker } = series;
  const size = typeof series.size === "number" ? series.size : 6;
  const stroke = colourOf(series);
  const line = /** @type {Mark} */ ({ kind: "path", d: lineThrough(points), stroke, width, opacity, dash: DASHES[dash] });
  return [...(dash === "none" ? [] : [line]), ...(marker ? markerMarks(points, marker, size, stroke, opacity) : [])];
}

/** @param {Series} series @param {Places} places @returns {Mark[]} */
function pointMarks(series, places) {
  const points = pointsOf(series, places);
  const { value, marker = "o", opacity } = series;
  const sizes = Array.isArray(series.size) ? series.size : null;
  const size = typeof series.size === "number" ? series.size : 6;
  if (!value && !sizes) return markerMarks(points, marker, size, colourOf(series), opacity);
  const ends = value ? scaleEnds(series) : [0, 1];
  return points.flatMap((point, k) => {
    const own = value?.[k] ?? null;
    const colour = value ? ramp(own === null ? 0 : (own - ends[0]) / (ends[1] - ends[0] || 1)) : colourOf(series);
    return markerMarks([point], marker, Number(sizes?.[k] ?? size), colour, opacity);
  });
}

/** @param {readonly (readonly [number, number] | null)[]} points @param {string} marker @param {number} size @param {string} colour @param {number} [opacity] @returns {Mark[]} */
export function markerMarks(points, marker, size, colour, opacity) {
  const half = Math.max(1, (marker === "." || marker === "," ? size / 2 : size) / 2);
  const shape = SHAPES[marker] ?? SHAPES.o;
  const d = points.flatMap((point) => (point ? [shape(point[0], point[1], half)] : [])).join("");
  const isOpen = "x+_|".includes(marker);
  return d ? [{ kind: "path", d, opacity, ...(isOpen ? { stroke: colour, width: 1.6 } : { fill: colour }) }] : [];
}

/** @type {Record<string, (x: number, y: number, half: number) => string>} */
const SHAPES = {
  o: dot,
  s: (x, y, h) => `M${x - h} ${y - h}h${2 * h}v${2 * h}h${-2 * h}Z`,
  "^": (x, y, h) => `M${x - h} ${y + h}h${2 * h}L${x} ${y - h}Z`,
  v: (x, y, h) => `M${x - h} ${y - h}h${2 * h}L${x} ${y + h}Z`,
  D: (x, y, h) => `M${x} ${y - h}L${x + h} ${y}L${x} ${y + h}L${x - h} ${y}Z`,
  d: (x, y, h) => `M${x} ${y - h}L${x + 0.6 * h} ${y}L${x} ${y + h}L${x - 0.6 * h} ${y}Z`,
  x: (x, y, h) => `M${x - h} ${y - h}l${2 * h} ${2 * h}M${x - h} ${y + h}l${2 * h} ${-2 * h}`,
  "+": (x, y, h) => `M${x - h} ${y}h${2 * h}M${x} ${y - h}v${2 * h}`,
  _: (x, y, h) => `M${x - h} ${y}h${2 * h}`,
  "|": (x, y, h) => `M${x} ${y - h}v${2 * h}`,
};

/** @param {Series} series @param {Places} places @returns {Mark[]} */
function barMarks(series, places) {
  const { x = [], y = [], base = [], thick = 0.8, lying = false, opacity } = series;
  const [along, up] = lying ? [places.y, places.x] : [places.x, places.y];
  const parts = x.flatMap((at, k) => {
    const height = sum(y[k] ?? null, base[k]);
    const ends = [
      along(at === null ? null : at - thick / 2),
      along(at === null ? null : at + thick / 2),
      up(base[k] ?? 0) ?? up(Number.MIN_VALUE),
      up(height),
    ];
    if (ends.some((end) => end === null)) return [];
    const [a, b, low, high] = ends.map(Number);
    return [lying ? `M${low} ${a}H${high}V${b}H${low}Z` : `M${a} ${low}V${high}H${b}V${low}Z`];
  });
  return [{ kind: "path", d: parts.join(""), fill: colourOf(series), stroke: "#ffffff", width: 0.5, opacity }];
}

/** @param {Series} series @param {Places} places @returns {Mark[]} */
function areaMarks(series, places) {
  const upper = pointsOf(series, places).filter((point) => point !== null);
  const lower = pointsOf({ ...series, y: series.base ?? [] }, places).filter((point) => point !== null);
  if (upper.length === 0) return [];
  return [
    {
      kind: "path",
      d: `${lineThrough([...upper, ...lower.reverse()])}Z`,
      fill: colourOf(series),
      opacity: series.opacity ?? 0.5,
    },
  ];
}

/** @param {Series} series @param {Places} places @returns {Mark[]} */
function levelMarks(series, { frame, x, y }) {
  const at = series.x ? x(series.x[0] ?? null) : y(series.y?.[0] ?? null);
  if (at === null) return [];
  const { from = 0, to = 1 } = series;
  const { left, top, width, height } = frame;
  const d = series.x
    ? `M${at} ${top + (1 - to) * height}v${(to - from) * height}`
    : `M${left + from * width} ${at}h${(to - from) * width}`;
  return [
    {
      kind: "path",
      d,
      stroke: colourOf(series),
      width: series.width ?? 1.5,
      dash: DASHES[series.dash ?? "solid"],
      opacity: series.opacity,
    },
  ];
}

/** @param {Series} series @param {Places} places @returns {Mark[]} */
function wordMarks({ x = [], y = [], words = [""], tip, by_share: isByShare = false }, places) {
  const { left, top, width, height } = places.frame;
  const [across, down] = isByShare
    ? [left + Number(x[0]) * width, top + (1 - Number(y[0])) * height]
    : [places.x(x[0] ?? null), places.y(y[0] ?? null)];
  if (across === null || down === null) return [];
  const to = tip ? [places.x(tip[0] ?? null), places.y(tip[1] ?? null)] : [null, null];
  const arrow = to[0] !== null && to[1] !== null ? `M${across} ${down}L${to[0]} ${to[1]}` : "";
  return [
    ...(arrow ? [/** @type {Mark} */ ({ kind: "path", d: arrow, stroke: INK, width: 1 })] : []),
    { kind: "text", x: across, y: down, text: words[0] ?? "", fill: INK },
  ];
}
