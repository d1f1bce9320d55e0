import assert from "node:assert/strict";
import { test } from "node:test";

import { fromHash, linkedPart, sameLink, toHash } from "../../frontend/link.js";
import { INITIAL } from "../../frontend/store.js";

const STATE = {
  ...INITIAL,
  source: "损失 = (w·x − 1)²",
  at: { x: 2 },
  open: new Set(["gradients"]),
  hidden: new Set(["Identity"]),
  moved: new Map([["Sin", /** @type {const} */ ([10, -20])]]),
  merged: true,
};

test("what a link holds comes out of it again", async () => {
  const hash = await toHash(linkedPart(STATE));
  assert.match(hash, /^#v1=[\w-]+$/);
  assert.deepEqual(await fromHash(hash, INITIAL), linkedPart(STATE));
});

test("a graph from a file has no text, so its link is the look alone", () => {
  assert.equal("source" in linkedPart({ ...STATE, source: "" }), false);
});

test("a link changes with the look, and not with the step", () => {
  assert.equal(sameLink(linkedPart(STATE), linkedPart({ ...STATE, cursor: 5 })), true);
  assert.equal(sameLink(linkedPart(STATE), linkedPart({ ...STATE, lanes: "forward" })), false);
});

for (const hash of ["", "#top", "#v1=", "#v1=%%%", "#v1=AAAA", `#v1=${"A".repeat(200_000)}`]) {
  test(`no link: ${hash.slice(0, 12) || "an empty one"}`, async () => {
    assert.equal(await fromHash(hash, INITIAL), null);
  });
}

test("fields of another kind are left out", async () => {
  const strange = /** @type {any} */ ({ source: 3, lanes: "sideways", hidden: [1], moved: [["Sin", [1]]], at: { x: "1", y: 2 }, evil: true, merged: true });
  assert.deepEqual(await fromHash(await toHash(strange), INITIAL), { at: { y: 2 }, merged: true });
});
