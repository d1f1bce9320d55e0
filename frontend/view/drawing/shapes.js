// Shapes: the SVG of one item, edge, band or ribbon, from the scene's numbers.

import { pathOf } from "../../geometry/path.js";
import { styleOf } from "../../layout/items/edges.js";
import { SCOPE_HEADER, SMALL_PX, TOGGLE } from "../../layout/metrics.js";
import { svg, svgText } from "../svg.js";

/** @import { Band, Constant, Edge, Item } from "../../layout/types.js" */

const RING_OFF = 4; // px from an outline to the middle of the ring around it
export const RING_REACH = 6; // and to its outer edge
const BETWEEN_TEXTS = " "; // or the texts of an item, read one after the other, would be one word
const TRIANGLE = { d: "M0,0 L9,4 L0,8 Z", refX: 9, refY: 4 };
const CHEVRON = { d: "M0.8,0.8 L8.5,4.5 L0.8,8.2", refX: 8.5, refY: 4.5 };

/** The arrow head of each style of edge. */
const HEADS = Object.entries({
  forward: TRIANGLE,
  gradient: CHEVRON,
  process: TRIANGLE,
  update: TRIANGLE,
  borrowed: { d: "M0,0.5 L7,4 L0,7.5 Z", refX: 7, refY: 4 },
  control: { d: "M0.5,0.5 L6,3.5 L0.5,6.5", refX: 6, refY: 3.5 },
  reference: TRIANGLE,
});

