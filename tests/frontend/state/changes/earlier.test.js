import assert from "node:assert/strict";
import { test } from "node:test";

import { firstOtherLine, withEarlier } from "../../../../frontend/state/changes/earlier.js";
import { answered, INITIAL } from "../../../../frontend/store.js";
import { CHAIN } from "../../chain.js";

const NOTHING = { steps: [] };

/** The page after these texts were drawn one after the other. @param {...string} texts */
function after(...texts) {
  let now = INITIAL;
  for (const source of texts) {
    now = { ...now, source };
    now = { ...now, ...answered(now, { ...CHAIN, id: `p_${source}` }, NOTHING) };
  }
  return now;
}

/** @param {typeof INITIAL} now */
const sources = ({ earlier }) => earlier.map(({ source }) => source);

test("the text before is the first of the earlier ones", () => {
  const now = after("y = x", "y = x^2", "y = x^3");
  assert.deepEqual(sources(now), ["y = x^2", "y = x"]);
  assert.equal(now.drawnText?.id, "p_y = x^3");
  assert.equal(now.earlier[0].id, "p_y = x^2");
});

test("another value of a variable is no other text", () => {
  const now = after("y = x");
  const moved = { ...now, at: { x: 4 } };
  const { drawnText, earlier } = withEarlier(moved, { ...CHAIN, id: "p_2" });
  assert.deepEqual(earlier, []);
  assert.deepEqual([drawnText?.id, drawnText?.at], ["p_2", { x: 4 }]);
});

test("who comes back to a text has the one between as the one before", () => {
  assert.deepEqual(sources(after("y = x", "y = x^2", "y = x")), ["y = x^2"]);
});

test("a text with a mistake is not among them", () => {
  const now = after("y = x");
  const wrong = { ...now, source: "y = (" };
  const next = { ...wrong, ...answered(wrong, { ...CHAIN, status: "error", graph: { nodes: [] } }, NOTHING) };
  assert.deepEqual([sources(next), next.drawnText?.source], [[], "y = x"]);
});

test("eight of them are kept", () => {
  const texts = Array.from({ length: 12 }, (_, k) => `y = x^${k}`);
  assert.deepEqual(sources(after(...texts)).length, 8);
});

test("a text is known by the first line in which it differs", () => {
  assert.equal(firstOtherLine("a = 1\nb = 2\nc = 3", "a = 1\nb = 5\nc = 3"), "b = 2");
  assert.equal(firstOtherLine("a = 1", "a = 1\nb = 2"), "a = 1");
  assert.equal(firstOtherLine(`y = ${"x".repeat(60)}`, ""), `y = ${"x".repeat(43)}…`);
});
