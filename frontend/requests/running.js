// Runs under way: rows are asked for as far as the learner wants to go, and shown as they arrive.
//
// Presses add up to one goal, and the row that is shown follows the rows towards it. At most one request is under way.
// What ends it early (Stop, Escape, a step back or one of the lesson, another text, a closed page) closes the connection,
// which frees the server's worker; the rows so far stay.

import { streamRun } from "../api.js";
import { begun, broken, cutAfter, ended, grown, wholeRow } from "../runs/columns.js";
import { carriedOn, rowsAhead } from "../runs/continuing.js";
import { plainRate, requestOf, withRate } from "../runs/optimizers.js";
import { MOST_ROWS } from "../runs/parts.js";
import { arrived, state, towardsGoal, update, withoutRun } from "../store.js";
import { LatestRequest } from "./latest_request.js";
import { failed, programRequest } from "./request.js";

/** @import { Run } from "../types.js" */
/** @import { OptimizerSettings } from "../runs/optimizers.js" */

const FRAME_MS = 60; // between two looks at a run under way
const STILL_MS = 200; // for so long a setting has to rest before it is taken
const AGAIN = 100; // updates with a rate that is offered
const ASTRAY = new Set(["diverged", "non_finite"]); // statuses of a run whose last row leads nowhere

/** @type {LatestRequest<OptimizerSettings>} for rows, with these settings */
const rows = new LatestRequest();
/** One request for rows after the other, until the goal is reached. */
const journey = new LatestRequest();
/** A setting that was changed, and takes effect when it rests. */
const change = new LatestRequest();

/**
 * Make `count` more updates; a press before this one is finished first, with the settings of its time.
 * @param {number} count @param {OptimizerSettings} settings @returns {Promise<void>} when no more rows are on their way
 */
export async function optimise(count, settings) {
  while (state.value.goal && state.value.goal.settings !== settings) await journey.over;
  reopen(settings);
  const { row, goal } = state.value;
  update({ goal: { from: goal?.from ?? row, to: Math.min((goal?.to ?? row) + count, MOST_ROWS), settings } });
  update(towardsGoal(state.value));
  if (state.value.goal && rows.isUnderWay && rows.about !== settings) breakOff(); // it only looked ahead
  await (journey.isUnderWay ? journey.over : journey.start(drive));
}

/** What a limit ended goes on with the next press; what has gone astray begins anew once its settings are others. @param {OptimizerSettings} settings */
function reopen(settings) {
  const { run, row, runSettings } = state.value;
  if (run?.status === "limit") leaveOff(run);
  else if (run && ASTRAY.has(run.status) && runSettings !== settings && row >= run.steps.length - 1) reset();
}

/** Begin again from the start with another rate. @param {number} rate */
export function beginAgain(rate) {
  const { settings } = state.value;
  reset();
  update({ settings: { ...settings, ...withRate(settings, rate) } });
  return optimise(AGAIN, state.value.settings);
}

/** Go no further. */
export function stop() {
  breakOff();
  if (state.value.goal) update({ goal: null, busy: false });
}

/** Stop, and forget the run. */
function reset() {
  stop();
  update(withoutRun(state.value));
}

/** A setting was changed: a run under way goes on with it from the row that is shown, the first after the press. */
export function settingsMoved() {
  change.startAfter(STILL_MS, async () => {
    const { goal, row, settings } = state.value;
    if (!goal || goal.settings === settings) return;
    if (row === goal.from) return settingsMoved(); // an update that was asked for before is made as it was asked
    breakOff();
    update({ goal: { ...goal, settings } });
  });
}

/** Close the connection and keep the rows so far. */
function breakOff() {
  rows.abort();
  const { run } = state.value;
  if (run?.status === "running") leaveOff(run);
}

/** Keep the rows of a run from which one can go on. @param {Run} run */
function leaveOff(run) {
  const { row, furthest } = state.value;
  const kept = broken(run);
  const last = kept.steps.length - 1;
  update({ run: kept, row: Math.min(row, last), furthest: Math.min(furthest, last) });
}

/** Ask for rows until the goal is reached. */
async function drive() {
  for (update(towardsGoal(state.value)); state.value.goal; update(towardsGoal(state.value))) {
    const { settings } = state.value.goal;
    update({ busy: true });
    await rows.start((signal) => listen(settings, signal).catch((error) => broke(error, signal)), settings);
  }
}

/** The rows so far stay, and no more are asked for, unless this request was given up for another. @param {unknown} error @param {AbortSignal} signal */
function broke(error, signal) {
  failed(error);
  if (!signal.aborted) stop();
}

/**
 * One request, from the row that is shown where the settings are new, else from the last row.
 * @param {OptimizerSettings} settings @param {AbortSignal} signal
 */
async function listen(settings, signal) {
  const { run, row, runSettings, goal, program } = state.value;
  const before = run && runSettings !== settings ? cutAfter(run, wholeRow(run, row)) : run;
  const last = before ? before.steps.length - 1 : 0;
  const from = before && runSettings ? carriedOn(before, runSettings, settings) : { start: {} };
  const steps = Math.max((goal?.to ?? 0) - last, program ? rowsAhead(program) : 1);
  /** @type {Run | null} */
  let coming = null;
  let shownAt = 0;
  for await (const event of streamRun({ program: programRequest(), ...requestOf(settings), ...from, steps }, signal)) {
    if (event.type === "header") coming = begun(before, event, plainRate(settings, event.program), settings);
    else if (coming) coming = event.type === "chunk" ? grown(coming, event) : ended(coming, event);
    const due = event.type === "footer" || (event.type === "chunk" && performance.now() - shownAt >= FRAME_MS);
    if (!coming || !due) continue;
    show(coming, settings);
    shownAt = performance.now();
  }
}

/** @param {Run} run @param {OptimizerSettings} settings */
function show(run, settings) {
  if (run.steps.length === 0) return notBegun(run);
  const news = arrived(state.value, run, settings);
  return update({ ...news, ...towardsGoal({ ...state.value, ...news }) });
}

/** A run that a limit ended before its first row. @param {Run} run */
function notBegun({ diagnostics }) {
  const [reason] = diagnostics;
  update({
    goal: null,
    busy: false,
    trouble: { offline: false, problem: { detail: reason?.message, message_zh: reason?.message_zh } },
  });
}
