// Rows: a picture that is too long to be read as a whole is broken into rows, as a text is into lines.
//
// The layout itself knows nothing of it: its scene is cut between columns, and the pieces are set one beneath the other.
// Which rows there are depends on the scene and on how much of it can be read on screen at once, on nothing else.

import { around, common, union } from "../../geometry/box.js";
import { boxOf, withClearLabels } from "../lines/captions.js";
import { atOnce } from "../../scheduling/scheduler.js";
import * as M from "../metrics.js";
import { breaksOf } from "./breaks.js";
import { closedUp } from "./closing_up.js";
import { columnsOf, placeAt } from "./columns.js";
import { corners, linesAlong, linesPassing, roomBetween, tracksAt } from "./connections.js";

/** @import { Band, EdgeLabel, Item, Point, Ribbon, Scene } from "../types.js" */
/** @import { Box, Size } from "../../geometry/viewport.js" */
/** @import { Column } from "./columns.js" */
/** @import { Along } from "./connections.js" */

const ITEMS_MOST = 600; // of a picture that is broken into rows: a larger one is explored by opening its scopes
const OVER = 5; // px that a band goes on past what stands in its row
const FAR = 1e6; // px, beyond every picture
const WORTH = 0.8; // of what would be in sight of one row: who reads on downwards finds the rest more easily
const SHORTER = 6; // times that rows are made shorter, where what stands beside them takes up more than was counted

/**
 * The scene in rows, where that brings more of it into sight, or nearly as much at its full breadth; else the very same scene.
 * @param {Scene} scene @param {Size} room px of the plane that can be read on screen at once
 * @returns {Scene}
 */
export const inRows = (scene, room) => atOnce(rowsInStages(scene, room));

/** The same in stages. @param {Scene} scene @param {Size} room @returns {Generator<void, Scene, void>} */
export function* rowsInStages(scene, room) {
  if (scene.direction !== "right" || scene.page.width <= room.width || scene.items.length > ITEMS_MOST) return scene;
  const columns = columnsOf(scene);
  const lines = linesAlong(columns, scene);
  const passing = linesPassing(lines, columns.length);
  yield;
  let [found, broken] = [scene, scene];
  for (let [times, width] = [0, room.width]; times < SHORTER; times += 1) {
    const breaks = breaksOf(columns, passing, width);
    if (breaks.length === 0) return found;
    if (String(breaks) !== String(broken.breaks)) broken = yield* brokenAt(scene, { columns, lines, breaks });
    const over = broken.page.width - room.width;
    if (over <= 0) return inSight(broken, room) > WORTH * inSight(scene, room) ? broken : found;
    if (inSight(broken, room) > inSight(found, room)) found = broken;
    width -= over;
  }
  return found;
}

/** How much of a scene is on screen at first. @param {Scene} scene @param {Size} room */
const inSight = ({ page }, { width, height }) => Math.min(1, width / page.width) * Math.min(1, height / page.height);

/** @typedef {{columns: ReadonlyArray<Column>, lines: Along[], breaks: ReadonlyArray<number>}} Cuts  `breaks`: the first column of each row but the first */
/** @typedef {{dx: number, down: (y: number) => number, right: number, bottom: number}} Place  where what stands in a row comes to stand, and where the row ends then */

