import assert from "node:assert/strict";
import { test } from "node:test";

import { actionFor } from "../../../frontend/browser/keys.js";
import { INITIAL } from "../../../frontend/store.js";
import { STEPS } from "../chain.js";

const AT_SEED = { ...INITIAL, steps: STEPS, cursor: 3 };

/** @param {string} key @param {Partial<import("../../../frontend/browser/keys.js").Key>} [more] */
const pressed = (key, more = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  defaultPrevented: false,
  target: null,
  ...more,
});

test("arrows go one step, Home and End to the ends", () => {
  assert.equal(actionFor(pressed("ArrowRight"), AT_SEED), 4);
  assert.equal(actionFor(pressed("ArrowLeft"), AT_SEED), 2);
  assert.equal(actionFor(pressed("Home"), AT_SEED), 0);
  assert.equal(actionFor(pressed("End"), AT_SEED), 5);
});

test("with Shift an arrow goes to the next phase, then to the end", () => {
  assert.equal(actionFor(pressed("ArrowRight", { shiftKey: true }), { ...AT_SEED, cursor: 1 }), 3);
  assert.equal(actionFor(pressed("ArrowRight", { shiftKey: true }), AT_SEED), 5);
  assert.equal(actionFor(pressed("ArrowLeft", { shiftKey: true }), AT_SEED), 0);
});

test("keys typed into a field, or with Ctrl, belong to someone else", () => {
  const field = /** @type {any} */ ({ closest: () => ({}) });
  assert.equal(actionFor(pressed("ArrowRight", { target: field }), AT_SEED), null);
  assert.equal(actionFor(pressed("ArrowRight", { ctrlKey: true }), AT_SEED), null);
  assert.equal(actionFor(pressed("a"), AT_SEED), null);
});
