// The scene: everything that was laid out, at its place on the page.

import { around, grown, overlaps, sidesOf, union } from "../../geometry/box.js";
import { textWidth } from "../../geometry/text.js";
import { ROOT } from "../graph/names.js";
import { bandOf } from "../grid/lanes.js";
import { placeCaptions } from "../lines/captions.js";
import { edgesOf } from "../lines/strokes.js";
import * as M from "../metrics.js";

/** @import { Band, Edge, Item, Phase, Point, Scene } from "../types.js" */
/** @import { Box } from "../../geometry/viewport.js" */
/** @import { Grid } from "../grid/grid.js" */
/** @import { Inside } from "../grid/inside.js" */
/** @import { Visible } from "../items/items.js" */
/** @import { Plan } from "../grid/lanes.js" */
/** @import { Turn } from "../turn.js" */

/**
 * The scene, in stages.
 * @param {Visible} visible @param {Plan} plan
 * @param {{root: Grid, insides: ReadonlyMap<string, Inside>, open: Item[], turn: Turn}} laid  open scopes, outer ones first
 * @returns {Generator<void, Scene, void>}
 */
export function* sceneOf(visible, plan, { root, insides, open, turn }) {
  const items = [...visible.items.values()];
  const onPage = (/** @type {Point} */ point) => turn.point(point, root.width);
  for (const item of items) if (item.parent === ROOT) moveTo(item, root.centres.get(item.id), onPage);
  const strokes = edgesOf(visible, root, onPage, turn);
  for (const scope of open) {
    const { grid, children, left } = /** @type {Inside} */ (insides.get(scope.id));
    const [dx, dy] = [scope.x + left, scope.y + M.SCOPE_HEADER];
    const inScope = (/** @type {Point} */ at) => {
      const { x, y } = turn.point(at, grid.width);
      return { x: x + dx, y: y + dy };
    };
    for (const item of children) moveTo(item, grid.centres.get(item.id), inScope);
    strokes.push(...edgesOf(visible, grid, inScope, turn, scope));
  }
  yield;
  const edges = strokes.map(({ edge }) => edge);
  const bands = bandsOf(visible, plan, { root, items, edges, turn });
  yield;
  const pills = items.flatMap(({ constants }) => constants);
  const texts = new Map(strokes.flatMap(({ edge, text }) => (text ? [[edge, text]] : [])));
  const signs = items.filter(({ kind }) => kind === "scope").map(signOf);
  const frames = [...open, ...bands].flatMap(sidesOf);
  placeCaptions(
    edges,
    texts,
    [...items.map((item) => (item.open ? titleBox(item) : item)), ...signs, ...pills, ...frames, ...bands.map(titleOf)],
    turn.upright,
  );
  yield;
  return {
    items,
    edges,
    bands,
    ribbons: ribbonsOf(visible, plan, turn),
    direction: visible.model.direction ?? "right",
    page: union([...items, ...bands, ...pills, ...edges.map(({ points }) => around(points))]),
  };
}

/** Where the title of an open scope stands. @param {Item} scope @returns {Box} */
const titleBox = ({ x, y, label, titleX }) => ({ x: x + titleX, y, width: textWidth(label, M.LABEL_PX), height: M.SCOPE_HEADER });

/** The + or − at a scope's corner. @param {Item} scope @returns {Box} */
export function signOf({ x, y, width }) {
  const { inset, radius } = M.TOGGLE;
  return { x: x + width - inset - radius, y: y + inset - radius, width: 2 * radius, height: 2 * radius };
}

/** @param {Band} band @returns {Box} */
const titleOf = ({ x, y, name, titleX }) => ({
  x: x + titleX,
  y,
  width: textWidth(name, M.LABEL_PX) + 34,
  height: M.BAND_HEADER,
});

/** @param {Item} item @param {Point | undefined} centre in its grid @param {(point: Point) => Point} onPage */
function moveTo(item, centre, onPage) {
  const { x, y } = onPage(centre ?? { x: 0, y: 0 });
  item.x = x - item.width / 2;
  item.y = y - item.height / 2;
  for (const constant of item.constants) {
    constant.x += x;
    constant.y += y;
  }
}

