// What the page does with a run: begins one, stops it, shows its rows. Who asks for rows is fetched with the first press.

import { atRow, movedTo, state, update, WITHOUT_RUN } from "../store.js";
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

/** Stop, and go to a step of the lesson. @param {number} step */
export function showStep(step) {
  stop();
  update(movedTo(state.value, step));
}

/** Stop, and go back to the lesson. */
export function reset() {
  stop();
  update(WITHOUT_RUN);
}
