// Rows: a picture that is too long for the window goes on beneath itself, and stays the same picture.

import assert from "node:assert/strict";
import test from "node:test";

import { piecesOf } from "../../../../frontend/geometry/path.js";
import { layoutGraph } from "../../../../frontend/layout/layout.js";
import { inRows } from "../../../../frontend/layout/rows/rows.js";
import { cross } from "../fans.js";
import { expSin, itemOf, middleX, middleY, model, node } from "../programs.js";
import { assertApart, assertClear, assertDistinct, assertReadable } from "../sound.js";

const ROOM = { width: 500, height: 800 };
const LETTERS = [..."abcdefghijkl"];

/** @typedef {import("../../../../frontend/layout/types.js").Scene} Scene */
/** @typedef {import("../../../../frontend/layout/types.js").ApiNode} ApiNode */

/** Twelve ops, each reading the one before. @param {ApiNode[]} [more] @param {string[]} [open] */
const chain = (more = [], open = []) =>
  layoutGraph(
    model([...LETTERS.map((name, i) => node(`op${name}`, "Sin", i > 0 ? [`op${LETTERS[i - 1]}`] : [])), ...more], open),
  );

/** The numbers of the rows in which the ops of the chain stand. @param {Scene} scene */
function rowsOf(scene) {
  const tops = [...new Set(LETTERS.map((name) => itemOf(scene, `op${name}`).y))];
  return LETTERS.map((name) => tops.indexOf(itemOf(scene, `op${name}`).y));
}

test("what has room in one row stays as it is", () => {
  const scene = layoutGraph(expSin());
  assert.equal(inRows(scene, { width: scene.page.width, height: 100 }), scene);
});

test("a chain of twelve ops, 1,258 px long, goes on in rows of at most 500 px, from left to right in each", () => {
  const whole = chain();
  const scene = inRows(whole, ROOM);
  assert.ok(whole.page.width > 1200 && scene.page.width <= ROOM.width);
  assert.deepEqual(rowsOf(scene), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
  const places = LETTERS.slice(4, 8).map((name) => middleX(itemOf(scene, `op${name}`)));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
});

test("a line goes on in the next row: right of its row it turns down, and back between the two", () => {
  const scene = inRows(chain(), ROOM);
  const [line] = scene.edges.filter(({ from, to }) => from === "opd" && to === "ope");
  const [right, left] = [Math.max, Math.min].map((most) => most(...line.points.map(({ x }) => x)));
  const [above, beneath] = [itemOf(scene, "opd"), itemOf(scene, "ope")];
  assert.ok(right > above.x + above.width && left < beneath.x);
  const between = line.points.filter(({ y }) => y > above.y + above.height && y < beneath.y);
  assert.deepEqual(new Set(between.map(({ x }) => x)), new Set([right, left]));
});

test("lines that pass a break one above the other do not cross there", () => {
  const first = ["opa", "opb", "opc"].map((name) => node(name, "Placeholder"));
  const towers = LETTERS.slice(3).flatMap((_, i) =>
    [0, 1, 2].map((k) => node(`t${k}_${i}x`, "Sin", [i > 0 ? `t${k}_${i - 1}x` : first[k].name])),
  );
  const scene = inRows(layoutGraph(model([...first, ...towers])), ROOM);
  assert.ok((scene.breaks ?? []).length > 0);
  const lines = scene.edges.map(({ points }) => piecesOf(points, false));
  const crossing = lines.flatMap((a, i) => lines.slice(i + 1).filter((b) => a.some((p) => b.some((q) => cross(p, q)))));
  assert.equal(crossing.length, 0);
});

test("what is opened in the last row moves nothing in the rows before it", () => {
  const tail = [node("t/x", "Sin", ["opl"]), node("t/y", "Sin", ["t/x"]), node("t/z", "Sin", ["t/y"])];
  const [closed, open] = [[], ["t"]].map((names) => inRows(chain(tail, names), ROOM));
  assert.equal(itemOf(open, "t/").open, true);
  for (const name of LETTERS.slice(0, 8)) {
    const [was, is] = [itemOf(closed, `op${name}`), itemOf(open, `op${name}`)];
    assert.deepEqual([is.x, is.y], [was.x, was.y], name);
  }
});

test("a band goes on in every row that it reaches into, and has its title in one", () => {
  const whole = layoutGraph(expSin());
  const scene = inRows(whole, { width: whole.page.width / 1.6, height: 800 });
  const pieces = scene.bands.filter(({ name }) => name === "gradients");
  assert.ok(pieces.length > 1);
  assert.equal(pieces.filter(({ part }) => part === 0).length, 1);
  for (const id of ["gradients/Sin_grad/", "gradients/Exp_grad/", "gradients/Fill"]) {
    const item = itemOf(scene, id);
    const around = pieces.filter(({ y, height }) => y < item.y && item.y + item.height < y + height);
    assert.equal(around.length, 1, id);
  }
});

test("a gradient stands beneath its op in a row as well", () => {
  const whole = layoutGraph(expSin());
  const scene = inRows(whole, { width: whole.page.width / 1.6, height: 800 });
  for (const [above, below] of [
    ["Sin", "gradients/Sin_grad/"],
    ["Exp", "gradients/Exp_grad/"],
  ])
    assert.ok(Math.abs(middleX(itemOf(scene, above)) - middleX(itemOf(scene, below))) < 0.01, below);
  assert.ok(middleY(itemOf(scene, "Exp")) > middleY(itemOf(scene, "gradients/Sin_grad/")));
});

test("a picture that runs down is left as it is", () => {
  const nodes = LETTERS.map((name, i) => node(`op${name}`, "Sin", i > 0 ? [`op${LETTERS[i - 1]}`] : []));
  const down = layoutGraph({ ...model(nodes), direction: "down" });
  assert.equal(inRows(down, { width: 10, height: 10 }), down);
});

test("in rows nothing overlaps, and no line runs through an op or lies on one of another kind", () => {
  const scene = inRows(layoutGraph(expSin("Variable", "gradients/Exp_grad")), ROOM);
  assert.ok((scene.breaks ?? []).length > 0);
  for (const check of [assertApart, assertClear, assertReadable, assertDistinct]) check(scene, "exp(sin x)");
});
