// Asks for the landscape that is looked at, and for no other: at most one question is under way.

import { postLandscape } from "../../api.js";
import { gridOf } from "../../charts/grid.js";
import { requestOf } from "../../runs/optimizers.js";
import { axesFor, questionOf } from "../../state/landscape.js";
import { state, update } from "../../store.js";
import { LatestRequest } from "../latest_request.js";
import { programRequest, troubleOf } from "../request.js";

const PAUSE_MS = 120; // while a range is zoomed

/** @type {LatestRequest<string>} */
const question = new LatestRequest();

/** Lay axes where there are none, and ask what they show, unless that is known. */
export function wantLandscape() {
  const { program, stale, busy, answered, source, landscape, landscapeFound, settings, race } = state.value;
  if (!program || stale || (answered && answered !== source)) return;
  const axes = axesFor(landscape, program, source);
  if (axes !== landscape.axes || landscape.of !== source) update({ landscape: { ...landscape, axes, of: source } });
  if (axes.length === 0) return;
  const { asked, key } = questionOf(axes, programRequest(), { ...requestOf(settings), steps: race.steps });
  if (landscapeFound?.key === key || question.about === key || busy) return;
  if (landscapeFound === null) void question.start((signal) => ask(asked, key, signal), key);
  else question.startAfter(PAUSE_MS, (signal) => ask(asked, key, signal));
}

export { wantLandscape as want };

/** @param {unknown} asked @param {string} key @param {AbortSignal} signal */
async function ask(asked, key, signal) {
  const found = { key, answer: null, grid: null, problem: null };
  try {
    const answer = await postLandscape(asked, signal);
    update({ landscapeFound: { ...found, answer, grid: gridOf(answer) } });
  } catch (error) {
    if (signal.aborted) return;
    const trouble = troubleOf(error);
    update(trouble.offline ? { trouble } : { landscapeFound: { ...found, problem: trouble.problem } });
  }
}
