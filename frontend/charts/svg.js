// A drawing as an SVG file: the same shapes that the page paints, without any script.

import { FONT_PX } from "./frame.js";

/** @import { Mark } from "./frame.js" */
/** @typedef {(name: string) => string} Colour  a colour of the page's theme, written out */

const ESCAPES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

/** @param {string} text */
export const escaped = (text) => text.replace(/[&<>"]/g, (character) => ESCAPES.get(character) ?? character);

/** @param {Record<string, string | number | undefined>} given */
const attributes = (given) =>
  Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join("");

/** @param {Mark} mark @param {Colour} colour @returns {string} */
function element(mark, colour) {
  if (mark.kind === "quads")
    return mark.quads
      .map(({ points, fill }) => `<polygon${attributes({ points: points.map((n) => n.toFixed(1)).join(" "), fill })}/>`)
      .join("");
  if (mark.kind === "clipped") {
    const { left, top, width, height } = mark.frame;
    const inside = mark.marks.map((each) => element(each, colour)).join("");
    return `<svg${attributes({ x: left, y: top, width, height, viewBox: `${left} ${top} ${width} ${height}` })}>${inside}</svg>`;
  }
  if (mark.kind === "text") {
    const { x, y, text, fill, align, weight, halo } = mark;
    const outline = halo ? { stroke: colour("--surface"), "stroke-width": 3, "paint-order": "stroke" } : {};
    const given = {
      x: x.toFixed(1),
      y: y.toFixed(1),
      fill: colour(fill),
      "text-anchor": align,
      "font-weight": weight,
      ...outline,
    };
    return `<text${attributes(given)}>${escaped(text)}</text>`;
  }
  const { d, fill, stroke, width, dash, opacity } = mark;
  return `<path${attributes({
    d,
    fill: fill ? colour(fill) : "none",
    "fill-rule": fill ? "evenodd" : undefined,
    stroke: stroke && colour(stroke),
    "stroke-width": width,
    "stroke-dasharray": dash?.join(" "),
    "stroke-linejoin": stroke && "round",
    opacity,
  })}/>`;
}

/**
 * @param {readonly Mark[]} marks @param {{width: number, height: number}} size @param {Colour} colour @param {string} title
 */
export function svgOf(marks, { width, height }, colour, title) {
  const body = marks.map((mark) => element(mark, colour)).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="${FONT_PX}">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" fill="${colour("--surface")}"/>
${body}
</svg>
`;
}
