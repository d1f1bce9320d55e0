// What the page does with a run: begins one, stops it, shows its rows. Who asks for rows is fetched with the first press.

import { firstStop, isInRun, lastStop } from "../state/lesson.js";
import { atRow, movedTo, state, update, withoutRun } from "../store.js";
import { LatestRequest } from "./latest_request.js";
import { fetched } from "./request.js";

/** @typedef {typeof import("./running.js")} Running */

/** Who asks for rows. */
class Driver {
  /** @type {Running | null} */
  #running = null;

  /** It, where it has been fetched: before that nothing is under way. */
  get there() {
    return this.#running;
  }

  /** @returns {Promise<Running | null>} null where it cannot be had, which is shown */
  async fetch() {
    return (this.#running ??= await fetched(() => import("./running.js")));
  }
}

const driver = new Driver();
/** Presses that wait for the driver. */
const presses = new LatestRequest();

/** Do something with the driver once it is there, unless it is stopped before. @param {(driver: Running) => Promise<void>} act */
async function drive(act) {
  const { signal } = presses;
  const running = driver.there ?? (await driver.fetch());
  if (running && !signal.aborted) await act(running);
}

/**
 * Make `count` more updates with the settings of this moment.
 * @param {number} count @returns {Promise<void>} when no more rows are on their way
 */
export function optimise(count) {
  const { settings } = state.value;
  return drive((running) => {
    const done = running.optimise(count, settings);
    if (settings !== state.value.settings) running.settingsMoved(); // while the driver was on its way
    return done;
  });
}

/** Begin again from the start with another rate. @param {number} rate */
export const beginAgain = (rate) => drive((running) => running.beginAgain(rate));

/** A setting was changed, which a run under way goes on with. */
export const settingsMoved = () => driver.there?.settingsMoved();

/** Go no further. */
export function stop() {
  presses.abort();
  driver.there?.stop();
}

/** Stop, and show a row. @param {number} row */
export function showRow(row) {
  stop();
  update(atRow(state.value, row));
}

/**
 * Stop, and go to a step of the lesson; in a run, of the lesson of the update that is shown, on to the update after it or
 * back to the one before.
 * @param {number} step
 */
export function showStep(step) {
  stop();
  const now = state.value;
  if (!isInRun(now)) return update(movedTo(now, step));
  if (step < 0) return update(atRow(now, now.row - 1));
  if (step <= lastStop(now)) return void walkTo(step);
  if (!isLastUpdate(now)) {
    update(atRow(now, now.row + 1));
    void walkTo(firstStop(state.value.steps));
  }
  return undefined;
}

/** Go to a step of the update that is shown; its lesson is fetched first where it is another one's. @param {number} step */
async function walkTo(step) {
  const now = state.value;
  if (now.lessonRow === now.row || step >= lastStop(now)) return update(movedTo(now, step));
  return (await fetched(() => import("./lesson/update_lesson.js")))?.walkThrough(step);
}

/** Whether no later update is known than the one that is shown. @param {import("../store.js").State} now */
export const isLastUpdate = ({ run, row }) => run === null || row >= run.steps.length - 1;

/** Stop, and go back to the lesson. */
export function reset() {
  stop();
  update(withoutRun(state.value));
}
