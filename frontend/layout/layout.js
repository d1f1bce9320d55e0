// The layout: from a model to a scene that only has to be painted.
//
// Open scopes are laid out from the inside out, each as a small grid of its own; what remains is one grid for the
// whole picture. A scene depends on its model alone: the same in, the same out.

import { textWidth } from "../geometry/text.js";
import { atOnce } from "../scheduling/scheduler.js";
import { ROOT } from "./graph/names.js";
import { closedArrangement } from "./grid/calm.js";
import { cellOf } from "./grid/chains.js";
import { gridInStages } from "./grid/grid.js";
import { contentOf, insideOf, numberColumns, shapeOf, spotOf } from "./grid/inside.js";
import { bandOf, planLanes } from "./grid/lanes.js";
import { rememberedGrids } from "./grid/memo.js";
import { linksByContainer } from "./items/edges.js";
import { visibleItems } from "./items/items.js";
import { linesTo, numberPassages } from "./lines/passages.js";
import * as M from "./metrics.js";
import { roomInside } from "./rows/scopes.js";
import { sceneOf } from "./scene/scene.js";
import { turnOf } from "./turn.js";

/** @import { GraphModel, Item, Scene } from "./types.js" */
/** @import { Link } from "./items/edges.js" */
/** @import { Content, Inside } from "./grid/inside.js" */
/** @import { Visible } from "./items/items.js" */
/** @import { Plan } from "./grid/lanes.js" */
/** @import { Turn } from "./turn.js" */

/**
 * The scene of a model.
 * @param {GraphModel} model
 * @param {import("./grid/memo.js").Layout} [layoutInside] of the inside of an open scope; one that is kept remembers
 * @returns {Scene}
 */
export const layoutGraph = (model, layoutInside = rememberedGrids()) => atOnce(layoutInStages(model, layoutInside));

/**
 * The same in stages, for a page that answers in between.
 * @param {GraphModel} model @param {import("./grid/memo.js").Layout} layoutInside
 * @returns {Generator<void, Scene, void>}
 */
export function* layoutInStages(model, layoutInside) {
  const turn = turnOf(model);
  const visible = visibleItems(model);
  yield;
  const links = linksByContainer(visible);
  yield;
  const plan = planLanes(visible, links.get(ROOT) ?? []);
  const open = inwards(visible.items).filter((item) => item.open);
  yield;
  const contents = yield* contentsOf(visible, plan, links, open);
  /** @type {Map<string, Inside>} */
  const insides = new Map();
  for (const scope of open.toReversed()) {
    const { content, closed } = /** @type {Arranged} */ (contents.get(scope.id));
    const room = roomIn(visible, model, scope);
    insides.set(scope.id, yield* insideOf(scope, content, closed, { insides, layoutInside, turn, room }));
    yield;
  }
  const around = /** @type {Arranged} */ (contents.get(ROOT));
  const root = yield* gridInStages(rootTask(visible, plan, around, { insides, turn }));
  yield;
  return yield* sceneOf(visible, plan, { root, insides, open, turn });
}

/** @typedef {{content: Content, closed?: import("./grid/calm.js").Closed}} Arranged `closed` of what holds open scopes */

/**
 * What stands in the picture and in each open scope, from the outside in: lines come to a scope's border in the order that
 * they have outside.
 * @param {Visible} visible @param {Plan} plan @param {ReadonlyMap<string, Link[]>} links @param {Item[]} open outer scopes first
 * @returns {Generator<void, Map<string, Arranged>, void>}
 */
function* contentsOf(visible, plan, links, open) {
  const byParent = grouped(visible.items);
  const holders = new Set(open.map(({ parent }) => parent));
  const opened = new Set(open.map(({ id }) => id));
  /** @type {Map<string, import("./lines/passages.js").Lines>} */
  const passing = new Map();
  /** @type {Map<string, Arranged>} */
  const found = new Map();
  for (const id of [ROOT, ...open.map((scope) => scope.id)]) {
    const [children, own] = [byParent.get(id) ?? [], links.get(id) ?? []];
    const scope = visible.items.get(id);
    numberPassages(own, passing.get(id) ?? new Map());
    const content = scope ? contentOf(children, own, flowIn(visible, plan, scope)) : outermost(plan, children, own);
    const closed = holders.has(id) ? closedArrangement(content.spots, own, scope ? 1 : plan.lanes.length) : undefined;
    if (closed) for (const [inner, lines] of linesTo(opened, own, closed)) passing.set(inner, lines);
    found.set(id, { content, closed });
    yield;
  }
  return found;
}

