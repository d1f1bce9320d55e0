// The frame of a chart: which numbers its two axes show, and where on the screen they stand.

/**
 * @typedef {object} Frame
 * @property {number} left  in px, as all that follows until `x`
 * @property {number} top
 * @property {number} width
 * @property {number} height
 * @property {readonly [number, number]} x  the numbers at the left and the right end
 * @property {readonly [number, number]} y  those at the bottom and the top
 */
/** @typedef {{kind: "path", d: string, fill?: string, stroke?: string, width?: number, dash?: readonly number[], opacity?: number}} PathMark */
/** @typedef {{kind: "text", x: number, y: number, text: string, fill: string, align?: "start" | "middle" | "end", weight?: number, halo?: boolean}} TextMark */
/** @typedef {{kind: "quads", quads: readonly {points: readonly number[], fill: string}[], stroke: string}} QuadsMark */
/** @typedef {{kind: "clipped", frame: Frame, marks: readonly PathMark[]}} ClippedMark  of which only what is inside the frame is seen */
/**
 * What is drawn, in order; a colour is a variable of the page's theme (`--accent`) or written out.
 * @typedef {PathMark | TextMark | QuadsMark | ClippedMark} Mark
 */

export const FONT_PX = 12;
const TICKS_APART_PX = { x: 52, y: 34 };

/** @param {Frame} frame @param {number} x */
export const acrossAt = ({ left, width, x: [low, high] }, x) => left + ((x - low) / (high - low)) * width;

/** @param {Frame} frame @param {number} y */
export const downAt = ({ top, height, y: [low, high] }, y) => top + height - ((y - low) / (high - low)) * height;

/** The numbers at a place on the screen. @param {Frame} frame @param {number} px @param {number} py @returns {[number, number]} */
export const numbersAt = ({ left, top, width, height, x, y }, px, py) => [
  x[0] + ((px - left) / width) * (x[1] - x[0]),
  y[0] + ((top + height - py) / height) * (y[1] - y[0]),
];

/** Whether a place on the screen is inside. @param {Frame} frame @param {number} px @param {number} py */
export const isInside = ({ left, top, width, height }, px, py) =>
  px >= left && px <= left + width && py >= top && py <= top + height;

/** Round numbers between two ends, about `count` of them. @param {number} low @param {number} high @param {number} count */
export function ticks(low, high, count) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.min(100, last - first + 1) }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

/** A range that shows these, with some room. @param {number} low @param {number} high @param {number} [room] @returns {[number, number]} */
export function padded(low, high, room = 0.06) {
  const span = high - low || Math.abs(low) || 1;
  return [low - room * span, high + room * span];
}

/** @param {number} number */
const px = (number) => number.toFixed(1);

/** A line through places on the screen; it is interrupted where one has none. @param {readonly (readonly [number, number] | null)[]} places */
export function lineThrough(places) {
  let isDown = false;
  return places
    .map((place) => {
      const pen = isDown ? "L" : "M";
      isDown = place !== null;
      return place ? `${pen}${px(place[0])} ${px(place[1])}` : "";
    })
    .join("");
}

/** A round dot. @param {number} x @param {number} y @param {number} radius */
export const dot = (x, y, radius) =>
  `M${px(x - radius)} ${px(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;

/** The frame's outline. @param {Frame} frame */
export const outline = ({ left, top, width, height }) => `M${left} ${top}h${width}v${height}h${-width}Z`;

/**
 * The grid, the numbers along both axes, and what they are numbers of.
 * @param {Frame} frame @param {{x: string, y: string}} names @param {(number: number) => string} format @returns {Mark[]}
 */
export function axisMarks(frame, names, format) {
  const { left, top, width, height, x, y } = frame;
  const across = ticks(x[0], x[1], width / TICKS_APART_PX.x).map((value) => ({ value, at: acrossAt(frame, value) }));
  const down = ticks(y[0], y[1], height / TICKS_APART_PX.y).map((value) => ({ value, at: downAt(frame, value) }));
  const lines = [
    ...across.map(({ at }) => `M${px(at)} ${top}v${height}`),
    ...down.map(({ at }) => `M${left} ${px(at)}h${width}`),
  ];
  const bottom = top + height;
  return [
    { kind: "path", d: lines.join(""), stroke: "--line", width: 1, opacity: 0.7 },
    ...across.map(({ value, at }) => text(at, bottom + 15, format(value), "middle")),
    ...down.map(({ value, at }) => text(left - 6, at + 4, format(value), "end")),
    { ...text(left + width, bottom + 29, names.x, "end"), fill: "--text", weight: 600 },
    { ...text(left - 6, top - 8, names.y, "start"), fill: "--text", weight: 600 },
  ];
}

/** @param {number} x @param {number} y @param {string} words @param {TextMark["align"]} align @returns {TextMark} */
const text = (x, y, words, align) => ({ kind: "text", x, y, text: words, fill: "--muted", align });
