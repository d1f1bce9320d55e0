// Badges: what came, went and changed, marked on the drawing by shape as well as by colour.
//
// Added: a disc with +, and a double outline. Removed: a square with −, and a dotted outline. Changed: a diamond with ~, and
// a thick outline. An edge that is gone is dotted.

import { svg } from "../../view/svg.js";

/** @import { Drawn } from "../../view/drawing/painter.js" */
/** @import { Kind } from "../../state/changes/differing.js" */

const SIZE = 8; // half of a badge, px
const SIGNS = {
  added: `M${-SIZE / 2},0H${SIZE / 2}M0,${-SIZE / 2}V${SIZE / 2}`,
  removed: `M${-SIZE / 2},0H${SIZE / 2}`,
  changed: "M-4.5,1.2C-3,-2.5 -1.2,-1.8 0,0S3,2.5 4.5,-1.2",
};

/** The shape behind a sign. @param {Kind} kind */
function plate(kind) {
  if (kind === "added") return svg("circle", { class: "plate", r: SIZE });
  const square = { class: "plate", x: -SIZE + 1, y: -SIZE + 1, width: 2 * SIZE - 2, height: 2 * SIZE - 2 };
  return svg("rect", kind === "changed" ? { ...square, transform: "rotate(45)" } : square);
}

/** A badge by itself, as the legend and the list show it. @param {Kind} kind */
export const badge = (kind) =>
  svg("g", { class: `badge ${kind}`, "aria-hidden": "true" }, [plate(kind), svg("path", { class: "sign", d: SIGNS[kind] })]);

/** The same as a picture in a line of text. @param {Kind} kind */
export function badgePicture(kind) {
  const picture = svg("svg", { class: "badge-picture", viewBox: "-11 -11 22 22", width: 20, height: 20, "aria-hidden": "true" });
  picture.append(badge(kind));
  return picture;
}

/**
 * What marks each part of a drawing.
 * @param {ReadonlyMap<string, Kind>} kinds of nodes and scopes @param {ReadonlySet<string>} gone edges, as "from to"
 * @param {(kind: Kind) => string} say
 */
export function decorator(kinds, gone, say) {
  /** @param {SVGElement} element @param {Drawn["part"]} part */
  return (element, { item, edge }) => {
    if (item) markItem(element, item, kinds, say);
    if (edge) element.classList.toggle("gone", isGone(edge, kinds, gone));
    if (edge)
      element.classList.toggle(
        "come",
        [edge.from, edge.to].some((id) => kinds.get(nameOf(id)) === "added"),
      );
  };
}

/** The node or scope that an item's id names. @param {string} id */
const nameOf = (id) => (id.endsWith("/") ? id.slice(0, -1) : id);

/** @param {import("../../layout/types.js").Edge} edge @param {ReadonlyMap<string, Kind>} kinds @param {ReadonlySet<string>} gone */
const isGone = ({ from, to }, kinds, gone) =>
  kinds.get(nameOf(from)) === "removed" || kinds.get(nameOf(to)) === "removed" || gone.has(`${from} ${to}`);

/** @param {SVGElement} element @param {import("../../layout/types.js").Item} item @param {ReadonlyMap<string, Kind>} kinds @param {(kind: Kind) => string} say */
function markItem(element, item, kinds, say) {
  const kind = item.kind === "tag" ? undefined : kinds.get(item.name);
  element.querySelector(":scope > .badge")?.remove();
  element.querySelector(":scope > .second")?.remove();
  for (const each of element.querySelectorAll(":scope > .constant")) markConstant(each, kinds);
  if (!kind) return;
  element.classList.add(`is-${kind}`);
  element.setAttribute("aria-label", `${element.getAttribute("aria-label")}, ${say(kind)}`);
  if (kind === "added") element.append(secondOutline(item));
  const mark = badge(kind);
  mark.setAttribute(
    "transform",
    `translate(${item.kind === "op" ? item.width * 0.12 : 4},${item.kind === "op" ? item.height * 0.1 : 0})`,
  );
  element.append(mark);
}

/** A constant stands on a pill at its reader. @param {Element} pill @param {ReadonlyMap<string, Kind>} kinds */
function markConstant(pill, kinds) {
  const names = pill.querySelector("title")?.textContent?.split("\n") ?? [];
  const kind = names.map((name) => kinds.get(name)).find(Boolean);
  pill.querySelector(".badge")?.remove();
  if (!kind) return;
  pill.classList.add(`is-${kind}`);
  const box = pill.querySelector("rect");
  const mark = badge(kind);
  mark.setAttribute("transform", `translate(${box?.getAttribute("x")},${box?.getAttribute("y")}) scale(0.8)`);
  pill.append(mark);
}

/** The outer one of two outlines. @param {import("../../layout/types.js").Item} item */
function secondOutline({ kind, width, height }) {
  const by = 3.5;
  if (kind === "op")
    return svg("ellipse", { class: "second", cx: width / 2, cy: height / 2, rx: width / 2 + by, ry: height / 2 + by });
  return svg("rect", { class: "second", x: -by, y: -by, width: width + 2 * by, height: height + 2 * by, rx: 11 });
}
