// The lesson of an update: the program's own, with the variables as they were before it.
//
// The optimizer's update is no part of it: the run has its numbers. Where the lesson's numbers are others than the run's, as
// in a program that draws random numbers, it is not shown.

import { getLesson, postProgram } from "../../api.js";
import { valuesAt } from "../../runs/continuing.js";
import { knownInRun, nodeOf } from "../../state/lesson.js";
import { state, withUpdateLesson, update } from "../../store.js";
import { dataOf } from "../../values/format.js";
import { LatestRequest } from "../latest_request.js";
import { programRequest, troubleOf } from "../request.js";

/** @import { Run, Step, Value } from "../../types.js" */

const request = new LatestRequest();
const MOST_LESSONS = 30; // that are kept
/** @type {Map<string, readonly Step[]>} by what was asked */
const lessons = new Map();
const NEAR = 1e-3; // relative: the lesson computes in the run's own precision

/** Go to a step of the update that is shown, once its lesson is there. @param {number} step */
export const walkThrough = (step) => request.start((signal) => walk(step, signal));

/** @param {number} step @param {AbortSignal} signal */
async function walk(step, signal) {
  const { run, row, level } = state.value;
  if (!run) return;
  const lesson = await lessonOf(run, row, signal).catch(
    (error) => void (signal.aborted || update({ lessonTrouble: troubleOf(error) })),
  );
  const now = state.value;
  if (!lesson || signal.aborted || now.run !== run || now.row !== row || now.level !== level) return;
  update(agrees(lesson, run, row) ? withUpdateLesson(now, lesson, step) : { rowWithoutLesson: row });
}

/** Have the numbers of a row's own lesson beside the update, which is shown as a whole. @param {AbortSignal} signal */
export async function stayWith(signal) {
  const { run, row, level } = state.value;
  const lesson = run && (await lessonOf(run, row, signal).catch(() => null)); // without it the factors stay blank
  const now = state.value;
  if (!run || !lesson || signal.aborted || now.run !== run || now.row !== row || now.level !== level || !now.optimising) return;
  const { selected } = now;
  update(agrees(lesson, run, row) ? { ...withUpdateLesson(now, lesson, Infinity), selected } : { rowWithoutLesson: row });
}

/** The lesson of an update, at the level that is wanted. @param {Run} run @param {number} row @param {AbortSignal} signal @returns {Promise<readonly Step[]>} */
export async function lessonOf(run, row, signal) {
  const asked = programRequest();
  const { level } = state.value;
  const program = { ...asked, at: { ...asked.at, ...valuesAt(run.variables, row - 1) } };
  const key = JSON.stringify([program, level]);
  const steps = lessons.get(key) ?? (await askedFor(program, level, signal));
  lessons.delete(key); // and put last again: what was not shown for the longest time is forgotten first
  lessons.set(key, steps);
  if (lessons.size > MOST_LESSONS) lessons.delete(lessons.keys().next().value ?? "");
  return steps;
}

/** @param {import("../../types.js").ProgramRequest} program @param {import("../../types.js").Level} level @param {AbortSignal} signal @returns {Promise<readonly Step[]>} */
async function askedFor(program, level, signal) {
  const { id } = await postProgram(program, signal);
  return id ? (await getLesson(id, level, signal)).steps : [];
}

/** Whether each number of the lesson is the run's. @param {readonly Step[]} steps @param {Run} run @param {number} row */
function agrees(steps, run, row) {
  const { exact } = knownInRun(run, row);
  const isRuns = (/** @type {{tensor: string, value: Value} | null} */ shown) =>
    !shown?.tensor.endsWith(":0") || isNear(shown.value, exact.get(nodeOf(shown.tensor)));
  return (
    steps.length > 0 &&
    steps.every(({ phase, output, upstream }) => phase === "update" || isRuns(phase === "backward" ? upstream : output))
  );
}

/** @param {Value} shown @param {Value | undefined} known */
function isNear(shown, known) {
  const [a, b] = [dataOf(shown), dataOf(known ?? null)];
  if (typeof a !== "number" || typeof b !== "number") return true; // of arrays the run keeps the variables alone
  return Math.abs(a - b) <= NEAR * Math.max(Math.abs(a), Math.abs(b), NEAR);
}
