// slow: lays out many recorded programs, so `make check` leaves it out.

// An optimizer comes into the picture: what was there before stays together, whichever way the graph runs.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";

import { layoutGraph } from "../../../frontend/layout/layout.js";
import { recorded } from "./programs.js";

const trained = readdirSync(new URL("../../data/tensorflow/", import.meta.url))
  .filter((file) => file.startsWith("train-") && file.endsWith(".json"))
  .map((file) => file.replace(".json", ""));

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** How far the item that moves farthest goes from the others, where the optimizer's nodes are added. @param {string} id @param {"right" | "down" | "up"} direction */
function strayed(id, direction) {
  const whole = { ...recorded(id), direction };
  const nodes = whole.nodes.filter(({ phase }) => phase === "forward" || phase === "gradient");
  const after = new Map(layoutGraph(whole).items.map((item) => [item.id, item]));
  const moves = layoutGraph({ ...whole, nodes }).items.flatMap(({ id: own, x, y }) => {
    const now = after.get(own);
    return now ? [{ x: now.x - x, y: now.y - y }] : [];
  });
  const [dx, dy] = [median(moves.map(({ x }) => x)), median(moves.map(({ y }) => y))];
  return Math.max(...moves.map(({ x, y }) => Math.hypot(x - dx, y - dy)));
}

test(`in ${trained.length} programs an optimizer moves as little in pictures that run up as in others`, (t) => {
  const [right, down, up] = /** @type {const} */ (["right", "down", "up"]).map((way) => trained.map((id) => strayed(id, way)));
  for (const [name, moves] of Object.entries({ right, down, up }))
    t.diagnostic(`${name}: median ${median(moves).toFixed(0)} px, worst ${Math.max(...moves).toFixed(0)} px`);
  assert.ok(median(up) <= Math.max(median(right), median(down)));
  assert.ok(Math.max(...up) <= Math.max(...right, ...down));
});