/** @param {Visible} visible @param {Plan} plan @param {{root: Grid, items: Item[], edges: Edge[], turn: Turn}} placed @returns {Band[]} */
function bandsOf(visible, plan, { root, items, edges, turn }) {
  return plan.lanes.flatMap((lane, i) => {
    const name = bandOf(visible, lane);
    if (name === null) return [];
    const inLane = new Set(items.filter(({ id }) => plan.places.get(id)?.lane === lane).map(({ id }) => id));
    const inside = items.filter((item) => item.parent === ROOT && standsIn(item, name, inLane.has(item.id)));
    const beside = turnsIn(root, root.lanes[i], new Set(inside.map(({ id }) => id)), inLane);
    const boxes = inside.flatMap((item) => [item, ...item.constants]).map((box) => grown(box, M.BAND_PADDING));
    const box = union([...boxes, ...beside.map((point) => grown(around([turn.point(point, root.width)]), M.TRACK / 2))]);
    const { top, bottom } = root.lanes[i];
    const phase = /** @type {Phase} */ (lane.startsWith("gradient:") ? "gradient" : "update");
    const band = { name, phase, ...bandBox(box, top, bottom - top, turn) };
    return [{ ...band, titleX: titlePlace(band, edges) }];
  });
}

/**
 * Where lines of a band turn beside its items: points in the grid of those that begin or end in it, and at no other item of
 * the lane.
 * @param {Grid} root @param {{top: number, bottom: number}} lane @param {ReadonlySet<string>} own its items
 * @param {ReadonlySet<string>} inLane those of its lane
 */
function turnsIn({ lines }, { top, bottom }, own, inLane) {
  const links = [...lines].filter(
    ([{ from, to }]) => [from, to].some((id) => own.has(id)) && [from, to].every((id) => own.has(id) || !inLane.has(id)),
  );
  return links.flatMap(([, points]) => points.filter(({ y }) => y > top && y < bottom));
}

/** Along the flow a band is as long as the box of what it holds, across it as broad as its lane. @param {Box} box @param {number} start @param {number} breadth @param {Turn} turn @returns {Box} */
function bandBox({ x, y, width, height }, start, breadth, { upright }) {
  if (!upright) return { x, y: start, width, height: breadth };
  return { x: start, y: y - M.BAND_HEADER, width: breadth, height: height + M.BAND_HEADER };
}

/** Whether an outermost item belongs in a band: it is named so, or is a tag of its lane. @param {Item} item @param {string} band @param {boolean} inLane */
const standsIn = ({ name, kind }, band, inLane) => (kind === "tag" ? inLane : name === band || name.startsWith(`${band}/`));

/**
 * Where a band's title stands: at the left, or right of the lines that come down there.
 * @param {Box & {name: string}} band @param {Edge[]} edges
 */
function titlePlace({ name, x, y, width }, edges) {
  const room = textWidth(name, M.LABEL_PX) + 34;
  const title = (/** @type {number} */ at) => ({ x: at - 4, y: y + 2, width: room + 8, height: M.BAND_HEADER - 4 });
  const near = linesAcross(edges, { x, y, width, height: M.BAND_HEADER }).map((line) => grown(line, 1));
  const places = [x + 8, ...near.map((line) => line.x + line.width + 9)].filter((at) => at + room < x + width);
  const free = places
    .sort((a, b) => a - b)
    .find((at) => {
      const place = title(at);
      return !near.some((line) => overlaps(line, place));
    });
  return (free ?? x + 8) - x;
}

/** The boxes around the pieces of lines that cross a box. @param {Edge[]} edges @param {Box} box */
function linesAcross(edges, box) {
  /** @type {Box[]} */
  const found = [];
  for (const { points } of edges) {
    for (let i = 1; i < points.length; i += 1) {
      const [from, to] = [points[i - 1], points[i]];
      if (Math.max(from.y, to.y) < box.y - 1 || Math.min(from.y, to.y) > box.y + box.height + 1) continue; // nearly all
      const line = around([from, to]);
      if (overlaps(grown(line, 1), box)) found.push(line);
    }
  }
  return found;
}

/** A ribbon from each op to the gradient that stands beneath it. @param {Visible} visible @param {Plan} plan @param {Turn} turn */
function ribbonsOf({ items }, plan, { upright }) {
  return [...plan.places].flatMap(([id, { partner, lane }]) => {
    const [op, own] = [items.get(partner ?? ""), items.get(id)];
    if (!op || !own || !lane.startsWith("gradient:")) return [];
    const [x, y] = [own.x + own.width / 2, own.y + own.height / 2];
    if (upright ? y < op.y || y > op.y + op.height : x < op.x || x > op.x + op.width) return [];
    const line = upright ? { x1: op.x + op.width, y1: y, x2: own.x, y2: y } : { x1: x, y1: op.y + op.height, x2: x, y2: own.y };
    return [{ ...line, from: op.id, to: id }];
  });
}
