// The inside of an open scope: a grid of one lane, with a vertex on the border for each net that passes it.

import { textWidth } from "../../geometry/text.js";
import { IN, OUT } from "../items/edges.js";
import { extentOf } from "../items/items.js";
import * as M from "../metrics.js";
import { cellOf, POINT } from "./chains.js";
import { ranksOf } from "./ranks.js";

/** @import { Item } from "../types.js" */
/** @import { Link } from "../items/edges.js" */
/** @import { Door, Shape, Spot } from "./chains.js" */
/** @import { Grid } from "./grid.js" */
/** @import { Turn } from "../turn.js" */

/**
 * `left`: from the scope's left border to its grid; `titleX`: to its title.
 * @typedef {{grid: Grid, doors: Map<string, Door>, children: Item[], left: number, titleX: number}} Inside
 */
/**
 * @typedef {object} Around
 * @property {ReadonlyMap<string, Inside>} insides       of the open scopes in it
 * @property {import("./memo.js").Layout} layoutInside
 * @property {Turn} turn
 * @property {import("../../geometry/viewport.js").Size} [room]  px that can be read on screen at once; as much as it takes where not given
 */

const TITLE_X = 12;
const TOGGLE = 12; // room of the sign that closes a scope, at its right

/**
 * @typedef {object} Content  what stands in a scope
 * @property {Item[]} children
 * @property {ReadonlyArray<Link>} links
 * @property {number} flow
 * @property {Spot[]} spots   of the children, then of the nets that pass the border
 */

/**
 * Where everything in a scope stands: its children by their ranks, the nets at the border before and behind them.
 * @param {Item[]} children @param {ReadonlyArray<Link>} links @param {number} flow
 *  * @returns {Content}
 */
export function contentOf(children, links, flow) {
  const ids = children.map(({ id }) => id);
  const ranks = ranksOf(ids, links);
  const last = Math.max(0, ...ranks.values());
  const rank = (/** @type {string} */ id) => (id.startsWith(IN) ? -1 : id.startsWith(OUT) ? last + 1 : (ranks.get(id) ?? 0));
  const borders = [...new Set(links.flatMap(({ from, to }) => [from, to]))].filter(
    (id) => id.startsWith(IN) || id.startsWith(OUT),
  );
  const spots = [
    ...children.map(({ id, index }) => spotOf(id, 0, flow * rank(id), index)),
    ...borders.map((id, i) => spotOf(id, 0, flow * rank(id), children.length + i)),
  ];
  numberColumns(spots);
  return { children, links, flow, spots };
}

/** @param {string} id @param {number} lane @param {number} column @param {number} key @returns {Spot} */
export const spotOf = (id, lane, column, key) => ({ id, lane, column, partner: null, key });

/**
 * Lay a scope out, and give it its size.
 * @param {Item} scope @param {Content} content @param {import("./calm.js").Closed | undefined} closed @param {Around} around
 * @returns {Generator<void, Inside, void>}
 */
export function* insideOf(scope, { children, links, flow, spots }, closed, { insides, layoutInside, turn, room }) {
  const cells = spots.map((spot, i) => cellOf(spot, i < children.length ? shapeOf(children[i], insides, turn) : POINT));
  const rows = room && !turn.upright ? { titles: children.map(({ label }) => label), room } : undefined;
  const grid = yield* layoutInside({
    cells,
    links,
    lanes: [{ flow, header: 0, footer: 0, least: 0, ahead: 0 }],
    upright: turn.upright,
    closed,
    rows,
  });
  const doors = new Map(spots.slice(children.length).map(({ id }) => [id, doorAt(id, grid, flow)]));
  const { left, titleX } = frame(scope, grid, doors, turn);
  const middle = turn.upright ? scope.width / 2 - left : scope.height / 2 - M.SCOPE_HEADER;
  for (const door of doors.values()) door.dy -= middle;
  return { grid, doors, children, left, titleX };
}

/** Where a net passes the border, counted from the grid's edge. @param {string} id @param {Grid} grid @param {number} flow @returns {Door} */
function doorAt(id, grid, flow) {
  return { side: id.startsWith(IN) === flow > 0 ? "left" : "right", dy: grid.centres.get(id)?.y ?? 0 };
}

/**
 * Size the scope around its grid. Where lines come in from above, its title stands beside them.
 * @param {Item} scope @param {Grid} grid @param {ReadonlyMap<string, Door>} doors @param {Turn} turn
 */
function frame(scope, grid, doors, turn) {
  const { width, height } = turn.size(grid);
  const title = textWidth(scope.label, M.LABEL_PX) + 8;
  const least = Math.max(scope.width, title + TITLE_X + TOGGLE);
  const top = turn.upright
    ? [...doors.values()].filter(({ side }) => (side === "left") === turn.sign > 0).map(({ dy }) => dy)
    : [];
  const inset = Math.max(M.SCOPE_PADDING, (least - width) / 2);
  const titleX = freePlace(
    top.map((dy) => inset + dy),
    title,
    inset + width + M.SCOPE_PADDING - TOGGLE,
  );
  const left = titleX === null ? Math.max(inset, TITLE_X + title + 8 - Math.min(...top)) : inset;
  const right = top.length > 0 ? Math.max(M.SCOPE_PADDING, TOGGLE + Math.max(...top) - width) : M.SCOPE_PADDING;
  scope.width = Math.max(least, left + width + right);
  scope.height = height + M.SCOPE_HEADER + M.SCOPE_PADDING;
  scope.titleX = titleX ?? TITLE_X;
  return { left, titleX: scope.titleX };
}

/** The first place for a title that no line passes; null for none. @param {number[]} lines @param {number} title its width @param {number} end */
function freePlace(lines, title, end) {
  const places = [TITLE_X, ...lines.map((x) => x + 8)].sort((a, b) => a - b);
  const free = places.find(
    (at) => at >= TITLE_X && !lines.some((x) => x > at - 4 && x < at + title) && (lines.length === 0 || at + title <= end),
  );
  return free ?? null;
}

/**
 * An item as a grid sees it.
 * @param {Item} item @param {ReadonlyMap<string, Inside>} insides of the open scopes @param {Turn} turn
 * @returns {Shape}
 */
export const shapeOf = (item, insides, turn) => ({
  ...turn.size(item),
  ...extentOf(item, turn.upright),
  round: item.kind === "op",
  doors: insides.get(item.id)?.doors ?? null,
});

/** Number the columns from the left, without holes. @param {Spot[]} spots */
export function numberColumns(spots) {
  const columns = [...new Set(spots.map(({ column }) => column))].sort((a, b) => a - b);
  const number = new Map(columns.map((column, i) => [column, i]));
  for (const spot of spots) spot.column = number.get(spot.column) ?? 0;
}