/** @param {Scene} scene @param {Cuts} cuts @returns {Generator<void, Scene, void>} */
function* brokenAt(scene, cuts) {
  const { columns, lines, breaks } = cuts;
  const rowOf = (/** @type {number} */ column) => breaks.filter((first) => first <= column).length;
  const rowAt = (/** @type {number} */ x) => rowOf(Math.min(Math.max(Math.round(placeAt(columns, x)), 0), columns.length - 1));
  const tracks = tracksAt(lines, breaks);
  const boxes = boxesByRow(scene, cuts, { rowOf, rowAt });
  const bands = scene.bands.flatMap((band) => piecesOfBand(band, columns, breaks, boxes.map(union)));
  for (const { row, band } of bands) boxes[row].push(...framesOf(band));
  const places = placesOf(boxes, tracks);
  yield;
  const drawn = lines.map((line) => ({
    ...line.edge,
    points: pointsOf(line, { rowOf, places, tracks }),
    label: labelOf(line, rowOf, places),
  }));
  yield;
  const edges = withClearLabels(drawn, false);
  yield;
  const items = scene.items.map((item) => movedItem(item, places[rowAt(item.x + item.width / 2)]));
  const pieces = bands.map(({ row, band }) => movedBand(band, places[row]));
  const ribbons = scene.ribbons.map((ribbon) => movedRibbon(ribbon, places[rowAt(ribbon.x1)]));
  const pills = items.flatMap(({ constants }) => constants);
  const page = union([...items, ...pieces, ...pills, ...edges.map(({ points }) => around(points))]);
  return { ...scene, items, edges, bands: pieces, ribbons, page, breaks };
}

/**
 * What stands in each row where the layout put it, but for the bands.
 * @param {Scene} scene @param {Cuts} cuts @param {{rowOf: (column: number) => number, rowAt: (x: number) => number}} rows
 * @returns {Box[][]} by row
 */
function boxesByRow(scene, { lines, breaks }, { rowOf, rowAt }) {
  /** @type {Box[][]} */
  const boxes = Array.from({ length: breaks.length + 1 }, () => []);
  for (const item of scene.items) boxes[rowAt(item.x + item.width / 2)].push(item, ...item.constants);
  for (const line of lines) {
    const { edge, columns } = line;
    edge.points.forEach((point, i) => boxes[rowOf(columns[i])].push(around([point])));
    if (edge.label) boxes[rowOfLabel(line, rowOf)].push(boxOf(edge.label));
    for (const { after, leaves, enters, onward } of line.steps) {
      if (rowOf(after) === rowOf(after + 1)) continue;
      const [upper, lower] = [boxes[rowOf(after)], boxes[rowOf(after + 1)]];
      upper.push({ x: upper[0].x, y: onward ? leaves : enters, width: 0, height: 0 });
      lower.push({ x: lower[0].x, y: onward ? enters : leaves, width: 0, height: 0 });
    }
  }
  return boxes;
}

/** What keeps its height of a band: its title, and its lower border. @param {Band} band @returns {Box[]} */
const framesOf = ({ x, y, width, height }) => [
  { x, y, width, height: M.BAND_HEADER },
  { x, y: y + height - M.BAND_PADDING, width, height: M.BAND_PADDING },
];

/** Where the rows are drawn, one beneath the other. @param {Box[][]} boxes of each row @param {Array<Map<string, number>>} tracks @returns {Place[]} */
function placesOf(boxes, tracks) {
  let top = 0;
  return boxes.map((own, row) => {
    const { x, y, width, height } = union(own);
    const close = closedUp(own.map((box) => ({ low: box.y, high: box.y + box.height })));
    const by = top - close(y);
    const bottom = close(y + height) + by;
    top = bottom + roomBetween(tracks[row]?.size ?? 0) + M.ROW_GAP;
    return { dx: -x, down: (/** @type {number} */ at) => close(at) + by, right: width, bottom };
  });
}

/** @param {Along} line @param {{rowOf: (column: number) => number, places: Place[], tracks: Array<Map<string, number>>}} rows @returns {Point[]} */
function pointsOf({ edge, columns, steps }, { rowOf, places, tracks }) {
  const points = [moved(edge.points[0], places[rowOf(columns[0])])];
  let next = 0;
  for (let i = 1; i < edge.points.length; i += 1) {
    for (; steps[next]?.i === i; next += 1) {
      const { after, leaves, enters, key, onward } = steps[next];
      const [upper, lower] = [rowOf(after), rowOf(after + 1)];
      if (upper === lower) continue;
      const [high, low] = onward ? [leaves, enters] : [enters, leaves];
      const { size } = tracks[upper];
      const [leaving, entering] = [places[upper].down(high), places[lower].down(low)];
      const turn = corners(places[upper], tracks[upper].get(key) ?? 0, size, leaving, entering);
      points.push(...(onward ? turn : turn.toReversed()));
    }
    points.push(moved(edge.points[i], places[rowOf(columns[i])]));
  }
  return points;
}

