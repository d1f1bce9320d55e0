// What every drawing keeps to: nothing overlaps, no line runs through an op, no label stands on one.

import assert from "node:assert/strict";

import { around, common, grown, overlaps, sidesOf } from "../../../frontend/geometry/box.js";
import { piecesOf } from "../../../frontend/geometry/path.js";
import { textWidth } from "../../../frontend/geometry/text.js";
import { styleOf } from "../../../frontend/layout/items/edges.js";
import { boxOf } from "../../../frontend/layout/lines/captions.js";
import { signOf } from "../../../frontend/layout/scene/scene.js";
import { createBuckets } from "./buckets.js";

/** @typedef {import("../../../frontend/layout/types.js").Scene} Scene */

const KEPT_OFF = 2; // px around a label
const A_WORD_APART = 7; // px between labels side by side

/** No label touches an item, a sign, a constant, a title, the border of a scope, a line or another label; no line runs through the title of an open scope. @param {Scene} scene @param {string} id */
export function assertReadable({ items, edges, bands, direction }, id) {
  const scopes = items.filter(({ open }) => open).map((item) => ({ id: `the title of ${item.id}`, ...titleOf(item) }));
  const titles = [
    ...scopes,
    ...bands.map((band) => ({
      id: `the title of ${band.name}`,
      ...titleOf({ ...band, label: band.name, titleX: band.titleX + 22 }),
    })),
  ];
  const lines = edges.flatMap((edge) =>
    piecesOf(edge.points, direction !== "right").map((piece) => ({ id: `the line ${edge.title}`, ...around(piece) })),
  );
  const signs = items.filter(({ kind }) => kind === "scope").map((item) => ({ id: `the sign of ${item.id}`, ...signOf(item) }));
  const labels = edges.flatMap(({ label }) => (label ? [{ id: `the label ${label.text}`, ...boxOf(label) }] : []));
  const borders = [...items.filter(({ open }) => open), ...bands].flatMap((box) =>
    sidesOf(box).map((side) => ({ id: `the border of ${box.name}`, ...side })),
  );
  const covered = found(
    [...shapesOf(items), ...signs, ...titles, ...borders].map((box) => ({ id: box.id, ...grown(box, KEPT_OFF) })),
  );
  const crossed = found(lines.map((line) => ({ id: line.id, ...grown(line, 0.5) })));
  /** @type {import("./buckets.js").Buckets<Named>} */
  const written = createBuckets();
  for (const box of labels) {
    const [other] = [...written.near(box)].filter((near) => overlaps(near.box, box));
    const hit = covered(box) ?? crossed(box) ?? other?.thing;
    assert.ok(!hit, `${id}: ${box.id} stands on ${hit?.id}`);
    const { y, height } = grown(box, KEPT_OFF);
    written.add({ x: box.x - A_WORD_APART, y, width: box.width + 2 * A_WORD_APART, height }, box);
  }
  for (const title of scopes) {
    const hit = crossed(title);
    assert.ok(!hit, `${id}: ${hit?.id} runs through ${title.id}`);
  }
}

/** @param {{x: number, y: number, label: string, titleX: number}} open */
const titleOf = ({ x, y, label, titleX }) => ({ x: x + titleX, y: y + 6, width: textWidth(label, 12), height: 12 });

/** Everything that nothing may cover. @param {Scene["items"]} items @returns {Named[]} */
const shapesOf = (items) => [
  ...items.filter(({ open }) => !open),
  ...items.flatMap(({ constants }) => constants.map((each) => ({ id: each.names[0], ...each }))),
];

/** @typedef {import("../../../frontend/geometry/viewport.js").Box & {id: string}} Named */

/** Finds one of the boxes that overlaps a box. @param {Named[]} boxes @returns {(box: import("../../../frontend/geometry/viewport.js").Box, but?: ReadonlySet<string>) => Named | undefined} */
function found(boxes) {
  /** @type {import("./buckets.js").Buckets<Named>} */
  const buckets = createBuckets();
  for (const box of boxes) buckets.add(box, box);
  return (box, but) => {
    for (const { thing } of buckets.near(box)) if (overlaps(box, thing) && !but?.has(thing.id)) return thing;
    return undefined;
  };
}

/** Nothing overlaps but a scope and what it holds. @param {Scene} scene @param {string} id */
export function assertApart({ items }, id) {
  const parent = new Map(items.map((item) => [item.id, item.parent]));
  const closed = found(items.filter(({ open }) => !open));
  const opened = found(items.filter(({ open }) => open));
  const within = new Map(items.map((item) => [item.id, new Set([item.id, ...ancestors(item.id, parent)])]));
  for (const item of items) {
    for (const box of [item, ...item.constants])
      assert.ok(Number.isFinite(box.x) && Number.isFinite(box.y), `${id}: a box without a place`);
    const hit =
      opened(item, item.open ? related(item.id) : within.get(item.id)) ??
      (item.open ? undefined : closed(item, within.get(item.id)));
    assert.ok(!hit, `${id}: ${item.id} overlaps ${hit?.id}`);
  }

  /** The scopes around an open scope, and those inside it. @param {string} scope */
  function related(scope) {
    const inner = [...within].filter(([, around]) => around.has(scope)).map(([id]) => id);
    return new Set([...inner, ...(within.get(scope) ?? [])]);
  }
}

