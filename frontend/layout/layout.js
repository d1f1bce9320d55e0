// The layout: from a model to a scene that only has to be painted.
//
// Open scopes are laid out from the inside out, each as a small grid of its own; what remains is one grid for the
// whole picture. A scene depends on its model (and the scene before) alone: the same in, the same out.

import { ROOT, isBand } from "./scopes.js";
import { extentOf, visibleItems } from "./items.js";
import { IN, OUT, linksByContainer } from "./edges.js";
import { planLanes } from "./lanes.js";
import { ranksOf } from "./ranks.js";
import { layoutGrid } from "./grid.js";
import { rememberedGrids } from "./memo.js";
import { edgesOf } from "./strokes.js";
import { around, grown, overlaps, union } from "../geometry/box.js";
import { textWidth } from "../geometry/text.js";
import * as M from "./metrics.js";

/** @typedef {import("./types.js").GraphModel} GraphModel */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Band} Band */
/** @typedef {import("./types.js").Edge} Edge */
/** @typedef {import("./types.js").Phase} Phase */
/** @typedef {import("../geometry/viewport.js").Box} Box */
/** @typedef {import("./edges.js").Link} Link */
/** @typedef {import("./chains.js").Cell} Cell */
/** @typedef {import("./chains.js").Door} Door */
/** @typedef {import("./grid.js").Grid} Grid */
/** @typedef {import("./items.js").Visible} Visible */
/** @typedef {import("./lanes.js").Plan} Plan */

/** @typedef {{grid: Grid, doors: Map<string, Door>, children: Item[], links: ReadonlyArray<Link>}} Inside a container's layout */

/**
 * The scene of a model. Items that `previous` shows too keep their order.
 * @param {GraphModel} model @param {Pick<Scene, "items"> | null} [previous]
 * @param {import("./memo.js").Layout} [layoutInside] of the inside of an open scope; one that is kept remembers
 * @returns {Scene}
 */
