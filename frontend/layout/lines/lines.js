// Lines: the last step of a grid. Columns get their widths, gaps and aisles the room for what runs through them,
// and every link its points.

import { textWidth } from "../../geometry/text.js";
import { lineLabel } from "../items/labels.js";
import * as M from "../metrics.js";
import { portPoint } from "./ports.js";
import { above, aislesAround, isPlumb, isUpright, within } from "./routes.js";
import { tracksOf } from "./tracks.js";

/** @import { Point } from "../types.js" */
/** @import { Link } from "../items/edges.js" */
/** @import { Corridor, Route } from "./routes.js" */
/** @import { Grid } from "../grid/grid.js" */

/**
 * @typedef {object} Draft
 * @property {import("../grid/grid.js").Task} task
 * @property {import("../grid/mesh.js").Mesh} mesh
 * @property {number} columns
 * @property {number[][][]} orders
 * @property {ReadonlyMap<Link, Route>} routes
 * @property {ReadonlyMap<Link, import("../grid/grid.js").Ends>} ends
 * @property {Map<number, number>} y
 */

/** @typedef {{low: number, high: number}} Span */
/**
 * A gap or an aisle: where its tracks start, how broad they are together, and what else lies between the columns.
 * @typedef {{start: number, room: number, ahead: number, tracks: Map<string, number>, count: number}} Way
 */

/** @param {Draft} draft @returns {Grid} */
export function drawLines(draft) {
  const { task, mesh } = draft;
  const widths = columnWidths(draft);
  const rough = columnSpans(widths, widths.map(() => M.GAP).concat(M.GAP));
  const aisles = aislesOf(draft, rough);
  const lanes = laneSpans(draft, aisles);
  lowerLanes(draft, lanes);
  const gaps = gapsOf(draft, aisles);
  const spans = columnSpans(
    widths,
    gaps.map(({ room, ahead }) => room + Math.abs(ahead)),
  );
  gaps.forEach((gap, i) => (gap.start = (i === 0 ? 0 : spans[i - 1].high) + Math.max(0, -gap.ahead)));
  const centre = centreBy(draft, spans);
  const lines = new Map(task.links.flatMap((link) => lineOf(draft, link, { spans, gaps, aisles, centre })));
  return {
    centres: new Map(mesh.cells.map((cell, i) => [cell.id, centre(i)])),
    lines,
    lanes: lanes.map(({ low, high }) => ({ top: low, bottom: high })),
    width: spans[spans.length - 1].high + gaps[gaps.length - 1].room + Math.abs(gaps[gaps.length - 1].ahead),
    height: aisles[aisles.length - 1].start + aisles[aisles.length - 1].room,
  };
}

/** @param {Draft} draft @param {Span[]} spans @returns {(vertex: number) => Point} */
function centreBy({ mesh, y }, spans) {
  return (vertex) => {
    const { low, high } = spans[mesh.vertices[vertex].column];
    return { x: (low + high) / 2, y: y.get(vertex) ?? 0 };
  };
}

/** @param {Draft} draft */
function columnWidths({ mesh, columns }) {
  const widths = new Array(columns).fill(0);
  for (const { column, across } of mesh.cells) widths[column] = Math.max(widths[column], across);
  return widths;
}

/** @param {number[]} widths @param {number[]} gaps one more than columns @returns {Span[]} */
function columnSpans(widths, gaps) {
  let at = 0;
  return widths.map((width, i) => {
    const low = at + gaps[i];
    at = low + width;
    return { low, high: at };
  });
}

/** The aisles with their tracks; `start` follows with the lanes. @param {Draft} draft @param {Span[]} rough @returns {Way[]} */
function aislesOf({ task, routes, ends, mesh }, rough) {
  /** @type {Array<import("./tracks.js").Span[]>} */
  const used = Array.from({ length: aislesAround(task.lanes.length) }, () => []);
  const middle = (/** @type {number} */ column) => (rough[column].low + rough[column].high) / 2;
  const gapAt = (/** @type {number} */ gap) => (gap < rough.length ? rough[gap].low : rough[gap - 1].high + M.GAP) - M.GAP / 2;
  for (const [link, route] of routes) {
    if (isPlumb(route)) continue;
    const { out, into } = /** @type {import("../grid/grid.js").Ends} */ (ends.get(link));
    route.corridors.forEach((corridor, i) => {
      if (corridor.kind !== "aisle") return;
      const before = route.corridors[i - 1];
      const next = route.corridors[i + 1];
      const from = before ? gapAt(before.at) : middle(route.from.column) + out.offset;
      const to = next ? gapAt(next.at) : middle(route.to.column) + into.offset;
      used[corridor.at].push({ net: link.net, low: Math.min(from, to), high: Math.max(from, to) });
    });
  }
  const empty = mesh.cells.length === 0;
  return used.map((spans, i) => {
    const { tracks, count } = tracksOf(spans);
    const between = i > 0 && i < used.length - 1 && i % 2 === 0 && !empty; // two lanes, which keep apart
    const least = between ? M.AISLE : count > 0 ? 12 : 0;
    return { start: 0, room: least + Math.max(0, count - (between ? 1 : 0)) * step(count), ahead: 0, tracks, count };
  });
}

