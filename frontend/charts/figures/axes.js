// One pair of axes of a figure that a program drew with matplotlib, as marks: its series, numbers along both axes, legend.
//
// On a logarithmic axis all is placed by the logarithm; what has none there is not drawn.

import { outline, padded, ticks } from "../frame.js";
import { colourOf, ramp } from "./colours.js";
import { scaleEnds } from "./grids.js";
import { DASHES, INK, markerMarks, seriesMarks, sum } from "./series.js";

/** @import { Frame, Mark } from "../frame.js" */
/** @import { FigureAxes, Series } from "../../types.js" */
/** @import { Places } from "./series.js" */

const ROOM = { left: 58, right: 14, top: 30, bottom: 44 };
const LEGEND_ROW_PX = 18;
const SCALE_PX = 58; // of colours
const SHADES = 16;
const TICKS_APART_PX = { x: 64, y: 34 };
const LETTER_PX = 6.6; // about, of a label
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
    ...colourScaleMarks(axes, frame, format),
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

/** The scale of colours of a matrix, or of points that have a number each, right of the axes. @param {FigureAxes} axes @param {Frame} frame @param {(number: number) => string} format @returns {Mark[]} */
function colourScaleMarks({ series }, { left, top, width, height }, format) {
  const coloured = series.find(hasScale);
  if (!coloured) return [];
  const [low, high] = scaleEnds(coloured);
  const size = height / SHADES;
  const x = left + width + 10;
  const shades = Array.from(
    { length: SHADES },
    (_, k) =>
      /** @type {Mark} */ ({
        kind: "path",
        d: `M${x} ${(top + height - (k + 1) * size).toFixed(1)}h10v${(size + 0.5).toFixed(1)}h-10Z`,
        fill: ramp(k / (SHADES - 1)),
      }),
  );
  const end = (/** @type {number} */ value, /** @type {number} */ y) =>
    /** @type {Mark} */ ({ kind: "text", x: x + 14, y, text: format(value), fill: PALE });
  return [...shades, end(high, top + 9), end(low, top + height)];
}

/** Whether colours stand for numbers. @param {Series} series */
const hasScale = ({ kind, z, value, colour }) => Boolean(z ? kind === "image" || colour === undefined : value);

/** A text, cut where it is longer than its room. @param {string} text @param {number} width px */
function fitting(text, width) {
  const most = Math.max(4, Math.floor(width / LETTER_PX));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** @param {FigureAxes} axes @param {{left: number, top: number, width: number, height: number}} box @param {number} rows of the legend @returns {Places} */
function placesIn(axes, box, rows) {
  const [x, y] = [extentOf(axes, "x"), extentOf(axes, "y")];
  let [width, height] = [
    box.width - ROOM.left - ROOM.right - (axes.series.some(hasScale) ? SCALE_PX : 0),
    box.height - ROOM.top - ROOM.bottom - rows * LEGEND_ROW_PX,
  ];
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
function numbersAlong({ kind, by_share: isByShare = false, x = [], y = [], base = [], thick = 0, lying = false, extent }, axis) {
  if (isByShare) return [];
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
