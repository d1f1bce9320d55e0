import assert from "node:assert/strict";
import { test } from "node:test";

import { exactValue, formatNumber, formatValue, shapeOf, shortValue } from "../../../frontend/values/format.js";

test("a number has four significant digits and a real minus sign", () => {
  assert.equal(formatNumber(1.1515628), "1.152");
  assert.equal(formatNumber(-0.98999), "−0.99");
  assert.equal(formatNumber(3), "3");
  assert.equal(formatNumber(-0), "0");
});

test("thousands are parted by thin spaces, and an integer's end is not cut off", () => {
  assert.equal(formatNumber(12345), "12\u202f345");
  assert.equal(formatNumber(-1234.5), "−1\u202f235");
});

test("very large and very small numbers are written with a power of ten", () => {
  assert.equal(formatNumber(2.5e8), "2.5×10⁸");
  assert.equal(formatNumber(-9.04e-14), "−9.04×10⁻¹⁴");
});

test("what JSON cannot hold is written as mathematicians do", () => {
  assert.equal(formatValue("inf"), "∞");
  assert.equal(formatValue("-inf"), "−∞");
  assert.equal(formatValue("nan"), "NaN");
  assert.equal(formatValue(null), "–");
});

test("a tensor is its nested list, rounded or in full", () => {
  const tensor = { dtype: "float32", shape: [2], data: [0.12345678, -1] };
  assert.equal(formatValue(tensor), "[0.1235, −1]");
  assert.equal(exactValue(tensor), "[0.12345678, −1]");
});

test("a value that does not fit is shown as its shape", () => {
  assert.equal(
    shortValue(
      {
        dtype: "float32",
        shape: [2, 3],
        data: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
      9,
    ),
    "2×3",
  );
  assert.equal(shortValue([1, 2], 9), "[1, 2]");
  assert.deepEqual(
    shapeOf([
      [1, 2, 3],
      [4, 5, 6],
    ]),
    [2, 3],
  );
});

test("a number in little room has fewer digits and its whole exponent", () => {
  assert.equal(shortValue(-4.418e-14, 9), "−4×10⁻¹⁴");
  assert.equal(shortValue(1.2345e7, 8), "1.23×10⁷");
  assert.equal(shortValue(-0.00012345, 9), "−0.000123");
  assert.equal(shortValue({ dtype: "float32", shape: [], data: -1.234e-5 }, 9), "−1.2×10⁻⁵");
  assert.equal(shortValue(-4.418e-14, 12), "−4.418×10⁻¹⁴");
});

test("a vector in little room has fewer digits, then its shape, which is no number", () => {
  assert.equal(shortValue([0.1234, 5], 10), "[0.123, 5]");
  assert.equal(shortValue([0.1234, 5.678], 10), "(2)");
});

test("a tensor too large to be sent shows its type and shape", () => {
  assert.equal(formatValue({ dtype: "float32", shape: [100, 100], data: null }), "float32 (100, 100)");
});
