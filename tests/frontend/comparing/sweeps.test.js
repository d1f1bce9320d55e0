import assert from "node:assert/strict";
import { test } from "node:test";

import { automaticValue, deltaAt, errorLines, quotientsAt, relativeError } from "../../../frontend/comparing/sweeps.js";

/** @param {number[]} delta @param {import("../../../frontend/types.js").Value[]} central @param {import("../../../frontend/types.js").Value[]} error */
const sweep = (delta, central, error) => ({
  delta,
  forward: central,
  central,
  complex_step: [],
  errors: { forward: error, central: error, complex_step: [] },
  evaluations: { forward: 2, central: 2, complex_step: 1 },
});
const numeric = { float32: sweep([0.1, 0.01], [5, 6], [1, 0]), float64: sweep([0.1, 0.01, 0.001], [5, 6, 6], [1, 0.5, "nan"]) };

test("errors are drawn from the smallest δ on; 0 and NaN have no place on a logarithmic axis", () => {
  const { deltas, series } = errorLines(numeric);
  assert.deepEqual(deltas, [0.001, 0.01, 0.1]);
  assert.deepEqual(
    series.map(({ type, method }) => `${type} ${method}`),
    ["float32 forward", "float32 central", "float64 forward", "float64 central"],
  );
  assert.deepEqual(series[1].errors, [null, null, 1]);
  assert.deepEqual(series[3].errors, [null, 0.5, 1]);
});

test("at one δ stand the quotients of the float types that have it", () => {
  assert.equal(deltaAt(numeric, -3), 0.001);
  assert.deepEqual(
    quotientsAt(numeric, 0.001).map(({ type, method }) => `${type} ${method}`),
    ["float64 forward", "float64 central"],
  );
  assert.deepEqual(quotientsAt(numeric, 0.01)[1], { type: "float32", method: "central", value: 6, error: 0 });
});

test("a relative error is a part of the larger number", () => {
  assert.equal(relativeError(5, 4), 0.2);
  assert.equal(relativeError(0, 0), 0);
  assert.equal(relativeError("nan", 4), null);
});

test("of several values the component that is shown is taken", () => {
  const answer = { automatic: { value: { w: [[1, 2]], b: 3 } }, component: { name: "w", index: [0, 0] } };
  assert.equal(automaticValue(/** @type {any} */ (answer)), 1);
  assert.equal(automaticValue(/** @type {any} */ ({ automatic: { value: -1.5 }, component: { name: "x", index: [] } })), -1.5);
});
