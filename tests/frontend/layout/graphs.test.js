// slow: lays out every recorded program, so `make check` leaves it out.

// Small graphs made to be hard to draw (tests/data/graphs), in every layout and part.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { nodesFrom } from "../../../frontend/layout/graph/graph_import.js";
import { partOf } from "../../../frontend/layout/graph/part.js";
import { scopesToOpen, scopeTree } from "../../../frontend/layout/graph/scopes.js";
import { layoutGraph } from "../../../frontend/layout/layout.js";
import { assertApart, assertClear, assertReadable } from "./sound.js";

const FOLDER = new URL("../../data/graphs/", import.meta.url);
const PARTS = /** @type {const} */ (["both", "forward", "backward"]);

const graphs = readdirSync(FOLDER).map((file) => {
  const nodes = nodesFrom(readFileSync(new URL(file, FOLDER), "utf8")) ?? [];
  return { id: file.replace(".json", ""), nodes };
});

const DIRECTIONS = /** @type {const} */ (["right", "down", "up"]);

/** Every drawing of a graph: two layouts, three parts, three directions, as first seen and with all scopes open. @param {typeof graphs[number]} graph */
function* drawings({ id, nodes }) {
  for (const merged of [false, true])
    for (const part of PARTS)
      for (const direction of DIRECTIONS)
        for (const open of [scopesToOpen(nodes), [...scopeTree(nodes).scopes.keys()]]) {
          const model = {
            ...partOf({ nodes, target: null, names: new Map(), gradients: [] }, part),
            merged,
            direction,
            open: new Set(open),
          };
          yield { name: `${id}, ${part}, merged ${merged}, ${direction}, ${open.length} open`, scene: layoutGraph(model) };
        }
}

for (const graph of graphs) {
  test(`${graph.id} is drawn without overlaps in every layout and part`, () => {
    assert.ok(graph.nodes.length > 2);
    for (const { name, scene } of drawings(graph)) {
      assertApart(scene, name);
      assertClear(scene, name);
      assertReadable(scene, name);
    }
  });
}
