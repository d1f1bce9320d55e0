// One pair of axes of a figure that a program drew with matplotlib, as marks: its series, numbers along both axes, legend.
//
// On a logarithmic axis all is placed by the logarithm; what has none there is not drawn.

import { dot, lineThrough, outline, padded, ticks } from "../frame.js";
import { colourOf, ramp } from "./colours.js";
import { gridMarks } from "./grids.js";

/** @import { Frame, Mark } from "../frame.js" */
/** @import { FigureAxes, Series } from "../../types.js" */
/** @typedef {{frame: Frame, x: (value: number | null) => number | null, y: (value: number | null) => number | null}} Places  where numbers stand, px; null: nowhere */

const DASHES = /** @type {Record<string, readonly number[]>} */ ({ dashed: [6, 4], dotted: [1.5, 3], dashdot: [7, 3, 1.5, 3] });
const ROOM = { left: 58, right: 14, top: 30, bottom: 44 };
const LEGEND_ROW_PX = 18;
const TICKS_APART_PX = { x: 64, y: 34 };
const LETTER_PX = 6.6; // about, of a label
const INK = "#222222";
const PALE = "#666666";

/**
 * All marks of one pair of axes.
 * @param {FigureAxes} axes @param {{left: number, top: number, width: number, height: number}} box @param {(number: number) => string} format
 * @returns {Mark[]}
 */
export function axesMarks(axes, box, format) {
  const legend = axes.legend ? axes.series.filter(({ label }) => label && !label.startsWith("_")) : [];
  const places = placesIn(axes, box, legend.length);
  const { frame } = places;
  const inside = axes.series.flatMap((one) => seriesMarks(one, places));
  return [
    ...(axes.frame ? scaleMarks(axes, places, format) : []),
    {
      kind: "clipped",
      frame,
      marks: /** @type {import("../frame.js").PathMark[]} */ (inside.filter(({ kind }) => kind === "path")),
    },
    ...inside.filter(({ kind }) => kind !== "path"),
    ...(axes.frame ? [/** @type {Mark} */ ({ kind: "path", d: outline(frame), stroke: PALE, width: 1 })] : []),
    {
      kind: "text",
      x: frame.left + frame.width / 2,
      y: box.top + 18,
      text: fitting(axes.title, box.width),
      fill: INK,
      align: "middle",
      weight: 600,
    },
    ...legend.flatMap((one, place) =>
      legendMarks(one, box.left + ROOM.left, frame.top + frame.height + ROOM.bottom + place * LEGEND_ROW_PX, box.width),
    ),
  ];
}