/** @param {string} id @param {ReadonlyMap<string, string>} parent */
function ancestors(id, parent) {
  const found = [];
  for (let at = parent.get(id); at; at = parent.get(at)) found.push(at);
  return found;
}

/** Straight pieces of lines keep out of every item but their own ends. @param {Scene} scene @param {string} id */
export function assertClear({ items, edges }, id) {
  const crossed = found(shapesOf(items).map((box) => ({ id: box.id, ...grown(box, -1) })));
  for (const { points, from, to, title } of edges) {
    const ends = new Set([from, to]);
    for (let i = 1; i < points.length; i += 1) {
      const [a, b] = [points[i - 1], points[i]];
      if (a.x !== b.x && a.y !== b.y) continue;
      const hit = crossed(grown(around([a, b]), 0.5), ends);
      assert.ok(!hit, `${id}: the line ${title} runs through ${hit?.id}`);
    }
  }
}

/** Lines of different kinds never lie on one another. @param {Scene} scene @param {string} id */
export function assertDistinct({ edges }, id) {
  const pieces = edges.flatMap((edge) => straightPieces(edge.points).map((piece) => ({ edge, ...piece })));
  pieces.sort((a, b) => Number(a.level) - Number(b.level) || a.at - b.at);
  pieces.forEach((a, i) => {
    for (let j = i + 1; j < pieces.length && pieces[j].level === a.level && pieces[j].at - a.at < APART; j += 1) {
      const b = pieces[j];
      const shared = Math.min(a.high, b.high) - Math.max(a.low, b.low);
      assert.ok(
        styleOf(a.edge) === styleOf(b.edge) || shared < SHARED_MOST,
        `${id}: the line ${a.edge.title} (${styleOf(a.edge)}) lies on ${b.edge.title} (${styleOf(b.edge)})`,
      );
    }
  });
}

const APART = 1; // px between two lines that can be told apart
const SHARED_MOST = 6; // px that two lines may touch where they meet

/** The level and upright pieces of a line. @param {ReadonlyArray<{x: number, y: number}>} points */
function straightPieces(points) {
  return points.slice(1).flatMap((b, i) => {
    const a = points[i];
    if (a.y === b.y) return [{ level: true, at: a.y, low: Math.min(a.x, b.x), high: Math.max(a.x, b.x) }];
    return a.x === b.x ? [{ level: false, at: a.x, low: Math.min(a.y, b.y), high: Math.max(a.y, b.y) }] : [];
  });
}

/** A line that ends in a band keeps within it, as far as the band's lane reaches, and no line lies on its border. @param {Scene} scene @param {string} id */
export function assertBanded({ edges, bands, direction }, id) {
  const upright = direction !== "right";
  const straight = edges
    .flatMap(({ points, title }) => points.slice(1).map((to, i) => ({ title, box: around([points[i], to]) })))
    .filter(({ box }) => box.width === 0 || box.height === 0);
  for (const band of bands) {
    const [along, across] = upright ? /** @type {const} */ (["y", "x"]) : /** @type {const} */ (["x", "y"]);
    const size = { x: band.width, y: band.height };
    /** @param {{x: number, y: number}} point @param {"x" | "y"} axis */
    const between = (point, axis) => point[axis] > band[axis] && point[axis] < band[axis] + size[axis];
    for (const { points, title } of edges) {
      const ends = [points[0], points[points.length - 1]].filter((end) => between(end, across));
      const own = ends.length > 0 && ends.every((end) => between(end, along));
      const beside = own && points.some((point) => between(point, across) && !between(point, along));
      assert.ok(!beside, `${id}: the line ${title} runs beside the band ${band.name}`);
      const detour = own && ends.length === 2 && points.some((point) => !between(point, across));
      assert.ok(!detour, `${id}: the line ${title} goes around the band ${band.name}`);
    }
    const sides = sidesOf(band);
    const on = straight.find(({ box }) => sides.some((side) => liesOn(box, side)));
    assert.ok(!on, `${id}: the line ${on?.title} lies on the border of the band ${band.name}`);
  }
}

const OFF_BORDER = 2; // px
const PASSING = 12; // px of a line that may lie near a border: what crosses it does

/** Whether a piece of a line runs along the side of a box. @param {import("../../../frontend/geometry/viewport.js").Box} piece @param {import("../../../frontend/geometry/viewport.js").Box} side */
function liesOn(piece, side) {
  const [breadth, length] =
    side.width === 0 ? /** @type {const} */ (["width", "height"]) : /** @type {const} */ (["height", "width"]);
  if (piece[breadth] !== 0) return false;
  const near = grown(piece, OFF_BORDER);
  return overlaps(near, side) && common(near, side)[length] > PASSING;
}
