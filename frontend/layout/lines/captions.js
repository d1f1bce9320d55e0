// Captions: the shapes and counts that stand on lines. Each takes the first of a few places beside its line where it
// covers nothing; where there is none it is left out, and the line's title has it.

import { grown, overlaps } from "../../geometry/box.js";
import { piecesOf, straight } from "../../geometry/path.js";
import { textWidth } from "../../geometry/text.js";
import { whereaboutsOf } from "../../geometry/whereabouts.js";
import * as M from "../metrics.js";
import { repeatsIn } from "./repeats.js";

/** @import { Edge, EdgeLabel, Point } from "../types.js" */
/** @import { Box } from "../../geometry/viewport.js" */

const ASIDE = 5; // px between a line and its label
const CLEAR = 1.5; // px that a line is broader than its points
const OFF = 3; // px between a label and what is not its line
const NEAR = 0.5; // px: points closer than this are one
const SPACED = 8; // px between two labels side by side: nearer, they read as one

/** @typedef {{label: EdgeLabel, box: Box, free: boolean}} Place */

/**
 * Place the labels of the edges that want one. There are far fewer places for labels than there is line to cover them:
 * each line asks which places it covers.
 * @param {Edge[]} edges @param {ReadonlyMap<Edge, string>} texts @param {Iterable<Box>} obstacles @param {boolean} upright
 */
export function placeCaptions(edges, texts, obstacles, upright) {
  if (texts.size === 0) return;
  const wanted = [...texts].map(([edge, text]) => ({ edge, places: placesBeside(edge, text).map(placeOf) }));
  const places = whereaboutsOf(
    wanted.flatMap((each) => each.places),
    upright,
  );
  for (const box of obstacles) cover(places, grown(box, OFF));
  coverLines(places, edges, upright);
  for (const { edge, places: near } of wanted) {
    const place = near.find(({ free }) => free);
    edge.label = place?.label ?? null;
    if (place) cover(places, spaced(place.box));
  }
}

/**
 * The edges of a picture whose lines have been moved, without the labels that a line runs through now.
 * @param {ReadonlyArray<Edge>} edges @param {boolean} upright @returns {Edge[]}
 */
export function withClearLabels(edges, upright) {
  const own = new Map(edges.flatMap((edge) => (edge.label ? [[edge, placeOf(edge.label)]] : [])));
  coverLines(whereaboutsOf([...own.values()], upright), edges, upright);
  return edges.map((edge) => (own.get(edge)?.free === false ? { ...edge, label: null } : edge));
}

/** @typedef {{near: (box: Box) => Place[]}} Places */

/** @param {Places} places @param {Box} box */
function cover(places, box) {
  for (const place of places.near(box)) if (place.free && overlaps(box, place.box)) place.free = false;
}

/** A curve is cut into pieces only where it comes near a place. @param {Places} places @param {ReadonlyArray<Edge>} edges @param {boolean} upright */
function coverLines(places, edges, upright) {
  const isRepeat = repeatsIn(upright);
  for (const { points } of edges) for (let i = 1; i < points.length; i += 1) coverLine(points[i - 1], points[i]);

  /** @param {Point} from @param {Point} to */
  function coverLine(from, to) {
    if (isRepeat(from, to)) return;
    const box = stroke(from, to);
    if (straight(from, to)) cover(places, box);
    else if (places.near(box).some((place) => place.free && overlaps(box, place.box))) {
      for (const [start, end] of piecesOf([from, to], upright)) cover(places, stroke(start, end));
    }
  }
}

/** @param {EdgeLabel} label @returns {Place} */
const placeOf = (label) => ({ label, box: boxOf(label), free: true });

/** What no other label may touch. @param {Box} label @returns {Box} */
export const spaced = ({ x, y, width, height }) => ({
  x: x - SPACED,
  y: y - OFF,
  width: width + 2 * SPACED,
  height: height + 2 * OFF,
});

/** @param {Point} a @param {Point} b @returns {Box} */
function stroke(a, b) {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x: x - CLEAR, y: y - CLEAR, width: Math.abs(a.x - b.x) + 2 * CLEAR, height: Math.abs(a.y - b.y) + 2 * CLEAR };
}

/** What a label covers: from the tops of its letters to its baseline. @param {EdgeLabel} label @returns {Box} */
export function boxOf({ text, x, y, anchor }) {
  const width = textWidth(text, M.SMALL_PX);
  const left = { start: x, middle: x - width / 2, end: x - width }[anchor];
  return { x: left, y: y - 0.78 * M.SMALL_PX, width, height: 0.8 * M.SMALL_PX };
}

/** Where the label of a line may stand, best first: where it begins, where it ends. @param {Edge} edge @param {string} text @returns {EdgeLabel[]} */
function placesBeside({ points }, text) {
  const [first, last] = [points[0], points[points.length - 1]];
  const after = points.find((point) => distance(point, first) > NEAR) ?? first;
  const before = points.findLast((point) => distance(point, last) > NEAR) ?? last;
  return [...beside(first, after, 8), ...beside(last, before, 13)].map((place) => ({ text, ...place }));
}

/** @param {Point} a @param {Point} b */
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * On both sides of a line, near one end of it.
 * @param {Point} end @param {Point} next where the line goes on @param {number} off px from the end
 * @returns {Array<Omit<EdgeLabel, "text">>}
 */
function beside(end, next, off) {
  if (Math.abs(next.x - end.x) < NEAR) {
    const y = next.y > end.y ? end.y + off + 0.6 * M.SMALL_PX : end.y - off;
    return [
      { x: end.x + ASIDE, y, anchor: "start" },
      { x: end.x - ASIDE, y, anchor: "end" },
    ];
  }
  const onward = next.x > end.x;
  /** @type {{x: number, anchor: EdgeLabel["anchor"]}} */
  const along = { x: end.x + (onward ? off : -off), anchor: onward ? "start" : "end" };
  return [
    { ...along, y: end.y - ASIDE },
    { ...along, y: end.y + ASIDE + 0.75 * M.SMALL_PX },
  ];
}
