import assert from "node:assert/strict";
import { test } from "node:test";

import { typedNumber } from "../../../frontend/values/typed.js";

const READ = {
  3: 3,
  "-0.5": -0.5,
  ".5": 0.5,
  "1e-3": 0.001,
  "1E3": 1000,
  "2/3": 2 / 3,
  "pi/2": Math.PI / 2,
  "−π": -Math.PI,
  "2π": 2 * Math.PI,
  "1/2π": Math.PI / 2,
  "√2": Math.SQRT2,
  "2√2": 2 * Math.SQRT2,
  "√(2/8)": 0.5,
  "sqrt(9)": 3,
  "∛8": 2,
  e: Math.E,
  "e^2": Math.E ** 2,
  "2^-1": 0.5,
  "2^3^2": 512,
  "-3²": -9,
  "10⁻³": 0.001,
  "(1 + 2) × 3 ÷ 2": 4.5,
  "３．５": 3.5,
  " −1 ": -1,
  "1 - 2 - 3": -4,
};

for (const [text, number] of Object.entries(READ))
  test(`"${text}" is ${number}`, () => assert.ok(Math.abs((typedNumber(text) ?? NaN) - number) < 1e-12));

for (const text of ["", " ", "x", "3 4", "1,5", "1/0", "√-1", "2(", "3)", "1e999", "0x10", "--", "2**3", "nan", "1.2.3"])
  test(`"${text}" is no number`, () => assert.equal(typedNumber(text), null));
