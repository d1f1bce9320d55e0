// Asks for the race that is looked at. While values move on it waits for the answer, so that paths follow the hand.

import { postRace } from "../../api.js";
import { plainRate } from "../../runs/optimizers.js";
import { firstContenders, raceQuestion, settingsOf } from "../../state/race.js";
import { docked, state, update } from "../../store.js";
import { LatestRequest } from "../latest_request.js";
import { programRequest, troubleOf } from "../request.js";
import { reset, settingsMoved } from "../run.js";
import { openLinked, optimiseText } from "../session.js";
import { lacksVariables } from "../../runs/updates.js";

/** @import { Contender } from "../../state/race.js" */

const FIRST_RATE = 0.1;

/** @type {LatestRequest<string>} */
const question = new LatestRequest();

/** Line up a first field where there is none, and ask how the race goes, unless that is known. */
export function wantRace() {
  const { program, stale, answered, source, race, raceFound, settings } = state.value;
  if (!program || lacksVariables(program) || stale || (answered && answered !== source) || program.gradients.length === 0) return;
  if (race.contenders === null)
    return update({ race: { ...race, contenders: firstContenders(plainRate(settings, program) ?? FIRST_RATE) } });
  const { contenders } = race;
  const { asked, key } = raceQuestion(contenders, race.steps, programRequest());
  if (raceFound?.key === key || question.isUnderWay || contenders.length === 0) return;
  void question.start((signal) => ask(asked, key, contenders, signal), key).then(wantRace);
}

export { wantRace as want };

/** @param {unknown} asked @param {string} key @param {readonly Contender[]} contenders @param {AbortSignal} signal */
async function ask(asked, key, contenders, signal) {
  try {
    update({ raceFound: { key, contenders, answer: await postRace(asked, signal), problem: null } });
  } catch (error) {
    const trouble = troubleOf(error);
    const problem = trouble.offline ? null : trouble.problem;
    update({ ...(trouble.offline && { trouble }), raceFound: { key, contenders, answer: null, problem } });
  }
}

/** Make a contender's run the page's own: its optimizer, rate, and start. @param {Contender} contender */
export async function takeOver(contender) {
  const { source, dialect, at, inputs, feeds, data, seed, wrt, race } = state.value;
  reset();
  if (contender.start) await openLinked({ source, dialect, at: { ...at, ...contender.start }, inputs, feeds, data, seed, wrt });
  update({ settings: settingsOf(contender), ...docked(state.value, "optimizer") });
  settingsMoved();
  await optimiseText(race.steps);
}
