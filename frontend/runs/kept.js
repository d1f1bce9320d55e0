// Runs that are kept beside the present one: what made each, and its losses so far.

import { divergesFrom } from "./losses.js";
import { OWN, ownOptimizer, rateOf } from "./optimizers.js";

/** @import { Data, Program, Run } from "../types.js" */
/** @import { OptimizerSettings } from "./optimizers.js" */
/** @typedef {{readonly name: string, readonly isOwn: boolean, readonly rate: number | null, readonly process: string, readonly limit: number, readonly schedule: string}} Made  what updates were made with */
/**
 * @typedef {object} KeptRun
 * @property {readonly Made[]} made     one after the other, where settings were changed on the way
 * @property {string} source            of the program
 * @property {readonly Data[]} loss     of the rows that were shown
 * @property {number | null} diverges   the row from which its loss never was as low again
 * @property {number} place             its stroke, which it keeps
 */

export const MOST_KEPT = 5; // and the present one: each has a stroke of its own

/** @param {OptimizerSettings} settings @param {Program | null} program @returns {Made} */
export function madeWith(settings, program) {
  const own = settings.name === OWN && program ? ownOptimizer(program) : null;
  const { name, process, limit, schedule } = settings;
  return { name: own?.name ?? name, isOwn: own !== null, rate: rateOf(settings, program), process, limit, schedule };
}

/** A run as its curve shows it: the rows that were shown, at the first stroke that is free. @param {Run} run @param {number} furthest @param {string} source @param {readonly KeptRun[]} others @returns {KeptRun} */
export function asKept(run, furthest, source, others) {
  const all = run.parts.flatMap(({ settings }) => (settings ? [madeWith(settings, run.program)] : []));
  const made = all.filter((each, k) => k === 0 || JSON.stringify(each) !== JSON.stringify(all[k - 1]));
  const loss = run.loss.slice(0, furthest + 1);
  const isWhole = loss.length === run.loss.length; // what is computed ahead is not given away
  const taken = new Set(others.map(({ place }) => place));
  const place = Array.from({ length: MOST_KEPT + 1 }, (_, k) => k).find((k) => !taken.has(k)) ?? 0;
  return { made, source, loss, diverges: isWhole ? divergesFrom(run.status, loss) : null, place };
}

/** Whether two curves are one: the same settings on the same program, the same rows. @param {KeptRun} a @param {KeptRun} b */
export const isSameCurve = (a, b) =>
  a.source === b.source &&
  JSON.stringify(a.made) === JSON.stringify(b.made) &&
  a.loss.length === b.loss.length &&
  a.loss.every((loss, row) => loss === b.loss[row]);
