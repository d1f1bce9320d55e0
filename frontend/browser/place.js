// The place on the page that a link leads to: once its text is open, the update and the step that were shown, and the dock.

import { lastStop } from "../state/lesson.js";
import { OWN } from "../runs/optimizers.js";
import { fetched } from "../requests/request.js";
import { reset, settingsMoved, showRow, showStep } from "../requests/run.js";
import { loadOptimizers, optimiseText, speak } from "../requests/session.js";
import { INITIAL, state, update } from "../store.js";
import { recipesIn } from "./link.js";

/** @import { Place } from "./link.js" */

/** A link says nothing of what is as at the beginning; on a page that was used before, that is so again. */
const { dock, tab, present, curves, tables, op, landscape, race, compare } = INITIAL;
const PLAIN = Object.freeze({ dock, tab, present, curves, tables, op, landscape, race, compare });

/** @param {Place} place @param {AbortSignal} [signal] that ends when another place is wanted */
export async function goTo({ cursor, row = 0, settings, stages, kept = [], language, ...docks }, signal) {
  if (language && language !== state.value.language) await speak(language);
  const isOld = () => signal?.aborted ?? false;
  if (isOld()) return;
  reset();
  if (row > 0) await makeRows(row, stages ?? [{ first: 0, settings: settings ?? state.value.settings }], isOld);
  if (isOld()) return;
  if (settings) await set(settings);
  if (row > 0) {
    const last = Math.min(row, (state.value.run?.steps.length ?? 1) - 1);
    if (last !== state.value.row) showRow(last); // rows that are computed ahead are left to come
    if (cursor !== undefined && cursor < lastStop(state.value)) showStep(cursor); // of that update
  } else if (state.value.steps.length > 0) showStep(cursor ?? 0);
  update({ ...PLAIN, ...docks, dockFor: state.value.source });
  await keep(kept, signal);
}

/** The runs that were kept, made again where they are not there. @param {readonly import("../runs/kept.js").Recipe[]} recipes @param {AbortSignal} [signal] */
async function keep(recipes, signal) {
  if (JSON.stringify(recipesIn(state.value)) === JSON.stringify(recipes)) return;
  update({ keptRuns: [] });
  if (recipes.length > 0) await (await fetched(() => import("../requests/kept_runs.js")))?.makeAgain(recipes, signal);
}

/** Make the rows again, each with the settings that it was made with. @param {number} row the last @param {import("../runs/parts.js").Stage[]} stages @param {() => boolean} isOld */
async function makeRows(row, stages, isOld) {
  for (const [i, stage] of stages.entries()) {
    const to = Math.min(row, stages[i + 1]?.first ?? row);
    await set(stage.settings);
    if (isOld() || to <= state.value.row) return;
    await optimiseText(to - state.value.row);
  }
}

/** @param {import("../runs/optimizers.js").OptimizerSettings} settings */
async function set(settings) {
  if (JSON.stringify(settings) === JSON.stringify(state.value.settings) || !(await isKnown(settings))) return;
  update({ settings });
  settingsMoved();
}

/** Whether there are such an optimizer and schedule; a link may name any. @param {import("../runs/optimizers.js").OptimizerSettings} settings */
async function isKnown({ name, schedule }) {
  await loadOptimizers();
  const { optimizers } = state.value;
  if (optimizers === null) return true; // whoever runs with it hears
  const has = (/** @type {{name: string}[]} */ docs, /** @type {string} */ wanted) => docs.some((doc) => doc.name === wanted);
  return (name === OWN || has(optimizers.optimizers, name)) && (schedule === "none" || has(optimizers.schedules, schedule));
}
