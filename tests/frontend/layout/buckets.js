// Buckets: boxes on the plane, found again by where they lie. The plane is cut into squares; each knows what touches it.

/** @typedef {import("../../../frontend/geometry/viewport.js").Box} Box */

const SIDE = 128; // px

/**
 * @template T
 * @typedef {object} Buckets
 * @property {(box: Box, thing: T) => void} add
 * @property {(box: Box) => Generator<{box: Box, thing: T}>} near  all whose squares the box touches, some of them twice
 */

/** @template T @returns {Buckets<T>} */
export function createBuckets() {
  /** @type {Map<number, Array<{box: Box, thing: T}>>} */
  const squares = new Map();
  return {
    add(box, thing) {
      for (const square of touched(box)) {
        const own = squares.get(square);
        if (own) own.push({ box, thing });
        else squares.set(square, [{ box, thing }]);
      }
    },
    *near(box) {
      for (const square of touched(box)) yield* squares.get(square) ?? [];
    },
  };
}

/** @param {Box} box */
function* touched({ x, y, width, height }) {
  const [left, right] = [Math.floor(x / SIDE), Math.floor((x + width) / SIDE)];
  const [top, bottom] = [Math.floor(y / SIDE), Math.floor((y + height) / SIDE)];
  for (let column = left; column <= right; column += 1) for (let row = top; row <= bottom; row += 1) yield column * 2 ** 24 + row;
}