/** Distance of parallel lines: less where there are very many. @param {number} count */
const step = (count) => Math.max(1.5, Math.min(M.TRACK, 400 / Math.max(1, count)));

/** The lanes' heights on the page; sets where each aisle starts. @param {Draft} draft @param {Way[]} aisles @returns {Span[]} */
function laneSpans({ task, mesh, orders, y }, aisles) {
  let at = 0;
  const spans = task.lanes.map(({ header, footer, least }, lane) => {
    const [before, inside] = [aisles[above(lane)], aisles[within(lane)]];
    before.start = at;
    const low = at + before.room;
    inside.start = low + header + Math.max(least, extent(orders[lane], mesh, y).height);
    at = inside.start + inside.room + footer;
    return { low, high: at };
  });
  aisles[aisles.length - 1].start = at;
  return spans;
}

/** What a lane's vertices take up. @param {number[][]} order @param {import("../grid/mesh.js").Mesh} mesh @param {ReadonlyMap<number, number>} y */
function extent(order, { vertices }, y) {
  let [top, bottom] = [Infinity, -Infinity];
  for (const vertex of order.flat()) {
    const { cell } = vertices[vertex];
    const at = y.get(vertex) ?? 0;
    top = Math.min(top, at - (cell ? cell.height / 2 + cell.above : 0));
    bottom = Math.max(bottom, at + (cell ? cell.height / 2 + cell.below : 0));
  }
  return top === Infinity ? { top: 0, height: 0 } : { top, height: bottom - top };
}

/** Move each lane's vertices to the lane's place on the page. @param {Draft} draft @param {Span[]} lanes */
function lowerLanes({ task, mesh, orders, y }, lanes) {
  orders.forEach((order, lane) => {
    const by = lanes[lane].low + task.lanes[lane].header - extent(order, mesh, y).top;
    for (const vertex of order.flat()) y.set(vertex, (y.get(vertex) ?? 0) + by);
  });
}

/** The gaps with their tracks. @param {Draft} draft @param {Way[]} aisles @returns {Way[]} */
function gapsOf(draft, aisles) {
  const { columns, routes, ends } = draft;
  /** @type {Array<import("./tracks.js").Span[]>} */
  const used = Array.from({ length: columns + 1 }, () => []);
  for (const [link, route] of routes) {
    const { out, into } = /** @type {import("../grid/grid.js").Ends} */ (ends.get(link));
    route.corridors.forEach((corridor, i) => {
      if (corridor.kind !== "gap") return;
      const before = route.corridors[i - 1];
      const next = route.corridors[i + 1];
      const from = before ? aisleY(aisles[before.at], link.net) : yOf(draft, route.from, out.offset);
      const to = next ? aisleY(aisles[next.at], link.net) : yOf(draft, route.to, into.offset);
      /** @param {import("../types.js").Side} side of an item, at this gap */
      const turns = (side) => [...(!before && route.exit === side ? [from] : []), ...(!next && route.entry === side ? [to] : [])];
      used[corridor.at].push({
        net: link.net,
        low: Math.min(from, to),
        high: Math.max(from, to),
        left: turns("right"),
        right: turns("left"),
      });
    });
  }
  const labels = labelRoom(draft);
  const fans = fanRoom(draft);
  const ahead = roomAhead(draft);
  return used.map((spans, i) => {
    const { tracks, count } = tracksOf(spans);
    const outer = i === 0 || i === columns;
    const least = outer ? (count > 0 ? OUTER_GAP : 0) : Math.max(M.GAP, labels[i], fans[i]);
    return { start: 0, room: least + (outer ? Math.max(0, count - 1) : count) * step(count), ahead: ahead[i], tracks, count };
  });
}

const OUTER_GAP = 3 * M.BAND_PADDING; // px: the line nearest to the columns keeps off the border of a band

/** Room beside the first or the last column of a lane, by gap. @param {Draft} draft */
function roomAhead({ task, orders, columns }) {
  const room = new Array(columns + 1).fill(0);
  task.lanes.forEach(({ ahead }, lane) => {
    const filled = orders[lane].flatMap((column, i) => (column.length > 0 ? [i] : []));
    if (ahead === 0 || filled.length === 0) return;
    const gap = ahead > 0 ? Math.min(...filled) : Math.max(...filled) + 1;
    if (Math.abs(ahead) > Math.abs(room[gap])) room[gap] = ahead;
  });
  return room;
}

const LABEL_ROOM = 22; // px beside a label: to its line's start, and to the sign of a scope that the line may run to

/** Room for the labels at the start of lines, by gap; upright lines have theirs beside them. @param {Draft} draft */
function labelRoom({ task, ends, columns }) {
  const room = new Array(columns + 1).fill(0);
  if (task.upright) return room;
  for (const [link, { out }] of ends) {
    if (isUpright(out.side)) continue;
    const gap = out.side === "left" ? out.cell.column : out.cell.column + 1;
    const label = lineLabel(link);
    if (label !== "") room[gap] = Math.max(room[gap], textWidth(label, M.SMALL_PX) + LABEL_ROOM);
  }
  return room;
}

