// What every drawing keeps to: nothing overlaps, no line runs through an op, no label stands on one.

import assert from "node:assert/strict";

import { around, grown, overlaps } from "../../../frontend/geometry/box.js";
import { piecesOf } from "../../../frontend/geometry/path.js";
import { textWidth } from "../../../frontend/geometry/text.js";
import { boxOf } from "../../../frontend/layout/captions.js";

/** @typedef {import("../../../frontend/layout/types.js").Scene} Scene */

/** No label stands on an item, a constant, a title or a line; no line runs through the title of an open scope. @param {Scene} scene @param {string} id */
export function assertReadable({ items, edges, bands, direction }, id) {
  const scopes = items.filter(({ open }) => open).map((item) => ({ id: `the title of ${item.id}`, ...titleOf(item) }));
  const titles = [...scopes, ...bands.map((band) => ({ id: `the title of ${band.name}`, ...titleOf({ ...band, label: band.name, titleX: band.titleX + 22 }) }))];
  const shapes = [...items.filter(({ open }) => !open), ...items.flatMap(({ constants }) => constants.map((each) => ({ id: each.name, ...each })))];
  const lines = edges.flatMap((edge) => piecesOf(edge.points, direction !== "right").map((piece) => ({ id: `the line ${edge.title}`, ...around(piece) })));
  for (const { label } of edges) {
    if (!label) continue;
    const hit = [...shapes, ...titles, ...lines].find((box) => overlaps(boxOf(label), grown(box, box.width > 3 && box.height > 3 ? -1 : 0.5)));
    assert.equal(hit, undefined, `${id}: the label ${label.text} stands on ${hit?.id}`);
  }
  for (const title of scopes) {
    const hit = lines.find((line) => overlaps(title, grown(line, 0.5)));
    assert.equal(hit, undefined, `${id}: ${hit?.id} runs through ${title.id}`);
  }
}

/** @param {{x: number, y: number, label: string, titleX: number}} open */
const titleOf = ({ x, y, label, titleX }) => ({ x: x + titleX, y: y + 6, width: textWidth(label, 12), height: 12 });

/** @param {Scene} scene @param {string} id */
export function assertApart({ items }, id) {
  const boxes = items.flatMap((item) => [item, ...item.constants]);
  const parent = new Map(items.map((item) => [item.id, item.parent]));
  items.forEach((a, i) => {
    for (const b of items.slice(i + 1)) {
      const inside = ancestors(a.id, parent).includes(b.id) || ancestors(b.id, parent).includes(a.id);
      if (!inside) assert.ok(!overlaps(a, b), `${id}: ${a.id} overlaps ${b.id}`);
    }
  });
  for (const box of boxes) assert.ok(Number.isFinite(box.x) && Number.isFinite(box.y), `${id}: a box without a place`);
}

/** @param {string} id @param {ReadonlyMap<string, string>} parent */
function ancestors(id, parent) {
  const found = [];
  for (let at = parent.get(id); at; at = parent.get(at)) found.push(at);
  return found;
}

/** Straight pieces of lines keep out of every item but their own ends. @param {Scene} scene @param {string} id */
export function assertClear({ items, edges }, id) {
  for (const { points, from, to, title } of edges) {
    const ends = new Set([from, to]);
    const shapes = items.filter((item) => !item.open && !ends.has(item.id));
    const others = [...shapes, ...items.flatMap(({ constants }) => constants)];
    for (let i = 1; i < points.length; i += 1) {
      const [a, b] = [points[i - 1], points[i]];
      if (a.x !== b.x && a.y !== b.y) continue;
      const line = { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
      const hit = others.find((item) => overlaps(grown(line, 0.5), grown(item, -1)));
      assert.equal(hit, undefined, `${id}: the line ${title} runs through ${hit && "id" in hit ? hit.id : hit?.name}`);
    }
  }
}
