// What a lesson leads to besides its steps, asked for when the learner wants it: other numbers to try it with, all paths
// from a variable to the target, and the derivatives as formulas.

import { getNewNumbers, getPaths, postComparison, postProgram } from "../../api.js";
import { state, update } from "../../store.js";
import { failed, programRequest } from "../request.js";
import { askAgain, untilAnswered } from "../session.js";

/** @import { Paths, Program } from "../../types.js" */

/** How often other numbers were asked for, by text. @type {Map<string, number>} */
const asked = new Map();
/** Derivatives as formulas, by program. @type {WeakMap<Program, Promise<Record<string, string | null>>>} */
const derivatives = new WeakMap();

/** The id of the program that is drawn; the example that comes with the page gets its own by being run. */
async function programId() {
  const { program } = state.value;
  return program?.id ?? (await postProgram(programRequest(), new AbortController().signal)).id ?? "";
}

/** Give the variables other numbers, at which wrong answers differ from right ones, and stay at the step. */
export async function tryNewNumbers() {
  const { source, cursor } = state.value;
  const again = asked.get(source) ?? 0;
  const found = await programId()
    .then((id) => getNewNumbers(id, again))
    .catch(failed);
  if (!found || state.value.source !== source) return;
  asked.set(source, again + 1);
  update({ at: { ...state.value.at, ...found.at } });
  askAgain();
  await untilAnswered();
  update({ cursor: Math.min(cursor, state.value.steps.length - 1) });
}

/** @param {string} x as the program's gradients name it @returns {Promise<Paths | null>} */
export const pathsFrom = (x) =>
  programId()
    .then((id) => getPaths(id, x))
    .catch((error) => {
      failed(error);
      return null;
    });

/** The target's derivative by each variable, as LaTeX; without those that are no short formula. @param {Program} program */
export function derivativesOf(program) {
  const known = derivatives.get(program);
  if (known) return known;
  const found = programId()
    .then((id) => postComparison(id))
    .then(({ symbolic }) => symbolic.derivatives ?? {})
    .catch(() => ({})); // the number stands there without it
  derivatives.set(program, found);
  return found;
}
