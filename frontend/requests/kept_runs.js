// Runs that a link says were kept: each is computed again from the settings that made it, and kept as it was.

import { streamRun } from "../api.js";
import { begun, ended, grown } from "../runs/columns.js";
import { carriedOn } from "../runs/continuing.js";
import { asKept } from "../runs/kept.js";
import { plainRate, requestOf } from "../runs/optimizers.js";
import { state, update } from "../store.js";
import { failed, programRequest } from "./request.js";

/** @import { Run } from "../types.js" */
/** @import { KeptRun, Recipe } from "../runs/kept.js" */

/**
 * Make runs again, one after the other, and keep each as soon as it is there.
 * @param {readonly Recipe[]} recipes @param {AbortSignal} [signal] that ends when another place is wanted
 */
export async function makeAgain(recipes, signal = new AbortController().signal) {
  for (const recipe of recipes) {
    const kept = await madeAgain(recipe, signal).catch(failed);
    if (signal.aborted) return;
    if (kept) update({ keptRuns: [...state.value.keptRuns, kept] });
  }
}

/** One row more is asked for than was shown, so that a run which ended there by itself is not taken for one that went on. @param {Recipe} recipe @param {AbortSignal} signal @returns {Promise<KeptRun | null>} */
async function madeAgain({ program = programRequest(), stages, rows, place }, signal) {
  /** @type {Run | null} */
  let run = null;
  for (const [i, { first, settings }] of stages.entries()) {
    const steps = (stages[i + 1]?.first ?? rows + 1) - first;
    const from = run ? carriedOn(run, stages[i - 1].settings, settings) : { start: {} };
    run = await followed(run, settings, { program, ...requestOf(settings), ...from, steps }, signal);
  }
  return run && { ...asKept(run, rows, program, []), place };
}

/** A run with the rows that are asked for. @param {Run | null} before @param {import("../runs/optimizers.js").OptimizerSettings} settings @param {import("../types.js").RunRequest} request @param {AbortSignal} signal */
async function followed(before, settings, request, signal) {
  let run = before;
  for await (const event of streamRun(request, signal)) {
    if (event.type === "header") run = begun(before, event, plainRate(settings, event.program), settings);
    else if (run) run = event.type === "chunk" ? grown(run, event) : ended(run, event);
  }
  return run;
}
