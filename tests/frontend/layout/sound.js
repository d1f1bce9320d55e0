// What every drawing keeps to: nothing overlaps, no line runs through an op, no label stands on one.

import assert from "node:assert/strict";

import { grown, overlaps } from "../../../frontend/geometry/box.js";
import { textWidth } from "../../../frontend/geometry/text.js";

/** @typedef {import("../../../frontend/layout/types.js").Scene} Scene */

/** @param {Scene} scene @param {string} id */
export function assertReadable({ items, edges }, id) {
  for (const { label } of edges) {
    if (!label) continue;
    const width = textWidth(label.text, 11) * 0.9;
    const box = { x: label.anchor === "end" ? label.x - width : label.x, y: label.y - 8, width, height: 8 };
    const hit = items.find((item) => !item.open && overlaps(box, grown(item, -2)));
    assert.equal(hit, undefined, `${id}: the label ${label.text} stands on ${hit?.id}`);
  }
}

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