export function layoutGraph(model, previous = null, layoutInside = rememberedGrids()) {
  const visible = visibleItems(model);
  const links = linksByContainer(visible);
  const plan = planLanes(visible, links.get(ROOT) ?? []);
  const pins = previous && new Map(previous.items.map(({ id, y, height }) => [id, y + height / 2]));
  const byParent = grouped(visible.items);
  /** @type {Map<string, Inside>} */
  const insides = new Map();
  const open = [...visible.items.values()].filter((item) => item.open).sort((a, b) => depth(b.id) - depth(a.id));
  for (const scope of open) {
    const content = { children: byParent.get(scope.id) ?? [], links: links.get(scope.id) ?? [], flow: flowIn(visible, plan, scope) };
    const inside = insideOf(content, insides, pins, layoutInside);
    insides.set(scope.id, inside);
    scope.width = Math.max(scope.width, inside.grid.width + 2 * M.SCOPE_PADDING);
    scope.height = inside.grid.height + M.SCOPE_HEADER + M.SCOPE_PADDING;
  }
  const root = rootGrid(visible, plan, byParent.get(ROOT) ?? [], links.get(ROOT) ?? [], insides, pins);
  return sceneOf(visible, plan, root, insides, open.reverse());
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

/** @param {string} id */
const depth = (id) => id.split("/").length;

/** The direction inside an open scope: that of the lane it stands in. @param {Visible} visible @param {Plan} plan @param {Item} scope */
function flowIn({ items, tree }, plan, scope) {
  if (tree.merged) return 1;
  let at = scope;
  for (let up = items.get(at.parent); up; up = items.get(at.parent)) at = up;
  const place = plan.places.get(at.id);
  const flow = plan.flows.get(place?.lane ?? "") ?? 1;
  return place?.lane.startsWith("gradient:") ? flow : scope.phase === "gradient" ? -1 : flow;
}

/**
 * The inside of an open scope: one lane, with a vertex on the border for each net that passes it.
 * @param {{children: Item[], links: ReadonlyArray<Link>, flow: number}} content
 * @param {ReadonlyMap<string, Inside>} insides @param {ReadonlyMap<string, number> | null} pins
 * @param {import("./memo.js").Layout} layoutInside
 * @returns {Inside}
 */
function insideOf({ children, links, flow }, insides, pins, layoutInside) {
  const ids = children.map(({ id }) => id);
  const ranks = ranksOf(ids, links);
  const last = Math.max(0, ...ranks.values());
  const rank = (/** @type {string} */ id) => (id.startsWith(IN) ? -1 : id.startsWith(OUT) ? last + 1 : (ranks.get(id) ?? 0));
  const borders = [...new Set(links.flatMap(({ from, to }) => [from, to]))].filter((id) => id.startsWith(IN) || id.startsWith(OUT));
  const cells = [
    ...children.map((item) => cellOf(item, 0, flow * rank(item.id), insides)),
    ...borders.map((id, i) => ({ ...POINT, id, column: flow * rank(id), key: children.length + i })),
  ];
  numberColumns(cells);
  const grid = layoutInside({ cells, links, lanes: [{ flow, header: 0, footer: 0 }], pins });
  const height = grid.height + M.SCOPE_HEADER + M.SCOPE_PADDING;
  const doors = new Map(borders.map((id) => [id, doorAt(id, grid, flow, height)]));
  return { grid, doors, children, links };
}

const POINT = { lane: 0, width: 0, height: 0, above: 0, below: 0, across: 0, round: false, doors: null, partner: null };

/** @param {string} id @param {Grid} grid @param {number} flow @param {number} height @returns {Door} */
function doorAt(id, grid, flow, height) {
  const y = grid.centres.get(id)?.y ?? 0;
  return { side: id.startsWith(IN) === flow > 0 ? "left" : "right", dy: y + M.SCOPE_HEADER - height / 2 };
}

/** @param {Item} item @param {number} lane @param {number} column @param {ReadonlyMap<string, Inside>} insides @returns {Cell} */
function cellOf(item, lane, column, insides) {
  const { id, width, height, kind, index } = item;
  const doors = insides.get(id)?.doors ?? null;
  return { id, lane, column, width, height, ...extentOf(item), round: kind === "op", doors, partner: null, key: index };
}

/** Number the columns from the left, without holes. @param {Cell[]} cells */
function numberColumns(cells) {
  const columns = [...new Set(cells.map(({ column }) => column))].sort((a, b) => a - b);
  const number = new Map(columns.map((column, i) => [column, i]));
  for (const cell of cells) cell.column = number.get(cell.column) ?? 0;
}

/**
 * @param {Visible} visible @param {Plan} plan @param {Item[]} children @param {ReadonlyArray<Link>} links
 * @param {ReadonlyMap<string, Inside>} insides @param {ReadonlyMap<string, number> | null} pins
 */
function rootGrid(visible, plan, children, links, insides, pins) {
  const lane = new Map(plan.lanes.map((name, i) => [name, i]));
  const cells = children.map((item) => {
    const place = plan.places.get(item.id);
    const cell = cellOf(item, lane.get(place?.lane ?? "") ?? 0, place?.column ?? 0, insides);
    return { ...cell, partner: place?.partner ?? null };
  });
  numberColumns(cells);
  const lanes = plan.lanes.map((name) => {
    const banded = bandOf(visible, name) !== null;
    return { flow: plan.flows.get(name) ?? 1, header: banded ? M.BAND_HEADER : 0, footer: banded ? M.BAND_PADDING : 0 };
  });
  return layoutGrid({ cells, links, lanes, pins });
}

/** The open scope that a lane is the band of. @param {Visible} visible @param {string} lane "gradient:gradients" */
function bandOf({ tree, model }, lane) {
  const name = lane.slice(lane.indexOf(":") + 1);
  return lane.includes(":") && isBand(tree, name) && model.open.has(name) ? name : null;
}

/**
 * Everything at its place on the page.
 * @param {Visible} visible @param {Plan} plan @param {Grid} root @param {ReadonlyMap<string, Inside>} insides
 * @param {Item[]} open outer scopes first
 * @returns {Scene}
 */
function sceneOf(visible, plan, root, insides, open) {
  const items = [...visible.items.values()];
  for (const item of items) if (item.parent === ROOT) moveTo(item, root.centres.get(item.id), 0, 0);
  const edges = edgesOf(visible, root, (point) => point);
  for (const scope of open) {
    const { grid, children } = /** @type {Inside} */ (insides.get(scope.id));
    const dx = scope.x + (scope.width - grid.width) / 2;
    const dy = scope.y + M.SCOPE_HEADER;
    for (const item of children) moveTo(item, grid.centres.get(item.id), dx, dy);
    edges.push(...edgesOf(visible, grid, ({ x, y }) => ({ x: x + dx, y: y + dy }), scope));
  }
  const bands = bandsOf(visible, plan, root, items, edges);
  const pills = items.flatMap(({ constants }) => constants);
  return {
    items: items.sort((a, b) => depth(a.parent) - depth(b.parent) || a.index - b.index),
    edges,
    bands,
    ribbons: ribbonsOf(visible, plan),
    page: union([...items, ...bands, ...pills, ...edges.map(({ points }) => around(points))]),
  };
}

/** @param {Item} item @param {Point | undefined} centre @param {number} dx @param {number} dy */
function moveTo(item, centre, dx, dy) {
  const { x, y } = centre ?? { x: 0, y: 0 };
  item.x = x + dx - item.width / 2;
  item.y = y + dy - item.height / 2;
  for (const constant of item.constants) {
    constant.x += x + dx;
    constant.y += y + dy;
  }
}

/** @param {Visible} visible @param {Plan} plan @param {Grid} root @param {Item[]} items @param {Edge[]} edges @returns {Band[]} */
function bandsOf(visible, plan, root, items, edges) {
  return plan.lanes.flatMap((lane, i) => {
    const name = bandOf(visible, lane);
    if (name === null) return [];
    const inside = items.filter((item) => item.parent === ROOT && standsIn(item, name, plan.places.get(item.id)?.lane === lane));
    const { x, width } = union(inside.flatMap((item) => [item, ...item.constants]));
    const { top, bottom } = root.lanes[i];
    const phase = /** @type {Phase} */ (lane.startsWith("gradient:") ? "gradient" : "update");
    const band = { name, phase, x: x - M.BAND_PADDING, y: top, width: width + 2 * M.BAND_PADDING, height: bottom - top };
    return [{ ...band, titleX: titlePlace(band, edges) }];
  });
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
  const uprights = edges.flatMap(({ points }) => points.slice(1).map((point, i) => around([points[i], point])));
  const near = uprights.filter((line) => overlaps(grown(line, 1), { x, y, width, height: M.BAND_HEADER }));
  const places = [x + 8, ...near.map((line) => line.x + line.width + 10)].filter((at) => at + room < x + width);
  const free = places.sort((a, b) => a - b).find((at) => !near.some((line) => overlaps(grown(line, 1), title(at))));
  return (free ?? x + 8) - x;
}

/** A ribbon from each op down to its gradient. @param {Visible} visible @param {Plan} plan */
function ribbonsOf({ items }, plan) {
  return [...plan.places].flatMap(([id, { partner, lane }]) => {
    const [above, below] = [items.get(partner ?? ""), items.get(id)];
    if (!above || !below || !lane.startsWith("gradient:")) return [];
    return [{ x: below.x + below.width / 2, y1: above.y + above.height, y2: below.y, from: above.id, to: id }];
  });
}
