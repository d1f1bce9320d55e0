import assert from "node:assert/strict";
import { test } from "node:test";

import decode from "qr/decode.js";

import { qrPath } from "../../../frontend/values/qr.js";

const SCALE = 4; // pixels of a module

/** What a camera sees of a code: black and white pixels. @param {{path: string, size: number}} code */
function seen({ path, size }) {
  const width = size * SCALE;
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = Number(y) * SCALE; row < (Number(y) + 1) * SCALE; row += 1)
      for (let column = Number(x) * SCALE; column < (Number(x) + Number(length)) * SCALE; column += 1)
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
  return { width, height: width, data };
}

for (const link of [
  "https://gradlens.school/l/l_abcdefghijklmnopqrstuvwxyz",
  "http://192.168.0.7:8000/?example=g12&lesson=gradient#v1=JY9LDsIwDESvgryiUnfsKrHhAhwAsTCJm0SEuMoHihB3Z1I2",
  `http://127.0.0.1:8000/#v1=${"aZ09-_".repeat(300)}`,
]) {
  test(`a code leads where its link leads: ${link.slice(0, 40)}, ${link.length} characters`, () => {
    const code = qrPath(link);
    assert.ok(code);
    assert.equal(decode(seen(code)), link);
  });
}

test("a code has four modules of white around it, and three large marks in its corners", () => {
  const code = qrPath("https://gradlens.school/");
  assert.equal(code?.size, 4 + 25 + 4); // version 2
  assert.ok(code?.path.startsWith("M4 4h7v1h-7z"));
  assert.match(code?.path ?? "", /M22 4h7v1h-7z.*M4 28h7v1h-7z/);
});

test("a text that no code holds has none", () => {
  assert.equal(qrPath("a".repeat(5000)), null);
});
