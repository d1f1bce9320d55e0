// The drawing as marks: ellipses, boxes, paths and texts with the colours that they have on screen. The server writes a PDF of them.

import { grown, overlaps } from "../../geometry/box.js";
import { headAt, pathPieces, pathText, rounded } from "../../geometry/path_text.js";

/** @import { Box } from "../../geometry/viewport.js" */
/** @typedef {Record<string, string | number | boolean | number[]>} Mark  as `POST /pictures` takes it */
/** @typedef {{page: Box, background: string, marks: Mark[]}} MarkedPicture */
/** @typedef {{dx: number, dy: number, opacity: number}} Place  how far its parents are moved, and how strong they are */

const REACH = 12; // px that a mark is drawn beyond its geometry: half of its stroke, an arrow head
const BOLD = 600;
const RGB = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/;
const NOT_DRAWN = ".toggle, defs, title"; // a control, arrow heads by themselves, and names

/**
 * What lies within a page of the plane, as it is styled now.
 * @param {SVGGElement} plane @param {Box} page
 * @returns {MarkedPicture}
 */
export function marksOf(plane, page) {
  const { backgroundColor } = getComputedStyle(plane.closest(".graph-view") ?? plane);
  const [x, y, width, height] = [page.x, page.y, page.width, page.height].map(rounded);
  const start = { dx: 0, dy: 0, opacity: 1 };
  const marks = [...plane.children].flatMap((layer) => [
    ...within(/** @type {SVGGraphicsElement} */ (layer), start, page, plane),
  ]);
  return { page: { x, y, width, height }, background: colourOf(backgroundColor).colour ?? "#ffffff", marks };
}

/** @param {SVGGraphicsElement} element @param {Place} around @param {Box} page @param {SVGGElement} plane @returns {Generator<Mark>} */
function* within(element, around, page, plane) {
  const now = getComputedStyle(element);
  if (now.display === "none" || element.matches(NOT_DRAWN)) return;
  const own = moveOf(element, now);
  const place = { dx: around.dx + own.x, dy: around.dy + own.y, opacity: around.opacity * Number(now.opacity) };
  if (element.tagName === "g") {
    for (const child of element.children) yield* within(/** @type {SVGGraphicsElement} */ (child), place, page, plane);
    return;
  }
  const { x, y, width, height } = element.getBBox();
  if (!overlaps(grown({ x: x + place.dx, y: y + place.dy, width, height }, REACH), page)) return;
  yield* shape(element, now, place, plane);
}

/** How far an element is moved: a text by its style, all others by their attribute. @param {SVGGraphicsElement} element @param {CSSStyleDeclaration} now */
function moveOf(element, now) {
  if (element.matches("text") && now.transform !== "none") {
    const { e, f } = new DOMMatrix(now.transform);
    return { x: e, y: f };
  }
  const [move] = element.transform.baseVal;
  return { x: move?.matrix.e ?? 0, y: move?.matrix.f ?? 0 };
}

/** @param {SVGGraphicsElement} element @param {CSSStyleDeclaration} now @param {Place} place @param {SVGGElement} plane @returns {Generator<Mark>} */
function* shape(element, now, place, plane) {
  if (element.tagName === "text") return yield* text(/** @type {SVGTextElement} */ (element), now, place);
  const paint = paintOf(now, place.opacity);
  if (!paint) return;
  const { dx, dy } = place;
  const at = (/** @type {string} */ name) => Number(element.getAttribute(name) ?? 0);
  if (element.tagName === "path") yield* lineOf(element, paint, place, plane);
  if (element.tagName === "ellipse")
    yield { mark: "ellipse", ...rounding({ x: at("cx") + dx, y: at("cy") + dy, rx: at("rx"), ry: at("ry") }), ...paint };
  if (element.tagName === "rect") {
    const size = { width: at("width"), height: at("height"), radius: at("rx") };
    yield { mark: "rect", ...rounding({ x: at("x") + dx, y: at("y") + dy, ...size }), ...paint };
  }
}

