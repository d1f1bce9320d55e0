import assert from "node:assert/strict";
import { test } from "node:test";

import { drawnInRun } from "../../../../frontend/state/mathematics/steps.js";
import { TWO_PATHS_STEPS } from "./lessons.js";

const inRun = TWO_PATHS_STEPS.filter(({ phase }) => phase !== "close");

test("an update of the same form is drawn with the program's own lesson", () => {
  const other = inRun.map((step) => ({ ...step, output: step.output && { ...step.output, value: 7 } }));
  assert.equal(drawnInRun(TWO_PATHS_STEPS, other), TWO_PATHS_STEPS);
});

test("an update that goes another way is drawn with its own steps, and closes as the lesson does", () => {
  const other = inRun.slice(0, -1);
  const drawn = drawnInRun(TWO_PATHS_STEPS, other);
  assert.deepEqual(drawn.slice(0, other.length), other);
  assert.deepEqual(
    drawn.map(({ index }) => index),
    drawn.map((_, at) => at),
  );
});
