// What stands on the drawing of a sheet: all values on the key, blanks for those that are computed on the sheet to fill in.

import { isInRun, knownAfter, knownWithin, nodeOf, scopeOutputs } from "../../state/lesson.js";
import { knownOf } from "../../state/mathematics/known.js";
import { level, picture, shownProgram } from "../../state/selectors.js";
import { state } from "../../store.js";

/** @import { Program } from "../../types.js" */
/** @import { GraphMarks } from "../../view/types.js" */

const BLANK = "_____";

/** Everything that is known once the lesson, or the walk through an update, is over. */
function allKnown() {
  const { run, row, steps, lessonValues, rowValues, lessonRow } = state.value;
  const program = shownProgram.value;
  if (!program) return null;
  const cursor = steps.length - 1;
  const inRun = isInRun({ run, row });
  const known =
    run && inRun
      ? knownWithin(run, row, steps, cursor, rowValues)
      : knownAfter(run?.program ?? program, steps, cursor, lessonValues);
  if (level.value !== "mathematics" || !picture.value) return known;
  return knownOf(picture.value, known, { steps, cursor, isOwn: !inRun || lessonRow === row, isWhole: false });
}

/** The marks of both sheets. @returns {{question: GraphMarks, key: GraphMarks} | null} */
export function sheetMarks() {
  const known = allKnown();
  if (!known) return null;
  const plain = { strips: new Map(), status: new Map(), hues: new Map(), selected: null, traced: null, stale: false };
  const given = givenNames();
  const blanked = [...known.values].map(
    ([name, text]) => /** @type {const} */ ([name, text === "" || given.has(name) ? text : BLANK]),
  );
  return { key: { ...plain, values: known.values }, question: { ...plain, values: new Map(blanked) } };
}

/** What a person is given and does not compute: what has no inputs, and what only reads that. */
function givenNames() {
  if (level.value === "mathematics")
    return new Set(
      [...(picture.value?.parts.values() ?? [])]
        .filter(({ kind, inputs }) => kind === "constant" || (kind === "quantity" && inputs.length === 0))
        .map(({ id }) => id),
    );
  return shownProgram.value ? givenNodes(shownProgram.value) : new Set();
}

/** @param {Program} program */
function givenNodes(program) {
  /** @type {Set<string>} */
  const given = new Set();
  for (const { name, op, phase, inputs } of program.graph.nodes) {
    const isRead = op === "Identity" || op === "ReadVariableOp";
    if (phase === "forward" && (inputs.length === 0 || (isRead && inputs.every((input) => given.has(nodeOf(input))))))
      given.add(name);
  }
  for (const [scope, outputs] of scopeOutputs(program))
    if (outputs.length > 0 && outputs.every((name) => given.has(name))) given.add(scope);
  return given;
}