/** One marker for each arrow head; their ids begin with `prefix`. @param {string} prefix */
export function arrowHeads(prefix) {
  const frame = { markerWidth: 11, markerHeight: 10, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" };
  const markers = HEADS.map(([style, { d, refX, refY }]) =>
    svg("marker", { id: `${prefix}-${style}`, class: `head ${style}`, refX, refY, ...frame }, [svg("path", { d })]),
  );
  return svg("defs", {}, markers);
}

/** The style classes that an edge always has. @param {Edge} edge */
export const edgeClassOf = (edge) => `edge ${styleOf(edge)}`;

/** @param {Edge} edge @param {string} prefix @param {boolean} upright */
export function edgeShape(edge, prefix, upright) {
  const style = styleOf(edge);
  const backwards = meetAtTheirEnd(edge); // dashes are counted from where lines run as one, and so fall on one another
  const points = backwards ? edge.points.toReversed() : edge.points;
  const line = svg("path", { class: "line", d: pathOf(points, upright), "stroke-width": edge.width });
  const [start, end] = backwards ? [edge.head, edge.tail] : [edge.tail, edge.head];
  if (start) line.setAttribute("marker-start", `url(#${prefix}-${style})`);
  if (end) line.setAttribute("marker-end", `url(#${prefix}-${style})`);
  const group = svg("g", { class: edgeClassOf(edge) }, [svgText("title", edge.title), line]);
  if (edge.label) {
    const { text, x, y, anchor } = edge.label;
    group.append(svgText("text", text, { class: "shape-label", x, y, "text-anchor": anchor }));
  }
  return group;
}

/** Whether lines like this one run together towards their end, not from their beginning: what an op waits for, and what leaves a scope. @param {Edge} edge */
const meetAtTheirEnd = ({ kind, head }) => kind === "control" || !head;

/** The style classes that an item always has. @param {Item} item */
export const classOf = ({ kind, phase, open }) => `item ${kind} in-${phase}${open ? " open" : ""}`;

/**
 * An item's element, at its place; the value is filled in by `mark`.
 * @param {Item} item
 */
export function itemShape(item) {
  const group = svg("g", { class: classOf(item), tabindex: -1 });
  placeAt(group, item);
  group.append(svgText("title", item.title), ring(item), ...(item.holds ? stack(item) : []), outline(item));
  if (item.open) group.append(svgText("text", item.label, { class: "label", x: item.titleX, y: SCOPE_HEADER - 11 }));
  else group.append(...closedTexts(item));
  if (item.kind === "scope") group.append(toggleButton(item.width - TOGGLE.inset, TOGGLE.inset, item.open));
  for (const constant of item.constants) group.append(BETWEEN_TEXTS, pill(constant, item));
  return group;
}

/** @param {SVGElement} element @param {Item} item */
export const placeAt = (element, { x, y }) => element.setAttribute("transform", `translate(${x},${y})`);

/** @param {Item} item */
function closedTexts({ label, width, height, valued }) {
  const x = width / 2;
  if (!valued) return [svgText("text", label, { class: "label", x, y: height / 2 + 4, "text-anchor": "middle" })];
  return [
    svgText("text", label, { class: "label", x, y: height / 2 - 3, "text-anchor": "middle" }),
    BETWEEN_TEXTS,
    svg("text", { class: "value", x, y: height / 2 + 12, "text-anchor": "middle" }),
  ];
}

/** @param {Item} item */
function outline({ kind, width, height, open }) {
  if (kind === "op") return svg("ellipse", { class: "body", cx: width / 2, cy: height / 2, rx: width / 2, ry: height / 2 });
  if (kind === "tag") return svg("path", { class: "body", d: flag(width, height) });
  return svg("rect", { class: "body", width, height, rx: open ? 10 : 8 });
}

/** The rims of what lies behind a closed series. @param {Item} item */
const stack = ({ width, height }) =>
  [6, 3].map((by) => svg("rect", { class: "rim", x: by, y: -by, width: width - 2 * by, height, rx: 8 }));

/** The mark around the current and the focused item, shown by the style sheet. @param {Item} item */
function ring({ kind, width, height }) {
  const by = RING_OFF;
  if (kind === "op")
    return svg("ellipse", { class: "ring", cx: width / 2, cy: height / 2, rx: width / 2 + by, ry: height / 2 + by });
  return svg("rect", { class: "ring", x: -by, y: -by, width: width + 2 * by, height: height + 2 * by, rx: 12 });
}

/** A tag: a rectangle with two cut corners. @param {number} width @param {number} height */
const flag = (width, height) => `M6,0H${width - 6}L${width},6V${height - 6}L${width - 6},${height}H6L0,${height - 6}V6Z`;

/** The + or − of a scope; the keyboard toggles the scope itself. @param {number} x @param {number} y @param {boolean} open */
function toggleButton(x, y, open) {
  const mark = open ? "M-4,0H4" : "M-4,0H4M0,-4V4";
  const at = { class: "toggle", "aria-hidden": "true", transform: `translate(${x},${y})` };
  return svg("g", at, [
    svg("circle", { class: "reach", r: 15 }),
    svg("circle", { class: "knob", r: TOGGLE.radius - 1 }),
    svg("path", { class: "mark", d: mark }),
  ]);
}

/** A constant: a small pill with its value, and an arrow to its consumer. @param {Constant} constant @param {Item} item */
function pill({ names, label, x, y, width, height }, item) {
  const [left, top] = [x - item.x, y - item.y];
  const middle = { x: left + width / 2, y: top + height / 2 };
  return svg("g", { class: "constant", "data-name": names[0] }, [
    svgText("title", names.join("\n")),
    svg("path", { class: "stalk", d: stalk(left, top, width, height, item) }),
    svg("rect", { x: left, y: top, width, height, rx: height / 2 }),
    svgText("text", label, { x: middle.x, y: middle.y + 0.34 * SMALL_PX, "text-anchor": "middle" }),
  ]);
}

/** From a pill above, beneath or beside an item to the item's outline. @param {number} left @param {number} top @param {number} width @param {number} height @param {Item} item */
function stalk(left, top, width, height, item) {
  const [x, y] = [left + width / 2, top + height / 2];
  if (top + height <= 0 || top >= item.height) {
    const dent = bulge(x, item, item.width, item.height);
    const into = Math.min(Math.max(x, 8), item.width - 8);
    return top < 0 ? `M${x},${top + height}L${into},${dent}` : `M${x},${top}L${into},${item.height - dent}`;
  }
  const dent = bulge(y, item, item.height, item.width);
  const into = Math.min(Math.max(y, 6), item.height - 6);
  return left < 0 ? `M${left + width},${y}L${dent},${into}` : `M${left},${y}L${item.width - dent},${into}`;
}

/** How far inside its box an ellipse's outline lies, `at` along a side. @param {number} at @param {Item} item @param {number} side @param {number} depth */
function bulge(at, { kind }, side, depth) {
  if (kind !== "op") return 0;
  const off = Math.min(1, Math.abs(at - side / 2) / (side / 2));
  return (depth / 2) * (1 - Math.sqrt(1 - Math.min(0.9, off) ** 2));
}

/** The band of a gradient call or an optimizer. @param {Band} band */
export function bandShape({ name, phase, x, y, width, height, titleX, part }) {
  const group = svg("g", { class: `band in-${phase}`, transform: `translate(${x},${y})` });
  group.append(svgText("title", name), svg("rect", { class: "body", width, height, rx: 12 }));
  if (part) return group; // it goes on in another row
  group.setAttribute("tabindex", "-1");
  group.append(svgText("text", name, { class: "label", x: titleX + 22, y: 16 }), toggleButton(titleX + 8, 13, true));
  return group;
}

/** @param {import("../../layout/types.js").Ribbon} ribbon */
export const ribbonShape = ({ x1, y1, x2, y2 }) => svg("path", { class: "ribbon", d: `M${x1},${y1}L${x2},${y2}` });
