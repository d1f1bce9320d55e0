import assert from "node:assert/strict";
import test from "node:test";

import { piecesOf, rowsOf } from "../../../frontend/geometry/paper.js";

test("a graph that can be read on one sheet is printed whole", () => {
  const page = { x: -10, y: 5, width: 1000, height: 400 };
  assert.deepEqual(piecesOf(page), [page]);
});

test("a wide graph is cut into equal pieces that overlap, from its left end to its right end", () => {
  const pieces = piecesOf({ x: 0, y: 0, width: 4000, height: 200 });
  assert.deepEqual(
    pieces,
    [0, 776, 1552, 2328, 3104].map((x) => ({ x, y: 0, width: 896, height: 200 })),
  );
});

test("pieces that would take a third sheet are fewer and smaller, as long as they can be read", () => {
  assert.equal(piecesOf({ x: 0, y: 0, width: 4000, height: 400 }).length, 4); // at 0.66 of the size 1054 px high, five 1603
  assert.equal(piecesOf({ x: 0, y: 0, width: 4000, height: 1400 }).length, 3); // at 0.51; two would be at 0.35
});

test("a high graph is cut from the top to the bottom", () => {
  const pieces = piecesOf({ x: 0, y: 0, width: 500, height: 2000 });
  assert.deepEqual(pieces, [
    { x: 0, y: 0, width: 500, height: 1060 },
    { x: 0, y: 940, width: 500, height: 1060 },
  ]);
});

test("no more pieces are made than make it larger: the shorter side fits on a sheet too", () => {
  assert.equal(piecesOf({ x: 0, y: 0, width: 6000, height: 3024 }).length, 3); // at a quarter of the size a sheet holds 2872 px
});

test("a huge graph is cut into eight pieces at most, smaller than the others", () => {
  const pieces = piecesOf({ x: 0, y: 0, width: 20_000, height: 400 });
  assert.equal(pieces.length, 8);
  assert.equal(pieces[7].x + pieces[7].width, 20_000);
});

test("a drawing in a place that is wide enough is whole, and no larger than a fifth more than on screen", () => {
  const page = { x: 0, y: 0, width: 300, height: 100 };
  assert.deepEqual(rowsOf(page, { width: 700, height: 300 }), { pieces: [page], scale: 1.2 });
});

test("a long drawing stands in rows, as large as it gets: 2 rows of (2000 - 120) / 2 + 120 = 1060", () => {
  const { pieces, scale } = rowsOf({ x: 0, y: 0, width: 2000, height: 200 }, { width: 700, height: 300 });
  assert.deepEqual(
    pieces.map(({ x, width }) => [x, width]),
    [
      [0, 1060],
      [940, 1060],
    ],
  );
  assert.equal(scale, 700 / 1060);
});

test("a high drawing stands in pieces side by side", () => {
  const { pieces } = rowsOf({ x: 0, y: 0, width: 200, height: 2000 }, { width: 700, height: 300 });
  assert.ok(pieces.length > 1);
  assert.ok(pieces.every(({ x, width }) => x === 0 && width === 200));
});