/** A text, cut where it is longer than its room. @param {string} text @param {number} width px */
function fitting(text, width) {
  const most = Math.max(4, Math.floor(width / LETTER_PX));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** @param {FigureAxes} axes @param {{left: number, top: number, width: number, height: number}} box @param {number} rows of the legend @returns {Places} */
function placesIn(axes, box, rows) {
  const [x, y] = [extentOf(axes, "x"), extentOf(axes, "y")];
  let [width, height] = [box.width - ROOM.left - ROOM.right, box.height - ROOM.top - ROOM.bottom - rows * LEGEND_ROW_PX];
  if (axes.equal && x.ends[1] !== x.ends[0] && y.ends[1] !== y.ends[0]) {
    const unit = Math.min(width / Math.abs(x.ends[1] - x.ends[0]), height / Math.abs(y.ends[1] - y.ends[0]));
    [width, height] = [unit * Math.abs(x.ends[1] - x.ends[0]), unit * Math.abs(y.ends[1] - y.ends[0])];
  }
  const frame = { left: box.left + ROOM.left, top: box.top + ROOM.top, width, height, x: x.ends, y: y.ends };
  const at = (/** @type {typeof x} */ { scale, ends: [low, high] }, /** @type {number | null} */ value) => {
    const number = value === null ? NaN : scale(value);
    return Number.isFinite(number) ? (number - low) / (high - low) : null;
  };
  return {
    frame,
    x: (value) => (at(x, value) === null ? null : frame.left + Number(at(x, value)) * width),
    y: (value) => (at(y, value) === null ? null : frame.top + height - Number(at(y, value)) * height),
  };
}

/** The ends of an axis, on its scale. @param {FigureAxes} axes @param {"x" | "y"} axis */
function extentOf(axes, axis) {
  const scale = axes[`${axis}_scale`] === "log" ? Math.log10 : (/** @type {number} */ value) => value;
  const numbers = axes.series
    .flatMap((one) => numbersAlong(one, axis))
    .flatMap((value) => (value === null ? [] : [scale(value)]));
  const finite = numbers.filter(Number.isFinite);
  const isTight = axes.series.some(({ kind }) => kind === "image" || kind === "contour");
  const [low, high] = finite.length > 0 ? [least(finite), most(finite)] : [0, 1];
  const ends = padded(low, high, isTight ? 0 : 0.05);
  if (axis === "y" && low === 0 && axes.series.every(({ kind }) => kind === "bars")) ends[0] = 0;
  const given = axes[`${axis}_limits`].map((end) => (end === null ? NaN : scale(end)));
  const found = /** @type {[number, number]} */ (ends.map((end, place) => (Number.isFinite(given[place]) ? given[place] : end)));
  if (found[0] === found[1]) found[1] += 1;
  const isDown =
    axis === "y" &&
    (axes.upside_down || axes.series.some(({ kind, extent }) => kind === "image" && Number(extent?.[2]) > Number(extent?.[3])));
  return { scale, ends: isDown && !given.some(Number.isFinite) ? /** @type {[number, number]} */ (found.reverse()) : found };
}

/** @param {readonly number[]} numbers */
const least = (numbers) => numbers.reduce((a, b) => Math.min(a, b));
/** @param {readonly number[]} numbers */
const most = (numbers) => numbers.reduce((a, b) => Math.max(a, b));

/** The numbers of a series along an axis. @param {Series} series @param {"x" | "y"} axis @returns {readonly (number | null)[]} */
function numbersAlong({ kind, x = [], y = [], base = [], thick = 0, lying = false, extent }, axis) {
  if (kind === "image") return (axis === "x" ? extent?.slice(0, 2) : extent?.slice(2)) ?? [];
  if (kind === "bars") {
    const isAlong = (axis === "x") !== lying;
    return isAlong
      ? x.flatMap((at) => (at === null ? [] : [at - thick / 2, at + thick / 2]))
      : [...y.map((top, k) => sum(top, base[k])), ...base];
  }
  if (kind === "area" && axis === "y") return [...y, ...base];
  return axis === "x" ? x : y;
}

/** @param {number | null} a @param {number | null | undefined} b */
const sum = (a, b) => (a === null ? null : a + Number(b ?? 0));

// ---- series ----

/** @param {Series} series @param {Places} places @returns {Mark[]} */
function seriesMarks(series, places) {
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
  const finite = (value ?? []).filter((each) => each !== null);
  const ends = finite.length > 0 ? [series.ends?.[0] ?? least(finite), series.ends?.[1] ?? most(finite)] : [0, 1];
  return points.flatMap((point, k) => {
    const own = value?.[k] ?? null;
    const colour = value ? ramp(own === null ? 0 : (own - ends[0]) / (ends[1] - ends[0] || 1)) : colourOf(series);
    return markerMarks([point], marker, Number(sizes?.[k] ?? size), colour, opacity);
  });
}

/** @param {readonly (readonly [number, number] | null)[]} points @param {string} marker @param {number} size @param {string} colour @param {number} [opacity] @returns {Mark[]} */
function markerMarks(points, marker, size, colour, opacity) {
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
function wordMarks({ x = [], y = [], words = [""], tip }, places) {
  const [across, down] = [places.x(x[0] ?? null), places.y(y[0] ?? null)];
  if (across === null || down === null) return [];
  const to = tip ? [places.x(tip[0] ?? null), places.y(tip[1] ?? null)] : [null, null];
  const arrow = to[0] !== null && to[1] !== null ? `M${across} ${down}L${to[0]} ${to[1]}` : "";
  return [
    ...(arrow ? [/** @type {Mark} */ ({ kind: "path", d: arrow, stroke: INK, width: 1 })] : []),
    { kind: "text", x: across, y: down, text: words[0] ?? "", fill: INK },
  ];
}

// ---- axes and legend ----

/** The numbers, or words, along an axis. @param {FigureAxes} axes @param {"x" | "y"} axis @param {Frame} frame @param {(number: number) => string} format @returns {{value: number, text: string}[]} */
function ticksOf(axes, axis, frame, format) {
  const given = axes[`${axis}_ticks`];
  if (given) return given.at.map((value, k) => ({ value, text: given.labels?.[k] ?? format(value) }));
  const isCategories = (/** @type {Series} */ { categories, lying = false }) => categories && (axis === "x") !== lying;
  const words = axes.series.find(isCategories)?.categories;
  if (words) return words.map((text, value) => ({ value, text }));
  const [low, high] = frame[axis][0] < frame[axis][1] ? frame[axis] : [frame[axis][1], frame[axis][0]];
  const count = axis === "x" ? frame.width / TICKS_APART_PX.x : frame.height / TICKS_APART_PX.y;
  if (axes[`${axis}_scale`] !== "log") return ticks(low, high, count).map((value) => ({ value, text: format(value) }));
  const powers = ticks(low, high, count).filter(Number.isInteger);
  return powers.map((power) => ({ value: 10 ** power, text: format(10 ** power) }));
}

/** @param {FigureAxes} axes @param {Places} places @param {(number: number) => string} format @returns {Mark[]} */
function scaleMarks(axes, { frame, x, y }, format) {
  const { left, top, width, height } = frame;
  const isIn = (/** @type {number | null} */ at, /** @type {number} */ from, /** @type {number} */ size) =>
    at !== null && at >= from - 0.5 && at <= from + size + 0.5;
  const across = ticksOf(axes, "x", frame, format).flatMap(({ value, text }) =>
    isIn(x(value), left, width) ? [{ at: Number(x(value)), text }] : [],
  );
  const down = ticksOf(axes, "y", frame, format).flatMap(({ value, text }) =>
    isIn(y(value), top, height) ? [{ at: Number(y(value)), text }] : [],
  );
  const lines = [
    ...across.map(({ at }) => `M${at.toFixed(1)} ${top}v${height}`),
    ...down.map(({ at }) => `M${left} ${at.toFixed(1)}h${width}`),
  ];
  const room = width / Math.max(1, across.length);
  return [
    { kind: "path", d: lines.join(""), stroke: "#d5d9e0", width: 1, opacity: axes.grid ? 1 : 0.35 },
    ...across.map(
      ({ at, text }) =>
        /** @type {Mark} */ ({
          kind: "text",
          x: at,
          y: top + height + 15,
          text: fitting(text, room),
          fill: PALE,
          align: "middle",
        }),
    ),
    ...down.map(
      ({ at, text }) =>
        /** @type {Mark} */ ({ kind: "text", x: left - 6, y: at + 4, text: fitting(text, ROOM.left), fill: PALE, align: "end" }),
    ),
    { kind: "text", x: left + width / 2, y: top + height + 33, text: fitting(axes.x_label, width), fill: INK, align: "middle" },
    { kind: "text", x: left - 6, y: top - 8, text: fitting(axes.y_label, width / 2), fill: INK, align: "start" },
  ];
}

/** @param {Series} series @param {number} x @param {number} y @param {number} width @returns {Mark[]} */
function legendMarks(series, x, y, width) {
  const colour = colourOf(series);
  const sample = series.kind === "line" || series.kind === "level" ? `M${x} ${y - 4}h22` : "";
  const marker = series.kind === "points" ? (series.marker ?? "o") : (series.marker ?? "");
  const isFilled = series.kind === "bars" || series.kind === "area";
  return [
    ...(sample && series.dash !== "none"
      ? [
          /** @type {Mark} */ ({
            kind: "path",
            d: sample,
            stroke: colour,
            width: series.width ?? 1.8,
            dash: DASHES[series.dash ?? "solid"],
          }),
        ]
      : []),
    ...(marker ? markerMarks([[x + 11, y - 4]], marker, 7, colour) : []),
    ...(isFilled ? [/** @type {Mark} */ ({ kind: "path", d: `M${x + 4} ${y - 9}h14v10h-14Z`, fill: colour })] : []),
    { kind: "text", x: x + 28, y, text: fitting(series.label, width - ROOM.left - 40), fill: INK },
  ];
}

/** How high a pair of axes is, with its legend. @param {FigureAxes} axes @param {number} width px */
export function heightOf(axes, width) {
  const rows = axes.legend ? axes.series.filter(({ label }) => label && !label.startsWith("_")).length : 0;
  return Math.round(Math.min(340, Math.max(180, 0.62 * width))) + rows * LEGEND_ROW_PX;
}
