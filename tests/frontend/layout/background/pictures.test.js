// Pictures: what was laid out before is not laid out again.

import assert from "node:assert/strict";
import test from "node:test";

import { createPictures, keyOf } from "../../../../frontend/layout/background/pictures.js";
import { layoutGraph } from "../../../../frontend/layout/layout.js";
import { inRows } from "../../../../frontend/layout/rows/rows.js";
import { atOnce } from "../../../../frontend/scheduling/scheduler.js";
import { model, node } from "../programs.js";

const READABLE = { width: 300, height: 600 };

/** Ten ops in a scope, each reading the one before. @param {string[]} open */
const chain = (open) =>
  model(
    [node("x", "Placeholder"), ...Array.from({ length: 10 }, (_, i) => node(`s/op${i}`, "Sin", [i > 0 ? `s/op${i - 1}` : "x"]))],
    open,
  );

const NODES = chain([]).nodes;

/** @param {string[]} open @param {{width: number, height: number} | null} [readable] */
const asked = (open, readable = READABLE) => ({ ...chain(open), nodes: NODES, about: readable?.width ?? 0, readable });

test("a picture is the scene that is laid out anew, and its rows", () => {
  const { scene, rows } = atOnce(createPictures().inStages(asked(["s"])));
  assert.deepEqual(scene, layoutGraph(chain(["s"])));
  assert.deepEqual(rows, inRows(scene, READABLE));
  assert.ok(rows.page.width < scene.page.width);
});

test("asked for again, it is there without a stage", () => {
  const pictures = createPictures();
  const made = atOnce(pictures.inStages(asked(["s"])));
  assert.deepEqual(pictures.inStages(asked(["s"])).next(), { done: true, value: made });
});

test("with something else open, in another window or for other nodes it is another one", () => {
  const pictures = createPictures();
  atOnce(pictures.inStages(asked(["s"])));
  assert.equal(pictures.inStages(asked([])).next().done, false);
  assert.equal(pictures.inStages(asked(["s"], { width: 400, height: 600 })).next().done, false);
  assert.equal(pictures.inStages({ ...asked(["s"]), nodes: [...NODES] }).next().done, false);
  assert.equal(pictures.inStages(asked(["s"])).next().done, true);
  pictures.clear();
  assert.equal(pictures.inStages(asked(["s"])).next().done, false);
});

test("a picture is known once it was made, whatever the order in which scopes were opened", () => {
  const pictures = createPictures();
  assert.equal(pictures.has(asked(["s"])), false);
  atOnce(pictures.inStages(asked(["s"])));
  assert.equal(pictures.has(asked(["s"])), true);
  assert.equal(pictures.has({ ...asked(["s"]), about: 7 }), false);
  assert.equal(keyOf(1, new Set(["a", "b"])), keyOf(1, new Set(["b", "a"])));
  assert.notEqual(keyOf(1, new Set(["a"])), keyOf(2, new Set(["a"])));
});

test("while nothing is on screen it has one row", () => {
  const { scene, rows } = atOnce(createPictures().inStages(asked(["s"], null)));
  assert.equal(rows, scene);
});
