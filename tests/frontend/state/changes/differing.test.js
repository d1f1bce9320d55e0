import assert from "node:assert/strict";
import { test } from "node:test";

import {
  goneEdges,
  isInGradientsOnly,
  kindsOf,
  openAtFirst,
  pictureOf,
  rowsOf,
} from "../../../../frontend/state/changes/differing.js";

/** @import { Differences, MarkedNode } from "../../../../frontend/types.js" */

/** @param {string} name @param {MarkedNode["difference"]} difference @param {Partial<MarkedNode>} [more] @returns {MarkedNode} */
const node = (name, difference, more = {}) => ({
  ...{ name, op: "Mul", inputs: [], control_inputs: [], attrs: {}, device: "", phase: "forward", of: null, span: null },
  ...{ outputs: [], value: null, was: name, removed_inputs: [], difference },
  ...more,
});

/** @param {MarkedNode[]} nodes @param {Differences["changed"]} [changed] */
const answer = (nodes, changed = []) =>
  /** @type {Differences} */ (/** @type {unknown} */ ({ after: { target: "Exp:0" }, graph: { nodes }, changed, renamed: [] }));

const GONE = answer([
  node("x", "same"),
  node("Sin", "same", { inputs: ["x"] }),
  node("Neg@before", "removed", { inputs: ["Sin:0"], was: "Neg" }),
  node("Exp", "same", { inputs: ["Sin"], removed_inputs: ["Neg@before"] }),
]);

test("what is gone is drawn under its own name, between what it stood between", () => {
  const { nodes } = pictureOf(GONE, true, new Map());
  assert.deepEqual(nodes.map(({ label }) => label).filter(Boolean), ["Neg"]);
  assert.deepEqual(nodes[3].inputs, ["Sin", "Neg@before"]);
});

test("edges to and from what is gone are gone", () => {
  assert.deepEqual([...goneEdges(GONE)], ["Sin Neg@before", "Neg@before Exp"]);
});

test("a line between closed scopes is gone where all of its edges are", () => {
  const gone = goneEdges(
    answer([
      node("a/x", "same"),
      node("a/z", "same"),
      node("b/y", "same", { removed_inputs: ["a/x:0"] }),
      node("c", "same", { inputs: ["a/z"], removed_inputs: ["a/x"] }),
    ]),
  );
  assert.deepEqual([...gone], ["a/x b/y", "a/x b/", "a/ b/y", "a/ b/", "a/x c"]); // "a/ c" stands for one that is there, too
});

test("a scope is what all in it is, and changed where some of it differs", () => {
  const kinds = kindsOf(
    answer([node("a/x", "added"), node("a/b/y", "added"), node("c/x", "same"), node("c/y", "removed"), node("d/x", "same")]),
  );
  assert.deepEqual(
    ["a", "a/b", "c", "d"].map((scope) => kinds.get(scope)),
    ["added", "added", "changed", undefined],
  );
});

test("the list has the forward part first, and what changed of each", () => {
  const changes = [{ kind: "op", name: null, before: "Sin", after: "Cos" }];
  const rows = rowsOf(
    answer(
      [
        node("gradients/Cos", "added", { phase: "gradient" }),
        node("Cos", "changed"),
        node("y", "same"),
        node("z@before", "removed", { was: "z" }),
      ],
      [{ before: "Sin", after: "Cos", changes }],
    ),
  );
  assert.deepEqual(
    rows.map(({ kind, shown, phase }) => `${kind} ${shown} ${phase}`),
    ["changed Cos forward", "removed z forward", "added gradients/Cos gradient"],
  );
  assert.deepEqual(rows[0].changes, changes);
});

test("gradients are left out of the picture, unless nothing else differs", () => {
  const gradient = node("gradients/Neg", "added", { phase: "gradient" });
  assert.deepEqual(pictureOf(answer([node("x", "same"), gradient]), false, new Map()).nodes.length, 1);
  assert.equal(isInGradientsOnly(answer([node("x", "same"), gradient])), true);
  assert.equal(isInGradientsOnly(answer([node("x", "added"), gradient])), false);
  assert.equal(isInGradientsOnly(answer([node("x", "same")])), false);
});

test("the scopes around what differs are open at first", () => {
  assert.deepEqual([...openAtFirst(answer([node("a/b/x", "added"), node("c/y", "same")]))], ["a", "a/b"]);
});
