// slow: lays out every recorded program, so `make check` leaves it out.

// Crossings, beside those of dagre, on a fixed corpus: the recorded programs in one flow with their scopes closed, and
// layered networks drawn at random from a fixed seed.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";

import dagre from "@dagrejs/dagre";

import { piecesOf } from "../../../frontend/geometry/path.js";
import { layoutGraph } from "../../../frontend/layout/layout.js";
import { cross } from "./fans.js";
import { model, node, recorded } from "./programs.js";

/** @typedef {import("../../../frontend/layout/types.js").Scene} Scene */
/** @typedef {import("../../../frontend/layout/types.js").Point} Point */
/** @typedef {{from: string, to: string, pieces: ReadonlyArray<readonly [Point, Point]>}} Line */

/** One line for each pair of items that is joined. @param {Scene} scene @returns {Line[]} */
function ours({ edges }) {
  const pairs = new Map(edges.filter(({ from, to }) => from !== to).map((edge) => [`${edge.from} ${edge.to}`, edge]));
  return [...pairs.values()].map(({ from, to, points }) => ({ from, to, pieces: piecesOf(points, false) }));
}

/** The same items and lines as dagre lays them out. @param {Scene} scene @returns {Line[]} */
function dagres(scene) {
  const graph = new dagre.graphlib.Graph().setGraph({ rankdir: "LR", nodesep: 16, ranksep: 26 }).setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of scene.items) graph.setNode(id, { width, height });
  for (const { from, to } of ours(scene)) graph.setEdge(from, to);
  dagre.layout(graph);
  return graph.edges().map((edge) => ({ from: edge.v, to: edge.w, pieces: piecesOf(graph.edge(edge).points ?? [], false) }));
}

/** How many pairs of lines without a common end cross. @param {Line[]} lines */
function crossings(lines) {
  let found = 0;
  lines.forEach((a, i) => {
    for (const b of lines.slice(i + 1)) {
      const apart = new Set([a.from, a.to, b.from, b.to]).size === 4;
      if (apart && a.pieces.some((p) => b.pieces.some((q) => cross(p, q)))) found += 1;
    }
  });
  return found;
}

/** Layers of ops, each reading two or three of the layer before and now and then one further back. @param {number} seed @param {number} layers @param {number} width */
function network(seed, layers, width) {
  let state = seed;
  const random = (/** @type {number} */ below) => (state = (state * 48271) % 2147483647) % below;
  const name = (/** @type {number} */ layer, /** @type {number} */ i) => `n${layer}_${i}x`;
  return Array.from({ length: layers * width }, (_, k) => {
    const [layer, i] = [Math.floor(k / width), k % width];
    const near = layer === 0 ? [] : [i, (i + 1 + random(2)) % width].map((j) => name(layer - 1, j));
    const far = layer > 2 && random(4) === 0 ? [name(layer - 2 - random(2), random(width))] : [];
    return node(name(layer, i), "Add", [...near, ...far]);
  });
}

const recordings = readdirSync(new URL("../../data/tensorflow/", import.meta.url))
  .filter((file) => file.endsWith(".json") && !file.startsWith("tape-"))
  .map((file) => file.replace(".json", ""));

const corpora = {
  "recorded programs": recordings.map((id) => layoutGraph({ ...recorded(id), merged: true })),
  "random networks": [3, 5, 7, 11, 13, 17].map((seed) => layoutGraph(model(network(seed, 6, 5)))),
};

for (const [name, scenes] of Object.entries(corpora)) {
  test(`lines cross no more than a tenth more often than dagre's in ${scenes.length} ${name}`, (t) => {
    const sum = (/** @type {(scene: Scene) => Line[]} */ lines) =>
      scenes.reduce((all, scene) => all + crossings(lines(scene)), 0);
    const [own, theirs] = [sum(ours), sum(dagres)];
    t.diagnostic(`crossings: ${own}, dagre ${theirs}`);
    assert.ok(own <= 1.1 * theirs, `${own} crossings, dagre has ${theirs}`);
  });
}