/** @param {Element} element @param {Mark} paint @param {Place} place @param {SVGGElement} plane @returns {Generator<Mark>} */
function* lineOf(element, paint, { dx, dy, opacity }, plane) {
  const pieces = pathPieces(element.getAttribute("d") ?? "");
  const moved = pieces.map(({ letter, points }) => ({ letter, points: points.map(({ x, y }) => ({ x: x + dx, y: y + dy })) }));
  if (moved.length > 0) yield { mark: "path", d: pathText(moved), ...(moved.length > 2 ? paint : strokeOf(paint)) };
  for (const side of /** @type {const} */ (["start", "end"])) yield* head(element, side, moved, opacity, plane);
}

/** The arrow head at one end of a line. @param {Element} element @param {"start" | "end"} side @param {ReturnType<typeof pathPieces>} line @param {number} opacity @param {SVGGElement} plane @returns {Generator<Mark>} */
function* head(element, side, line, opacity, plane) {
  const id = element.getAttribute(`marker-${side}`)?.match(/^url\(#(.+)\)$/)?.[1];
  const marker =
    id === undefined ? null : /** @type {SVGMarkerElement | null} */ (plane.querySelector(`[id="${CSS.escape(id)}"]`));
  const drawn = marker?.querySelector("path");
  const paint = drawn && paintOf(getComputedStyle(drawn), opacity);
  if (!marker || !drawn || !paint || line.length < 2) return;
  const tip = { x: marker.refX.baseVal.value, y: marker.refY.baseVal.value };
  yield { mark: "path", d: headAt(pathPieces(drawn.getAttribute("d") ?? ""), tip, line, side), ...paint };
}

/** @param {SVGTextElement} element @param {CSSStyleDeclaration} now @param {Place} place @returns {Generator<Mark>} */
function* text(element, now, { dx, dy, opacity }) {
  const [x, y] = ["x", "y"].map((name) => Number(element.getAttribute(name) ?? 0));
  const room = element.getComputedTextLength();
  const { colour } = colourOf(now.fill);
  if (!colour || !element.textContent || room === 0) return;
  const halo = now.paintOrder.startsWith("stroke") ? colourOf(now.stroke).colour : null;
  yield {
    mark: "text",
    text: element.textContent,
    ...rounding({ x: x + dx, y: y + dy, size: parseFloat(now.fontSize), room, opacity }),
    colour,
    bold: Number(now.fontWeight) >= BOLD,
    anchor: element.getAttribute("text-anchor") ?? "start",
    ...(halo && { halo }),
  };
}

/** How a shape is painted; null where nothing of it is. @param {CSSStyleDeclaration} now @param {number} opacity @returns {Mark | null} */
function paintOf(now, opacity) {
  const [fill, stroke] = [colourOf(now.fill), colourOf(now.stroke)];
  if (!fill.colour && !stroke.colour) return null;
  const dash = now.strokeDasharray === "none" ? [] : now.strokeDasharray.split(/[ ,]+/).map(parseFloat).slice(0, 2);
  return {
    ...(fill.colour && { fill: fill.colour, fill_opacity: rounded(fill.alpha * Number(now.fillOpacity) * opacity) }),
    ...(stroke.colour && {
      stroke: stroke.colour,
      stroke_opacity: rounded(stroke.alpha * Number(now.strokeOpacity) * opacity),
      line_width: parseFloat(now.strokeWidth),
      ...(dash.length > 0 && { dash }),
      ...(now.strokeLinecap === "round" && { round: true }),
    }),
  };
}

/** The paint of a straight line: a PDF would show its area, which has no breadth, as a hairline. @param {Mark} paint */
const strokeOf = (paint) => Object.fromEntries(Object.entries(paint).filter(([name]) => !name.startsWith("fill")));

/** A colour as a style sheet computes it, as six digits; none for what cannot be seen. @param {string} computed @returns {{colour: string | null, alpha: number}} */
function colourOf(computed) {
  const [, red, green, blue, alpha = "1"] = RGB.exec(computed) ?? [];
  if (red === undefined || Number(alpha) === 0) return { colour: null, alpha: 0 };
  const digits = [red, green, blue].map((part) => Math.round(Number(part)).toString(16).padStart(2, "0"));
  return { colour: `#${digits.join("")}`, alpha: Number(alpha) };
}

/** @template {Record<string, number>} T @param {T} numbers */
const rounding = (numbers) =>
  /** @type {T} */ (Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, rounded(value)])));
