import assert from "node:assert/strict";
import { test } from "node:test";

import { layoutGraph } from "../../../../frontend/layout/layout.js";
import { withMoves } from "../../../../frontend/layout/scene/moved.js";
import { CHAIN } from "../../chain.js";

const MODEL = { nodes: CHAIN.graph.nodes, target: "Exp:0", names: new Map(), open: new Set(["gradients", "x"]) };
const SCENE = layoutGraph(MODEL);
const place = (/** @type {import("../../../../frontend/layout/types.js").Scene} */ scene, /** @type {string} */ id) => {
  const { x, y } = scene.items.find((item) => item.id === id) ?? { x: NaN, y: NaN };
  return { x, y };
};

test("without moves, or with moves of what is not drawn, the scene stays", () => {
  assert.equal(withMoves(SCENE, new Map()), SCENE);
  assert.equal(withMoves(SCENE, new Map([["nobody", [10, 10]]])), SCENE);
});

test("an item goes as far as it was moved, and nothing else goes with it", () => {
  const moved = withMoves(SCENE, new Map([["Exp", [40, -25]]]));
  const [before, after] = [place(SCENE, "Exp"), place(moved, "Exp")];
  assert.deepEqual(after, { x: before.x + 40, y: before.y - 25 });
  for (const { id } of SCENE.items) if (id !== "Exp") assert.deepEqual(place(moved, id), place(SCENE, id));
});

test("the lines of a moved item end at it, and begin where they began", () => {
  const moved = withMoves(SCENE, new Map([["Exp", [0, -80]]]));
  const line = (/** @type {typeof SCENE} */ scene) =>
    scene.edges.find(({ from, to }) => from === "Sin" && to === "Exp")?.points ?? [];
  const [before, after] = [line(SCENE), line(moved)];
  assert.deepEqual(after[0], before[0]);
  assert.equal(after.at(-1)?.y, (before.at(-1)?.y ?? 0) - 80);
});

test("what a scope holds goes with it, and stays inside when moved by itself", () => {
  const moved = withMoves(
    SCENE,
    new Map([
      ["x/", [0, -50]],
      ["x/read", [0, 5000]],
    ]),
  );
  const scope = moved.items.find(({ id }) => id === "x/");
  const read = moved.items.find(({ id }) => id === "x/read");
  assert.ok(scope && read);
  assert.equal(scope.y, place(SCENE, "x/").y - 50);
  assert.ok(read.y >= scope.y && read.y + read.height <= scope.y + scope.height);
});

test("the page grows with what is moved out of it", () => {
  const moved = withMoves(SCENE, new Map([["Exp", [2000, 0]]]));
  assert.ok(moved.page.width > SCENE.page.width + 1000);
});
