import assert from "node:assert/strict";
import { test } from "node:test";

import { asKept, isSameCurve, recipeOf } from "../../../frontend/runs/kept.js";
import { divergesFrom } from "../../../frontend/runs/losses.js";
import { FIRST_SETTINGS } from "../../../frontend/runs/optimizers.js";

const program = /** @type {any} */ ({ graph: { nodes: [] } });
const SQUARE = { source: "x^2", dialect: /** @type {const} */ ("auto"), at: { x: 3 } };
/** @param {unknown[]} loss @param {Partial<import("../../../frontend/runs/optimizers.js").OptimizerSettings>[]} settings @param {string} [status] */
const run = (loss, settings, status = "ok") =>
  /** @type {any} */ ({
    program,
    loss,
    status,
    parts: settings.map((each, first) => ({ first, settings: { ...FIRST_SETTINGS, ...each } })),
  });

test("a run diverges from the row of its least loss on", () => {
  assert.equal(divergesFrom("diverged", [9, 4, 1, 2, 8, 64]), 2);
  assert.equal(divergesFrom("non_finite", [9, 10, "inf", "nan"]), 0);
  assert.equal(divergesFrom("diverged", [9, 1, 5, 1, 7]), 3); // it was back at 1
});

test("a run that converges or falls without end diverges from no row", () => {
  assert.equal(divergesFrom("converged", [9, 4, 5]), null);
  assert.equal(divergesFrom("diverged", [9, -5, -1e20]), null);
  assert.equal(divergesFrom("non_finite", ["nan", "nan"]), null);
});

test("a kept run has the rows that were shown, and none that were computed ahead", () => {
  const kept = asKept(run([9, 4, 5, 6], [{ rate: 0.1 }], "diverged"), 1, SQUARE, []);
  assert.deepEqual(kept.loss, [9, 4]);
  assert.equal(kept.diverges, null); // it is not known yet
  assert.equal(asKept(run([9, 4, 5, 6], [{}], "diverged"), 3, SQUARE, []).diverges, 1);
});

test("a run is named after all settings that it was made with, each once", () => {
  const { made } = asKept(run([9, 4], [{ rate: 0.1 }, { rate: 0.1 }, { name: "Adam", rate: 0.5 }]), 1, SQUARE, []);
  assert.deepEqual(
    made.map(({ name, rate }) => [name, rate]),
    [
      ["GradientDescent", 0.1],
      ["Adam", 0.5],
    ],
  );
});

test("a run takes the first stroke that no other has", () => {
  const first = asKept(run([9], [{}]), 0, SQUARE, []);
  assert.equal(first.place, 0);
  assert.equal(asKept(run([8], [{}]), 0, SQUARE, [first]).place, 1);
  assert.equal(asKept(run([8], [{}]), 0, SQUARE, [{ ...first, place: 1 }]).place, 0);
});

test("two curves are one where settings, text and every loss are the same", () => {
  const kept = asKept(run([9, 4], [{}]), 1, SQUARE, []);
  assert.ok(isSameCurve(kept, asKept(run([9, 4], [{}]), 1, SQUARE, [kept])));
  assert.ok(!isSameCurve(kept, asKept(run([9, 4, 1], [{}]), 2, SQUARE, [kept])));
  assert.ok(!isSameCurve(kept, asKept(run([9, 4], [{ rate: 0.2 }]), 1, SQUARE, [kept])));
  assert.ok(!isSameCurve(kept, asKept(run([9, 4], [{}]), 1, { ...SQUARE, source: "x^4" }, [kept])));
});

test("of a kept run a link holds what made its three rows, and its program where that is not the page's", () => {
  const CUBE = { ...SQUARE, source: "x^3" };
  const kept = asKept(run([9, 4, 1, 0], [{ rate: 0.1 }, { rate: 0.5 }, {}]), 2, SQUARE, []);
  assert.equal("program" in recipeOf(kept, { ...SQUARE }), false);
  const { program, stages, rows, place } = recipeOf(kept, CUBE);
  assert.deepEqual([program, rows, place], [SQUARE, 2, 0]);
  assert.deepEqual(
    stages.map(({ first, settings: { rate } }) => [first, rate]),
    [
      [0, 0.1],
      [1, 0.5],
    ],
  );
});