/** @param {Point} point @param {Place} place @returns {Point} */
const moved = ({ x, y }, { dx, down }) => ({ x: x + dx, y: down(y) });

/** @param {Band} band @param {Place} place @returns {Band} */
function movedBand(band, place) {
  const { x, y } = moved(band, place);
  return { ...band, x, y, height: place.down(band.y + band.height) - y };
}

/** @param {Ribbon} ribbon @param {Place} place @returns {Ribbon} */
const movedRibbon = ({ x1, y1, x2, y2, ...ends }, { dx, down }) => ({
  ...ends,
  x1: x1 + dx,
  y1: down(y1),
  x2: x2 + dx,
  y2: down(y2),
});

/** @param {Item} item @param {Place} place @returns {Item} */
function movedItem(item, place) {
  const { x, y } = moved(item, place);
  const constants = item.constants.map((each) => ({ ...each, x: each.x + x - item.x, y: each.y + y - item.y }));
  return { ...item, x, y, constants };
}

/** @param {Along} line @param {(column: number) => number} rowOf @param {Place[]} places @returns {EdgeLabel | null} */
const labelOf = (line, rowOf, places) => line.edge.label && movedLabel(line.edge.label, places[rowOfLabel(line, rowOf)]);

/** A label goes with its box: its baseline may be that of nothing else. @param {EdgeLabel} label @param {Place} place @returns {EdgeLabel} */
function movedLabel(label, { dx, down }) {
  const { y } = boxOf(label);
  return { ...label, x: label.x + dx, y: label.y + down(y) - y };
}

/** The row of the end of its line that a label stands at. @param {Along} line @param {(column: number) => number} rowOf */
function rowOfLabel({ edge: { points, label }, columns }, rowOf) {
  const far = (/** @type {Point} */ { x, y }) => Math.hypot(x - (label?.x ?? 0), y - (label?.y ?? 0));
  const [first, last] = [points[0], points[points.length - 1]];
  return rowOf(far(first) <= far(last) ? columns[0] : columns[columns.length - 1]);
}

/**
 * A band in the rows that it reaches into, as broad as the rows where it goes on; one piece has its title.
 * @param {Band} band @param {ReadonlyArray<Column>} columns @param {ReadonlyArray<number>} breaks @param {Box[]} extent of each row
 * @returns {Array<{row: number, band: Band}>} that with the title first
 */
function piecesOfBand(band, columns, breaks, extent) {
  const ends = [...breaks, columns.length];
  const pieces = extent.flatMap(({ x, width }, row) => {
    const reaches = common({ ...band, ...between(columns, row > 0 ? breaks[row - 1] : 0, ends[row]) }, band).width > 0;
    const left = row === 0 ? -FAR : x - OVER;
    const right = ends[row] === columns.length ? FAR : x + width + OVER;
    return reaches ? [{ row, box: common({ ...band, x: left, width: right - left }, band) }] : [];
  });
  const titled = Math.max(
    0,
    pieces.findLastIndex(({ box }) => box.x <= band.x + band.titleX),
  );
  return pieces
    .map(({ row, box }, i) => ({
      row,
      band: { ...band, ...box, part: i === titled ? 0 : i + 1, titleX: band.x + band.titleX - box.x },
    }))
    .sort((a, b) => a.band.part - b.band.part);
}

/** From one column to before another. @param {ReadonlyArray<Column>} columns @param {number} from @param {number} to */
const between = (columns, from, to) => ({ x: columns[from].low, width: columns[to - 1].high - columns[from].low });