/** @param {ReadonlyMap<string, Item>} items */
function grouped(items) {
  /** @type {Map<string, Item[]>} */
  const groups = new Map();
  for (const item of items.values()) {
    const own = groups.get(item.parent);
    if (own) own.push(item);
    else groups.set(item.parent, [item]);
  }
  return groups;
}

/** The items, those that hold others before what they hold; sets their places in this order. @param {Map<string, Item>} items */
function inwards(items) {
  /** @type {Map<string, number>} */
  const depths = new Map([[ROOT, 0]]);
  const sorted = [...items.values()].sort((a, b) => depth(a.id) - depth(b.id) || a.index - b.index);
  items.clear();
  for (const item of sorted) items.set(item.id, item);
  return sorted;

  /** @param {string} id @returns {number} */
  function depth(id) {
    const found = depths.get(id) ?? depth(items.get(id)?.parent ?? ROOT) + 1;
    depths.set(id, found);
    return found;
  }
}

/** What there is room for inside an open scope: less, the more scopes are around it. @param {Visible} visible @param {GraphModel} model @param {Item} scope */
function roomIn({ items }, { room }, scope) {
  let left = room && roomInside(room);
  for (let up = items.get(scope.parent); left && up; up = items.get(up.parent)) left = roomInside(left);
  return left;
}

/** The direction inside an open scope: that of the lane it stands in. @param {Visible} visible @param {Plan} plan @param {Item} scope */
function flowIn({ items, tree }, plan, scope) {
  if (tree.merged) return 1;
  let at = scope;
  for (let up = items.get(at.parent); up; up = items.get(at.parent)) at = up;
  const place = plan.places.get(at.id);
  const flow = plan.flows.get(place?.lane ?? "") ?? 1;
  return place?.lane.startsWith("gradient:") ? flow : scope.phase === "gradient" ? -1 : flow;
}

/** What no scope holds, in its lanes and columns. @param {Plan} plan @param {Item[]} children @param {ReadonlyArray<Link>} links @returns {Content} */
function outermost({ lanes, places }, children, links) {
  const number = new Map(lanes.map((name, i) => [name, i]));
  const spots = children.map(({ id, index }) => {
    const { lane, column, partner } = places.get(id) ?? { lane: "", column: 0, partner: null };
    return { ...spotOf(id, number.get(lane) ?? 0, column, index), partner };
  });
  numberColumns(spots);
  return { children, links, flow: 1, spots };
}

/** @param {Visible} visible @param {Plan} plan @param {Arranged} arranged @param {{insides: ReadonlyMap<string, Inside>, turn: Turn}} around */
function rootTask(visible, plan, { content: { children, links, spots }, closed }, { insides, turn }) {
  const cells = spots.map((spot, i) => cellOf(spot, shapeOf(children[i], insides, turn)));
  const lanes = plan.lanes.map((name) => ({ flow: plan.flows.get(name) ?? 1, ...marginsOf(bandOf(visible, name), turn) }));
  return { cells, links, lanes, upright: turn.upright, closed };
}

const NO_MARGINS = { header: 0, footer: 0, least: 0, ahead: 0 };

/** What a band takes up around its lane: its title stands above it, and so in an upright drawing at one end. @param {string | null} band @param {Turn} turn */
function marginsOf(band, { upright, sign }) {
  if (band === null) return NO_MARGINS;
  if (!upright) return { ...NO_MARGINS, header: M.BAND_HEADER, footer: M.BAND_PADDING };
  const least = textWidth(band, M.LABEL_PX) + 44;
  return { header: M.BAND_PADDING, footer: M.BAND_PADDING, least, ahead: sign * (M.BAND_HEADER + M.BAND_PADDING) };
}