const FAN_ROOM = { line: 10, most: 72 }; // px

/**
 * Room for fans, by gap: the more lines part from one item there, or meet in one, the higher they climb. It is counted, not
 * measured, so that what opens elsewhere changes no gap; from an open scope lines come apart.
 * @param {Draft} draft
 */
function fanRoom({ mesh: { vertices, hops }, columns }) {
  const room = new Array(columns + 1).fill(0);
  /** @type {Map<string, number>} */
  const fans = new Map();
  for (const hop of hops) {
    for (const side of /** @type {const} */ (["left", "right"])) {
      if (vertices[hop[side]].cell?.doors) continue;
      const lines = (fans.get(`${side} ${hop[side]}`) ?? 0) + 1;
      fans.set(`${side} ${hop[side]}`, lines);
      const gap = vertices[hop.right].column;
      room[gap] = Math.max(room[gap], Math.min(FAN_ROOM.most, lines * FAN_ROOM.line));
    }
  }
  return room;
}

/** @param {Draft} draft @param {import("../grid/chains.js").Cell} cell @param {number} offset */
function yOf({ mesh, y }, cell, offset) {
  return (y.get(mesh.index.get(cell) ?? -1) ?? 0) + offset;
}

/** @param {Way} aisle @param {string} net */
function aisleY({ start, room, tracks, count }, net) {
  const middle = start + room / 2;
  return middle + ((tracks.get(net) ?? 0) - (count - 1) / 2) * step(count);
}

/** @param {Way} gap @param {string} net */
const gapX = (gap, net) => aisleY(gap, net);

/**
 * The points of one link.
 * @param {Draft} draft @param {Link} link
 * @param {{spans: Span[], gaps: Way[], aisles: Way[], centre: (vertex: number) => Point}} placed
 * @returns {Array<[Link, Point[]]>}
 */
function lineOf(draft, link, placed) {
  const ends = draft.ends.get(link);
  if (!ends) return [];
  const path = draft.mesh.paths.get(link);
  const at = (/** @type {import("./ports.js").End} */ end) => {
    const { x, y } = placed.centre(draft.mesh.index.get(end.cell) ?? -1);
    const point = portPoint(end.cell, end.side, end.offset);
    return { x: x + point.x, y: y + point.y };
  };
  const [start, end] = [at(ends.out), at(ends.into)];
  const route = draft.routes.get(link);
  if (path) return [[link, chainPoints(draft, path, start, end, placed)]];
  return route ? [[link, routePoints(route, start, end, placed)]] : [];
}

/**
 * Straight through columns, curved across gaps. All that end in a column turn level at one place, the length of a head before
 * it: those to broad items would else cross those to narrow ones.
 * @param {Draft} draft @param {number[]} path @param {Point} start @param {Point} end
 * @param {{spans: Span[], centre: (vertex: number) => Point}} placed
 */
function chainPoints({ mesh }, path, start, end, { spans, centre }) {
  const onward = end.x > start.x;
  const points = [start];
  path.forEach((vertex, i) => {
    const { low, high } = spans[mesh.vertices[vertex].column];
    const y = i === 0 ? start.y : i === path.length - 1 ? end.y : centre(vertex).y;
    if (i === path.length - 1) points.push({ x: onward ? low - M.HEAD : high + M.HEAD, y });
    else if (i > 0) points.push({ x: onward ? low : high, y });
    if (i < path.length - 1) points.push({ x: onward ? high : low, y });
  });
  points.push(end);
  return withoutLevel(points);
}

const BESIDE = 3; // points at either end that stay: they follow an item that is moved by hand
const LEVEL = 0.01; // px: closer than this counts as the same height

/** A line without the bends that it passes straight: those of a long one are nearly all. @param {Point[]} points */
function withoutLevel(points) {
  let { y } = points[0];
  return points.filter((point, i) => {
    const inner = i >= BESIDE && i < points.length - BESIDE;
    if (inner && Math.abs(point.y - y) < LEVEL && Math.abs(point.y - points[i + 1].y) < LEVEL) return false;
    y = point.y;
    return true;
  });
}

/** @param {Route} route @param {Point} start @param {Point} end @param {{gaps: Way[], aisles: Way[]}} placed */
function routePoints(route, start, end, { gaps, aisles }) {
  if (isPlumb(route)) return [start, end];
  const { net } = route.link;
  const along = (/** @type {Corridor} */ { kind, at }) =>
    kind === "gap" ? { x: gapX(gaps[at], net) } : { y: aisleY(aisles[at], net) };
  const points = [start];
  let last = start;
  for (const corridor of route.corridors) points.push((last = { ...last, ...along(corridor) }));
  points.push(isUpright(route.entry) ? { x: end.x, y: last.y } : { x: last.x, y: end.y }, end);
  return points;
}
