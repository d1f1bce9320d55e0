// Rows in an open scope: what it holds goes on beneath itself, and what is around it stays as it is.

import assert from "node:assert/strict";
import test from "node:test";

import { layoutGraph } from "../../../../frontend/layout/layout.js";
import { inRows } from "../../../../frontend/layout/rows/rows.js";
import { expSin, itemOf, middleX, middleY, model, node, opened } from "../programs.js";
import { assertApart, assertClear, assertDistinct, assertReadable } from "../sound.js";

const ROOM = { width: 600, height: 800 };
const LETTERS = [..."abcdefghijkl"];

/** @typedef {import("../../../../frontend/layout/types.js").GraphModel} GraphModel */
/** @typedef {import("../../../../frontend/layout/types.js").Scene} Scene */

/** An op, twelve in a scope that each read the one before, and an op behind them. @param {string} [scope] @returns {GraphModel} */
const chain = (scope = "s/") =>
  model(
    [
      node("first", "Placeholder"),
      ...LETTERS.map((name, i) => node(`${scope}op${name}`, "Sin", [i > 0 ? `${scope}op${LETTERS[i - 1]}` : "first"])),
      node("last", "Exp", [`${scope}opl`]),
    ],
    scope.split("/").flatMap((_, i, parts) => (i > 0 ? [parts.slice(0, i).join("/")] : [])),
  );

/** @param {Scene} scene @param {string} scope */
function rowsOf(scene, scope) {
  const tops = [...new Set(LETTERS.map((name) => itemOf(scene, `${scope}op${name}`).y))];
  return LETTERS.map((name) => tops.indexOf(itemOf(scene, `${scope}op${name}`).y));
}

test("a scope of twelve ops, 1,270 px long, is at most 600 px long in rows, each from left to right", () => {
  const whole = itemOf(layoutGraph(chain()), "s/");
  const scene = layoutGraph({ ...chain(), room: ROOM });
  const scope = itemOf(scene, "s/");
  assert.ok(whole.width > 1250 && scope.width <= ROOM.width, `${whole.width} ${scope.width}`);
  assert.deepEqual(rowsOf(scene, "s/"), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
  const second = LETTERS.slice(4, 8).map((name) => middleX(itemOf(scene, `s/op${name}`)));
  assert.deepEqual(
    second,
    second.toSorted((a, b) => a - b),
  );
});

test("what comes in stands at the left of the first row, what leaves at the right of the last", () => {
  const scene = layoutGraph({ ...chain(), room: ROOM });
  const { x, width } = itemOf(scene, "s/");
  const [into, out] = [
    ["first", "s/opa"],
    ["s/opl", "last"],
  ].map(([from, to]) => scene.edges.filter((edge) => edge.from === from && edge.to === to));
  const inside = (/** @type {typeof into} */ pieces) => pieces.flatMap(({ points }) => points);
  assert.ok(inside(into).some((point) => point.x === x && Math.abs(point.y - middleY(itemOf(scene, "s/opa"))) < 0.01));
  assert.ok(inside(out).some((point) => point.x === x + width && Math.abs(point.y - middleY(itemOf(scene, "s/opl"))) < 0.01));
});

test("with room enough, or running down, a scope is laid out as without rows", () => {
  assert.deepEqual(layoutGraph({ ...chain(), room: { width: 5000, height: 800 } }), layoutGraph(chain()));
  const down = { ...chain(), direction: /** @type {const} */ ("down") };
  assert.deepEqual(layoutGraph({ ...down, room: ROOM }), layoutGraph(down));
});

test("a scope in a scope has rows of its own, within the room that the outer one leaves", () => {
  const scene = layoutGraph({ ...chain("s/t/"), room: ROOM });
  const [outer, inner] = [itemOf(scene, "s/"), itemOf(scene, "s/t/")];
  assert.ok(outer.width <= ROOM.width && inner.width < outer.width);
  assert.equal(Math.max(...rowsOf(scene, "s/t/")), 3); // three ops a row
});

test("in rows nothing overlaps, and no line runs through an op or lies on one of another kind", () => {
  const models = [chain(), chain("s/t/"), expSin("Variable", "gradients/Exp_grad"), opened("train-adam-square", true)];
  for (const each of models) {
    const scene = inRows(layoutGraph({ ...each, room: ROOM }), ROOM);
    for (const check of [assertApart, assertClear, assertReadable, assertDistinct]) check(scene, "in rows");
  }
});
