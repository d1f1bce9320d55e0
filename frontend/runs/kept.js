// Runs that are kept beside the present one: what made each, and its losses so far.
//
// What a link holds of them is how each was made: whoever opens it has the same losses computed again.

import { divergesFrom } from "./losses.js";
import { OWN, ownOptimizer, rateOf } from "./optimizers.js";
import { stagesOf } from "./parts.js";

/** @import { Data, Program, Run } from "../types.js" */
/** @import { OptimizerSettings } from "./optimizers.js" */
/** @typedef {{readonly name: string, readonly isOwn: boolean, readonly rate: number | null, readonly process: string, readonly limit: number, readonly schedule: string}} Made  what updates were made with */
/**
 * @typedef {object} KeptRun
 * @property {readonly Made[]} made     one after the other, where settings were changed on the way
 * @property {import("../types.js").ProgramRequest} program
 * @property {readonly import("./parts.js").Stage[]} stages  the settings that its rows were made with
 * @property {readonly Data[]} loss     of the rows that were shown
 * @property {number | null} diverges   the row from which its loss never was as low again
 * @property {number} place             its stroke, which it keeps
 */

/** How a kept run was made; of which program is left out where that is the page's own. @typedef {Pick<KeptRun, "stages" | "place"> & {program?: KeptRun["program"], rows: number}} Recipe */

export const MOST_KEPT = 5; // and the present one: each has a stroke of its own

/** @param {OptimizerSettings} settings @param {Program | null} program @returns {Made} */
export function madeWith(settings, program) {
  const own = settings.name === OWN && program ? ownOptimizer(program) : null;
  const { name, process, limit, schedule } = settings;
  return { name: own?.name ?? name, isOwn: own !== null, rate: rateOf(settings, program), process, limit, schedule };
}

/** A run as its curve shows it: the rows that were shown, at the first stroke that is free. @param {Run} run @param {number} furthest @param {KeptRun["program"]} program @param {readonly KeptRun[]} others @returns {KeptRun} */
export function asKept(run, furthest, program, others) {
  const all = run.parts.flatMap(({ settings }) => (settings ? [madeWith(settings, run.program)] : []));
  const made = all.filter((each, k) => k === 0 || JSON.stringify(each) !== JSON.stringify(all[k - 1]));
  const loss = run.loss.slice(0, furthest + 1);
  const isWhole = loss.length === run.loss.length; // what is computed ahead is not given away
  const taken = new Set(others.map(({ place }) => place));
  const place = Array.from({ length: MOST_KEPT + 1 }, (_, k) => k).find((k) => !taken.has(k)) ?? 0;
  const stages = stagesOf(run, furthest);
  return { made, program, stages, loss, diverges: isWhole ? divergesFrom(run.status, loss) : null, place };
}

/** @param {KeptRun} kept @param {KeptRun["program"]} own of the page @returns {Recipe} */
export function recipeOf({ program, stages, loss, place }, own) {
  const isOwn = JSON.stringify(program) === JSON.stringify(own);
  return { ...(isOwn ? {} : { program }), stages, rows: loss.length - 1, place };
}

/** Whether two curves are one: the same settings on the same program, the same rows. @param {KeptRun} a @param {KeptRun} b */
export const isSameCurve = (a, b) =>
  JSON.stringify(a.program) === JSON.stringify(b.program) &&
  JSON.stringify(a.made) === JSON.stringify(b.made) &&
  a.loss.length === b.loss.length &&
  a.loss.every((loss, row) => loss === b.loss[row]);
