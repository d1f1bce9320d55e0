// The drawing as a picture of its own: an SVG that needs no style sheet, and a PNG of it. It keeps to SVG 1.1, which has no
// attribute for what of a text is painted first.

import { svg } from "../svg.js";

/** @import { Box } from "../../geometry/viewport.js" */

const SHARP = 2; // picture pixels for one of the graph's
const MOST_PIXELS = 8000; // on a side; browsers draw no larger

// What the style sheet decides about a line and about a text.
const STROKE = ["stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-opacity"];
const TEXT = ["font-size", "font-weight", "letter-spacing"];
const OF_THE_PAGE = /^(class|tabindex|role|data-.*|aria-.*)$/; // attributes that mean nothing outside of it
const CONTROLS = ".toggle";

/**
 * The text of an SVG that shows the plane as it is styled now.
 * @param {SVGGElement} plane @param {Box} page
 */
export function svgText(plane, page) {
  const { backgroundColor, fontFamily } = getComputedStyle(plane.closest(".graph-view") ?? plane);
  const viewBox = [page.x, page.y, page.width, page.height].map(Math.round).join(" ");
  const frame = { viewBox, width: Math.round(page.width), height: Math.round(page.height), "font-family": fontFamily };
  const copy = /** @type {SVGGElement} */ (plane.cloneNode(true));
  style(plane, copy);
  copy.removeAttribute("transform");
  const picture = svg("svg", frame, [svg("rect", { ...page, fill: backgroundColor }), copy]);
  return new XMLSerializer().serializeToString(picture);
}

/** Write the styles of each element into its copy; what is not shown is left out. @param {Element} original @param {Element} copy */
function style(original, copy) {
  const now = getComputedStyle(original);
  if (now.display === "none" || original.matches(CONTROLS)) {
    copy.remove();
    return;
  }
  for (const name of decided(original, now)) copy.setAttribute(name, now.getPropertyValue(name));
  if (original.matches("text") && now.transform !== "none") copy.setAttribute("transform", now.transform);
  if (now.opacity !== "1") copy.setAttribute("opacity", now.opacity);
  for (const name of copy.getAttributeNames()) if (OF_THE_PAGE.test(name)) copy.removeAttribute(name);
  if (original.matches("text") && now.paintOrder !== "normal") /** @type {SVGElement} */ (copy).style.paintOrder = now.paintOrder;
  const copies = [...copy.children];
  [...original.children].forEach((child, i) => style(child, copies[i]));
}

/** The properties that matter for an element. @param {Element} element @param {CSSStyleDeclaration} now */
function decided(element, now) {
  if (element.matches("g, defs, title, marker")) return [];
  return ["fill", "fill-opacity", ...(now.stroke === "none" ? [] : STROKE), ...(element.matches("text") ? TEXT : [])];
}

/**
 * A PNG of an SVG.
 * @param {string} text @param {Box} page
 * @returns {Promise<Blob>}
 */
export async function pngOf(text, page) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const larger = Math.max(page.width, page.height);
  const scale = Math.min(SHARP, MOST_PIXELS / larger);
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(page.width * scale);
  canvas.height = Math.ceil(page.height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no room for a PNG")))));
}
