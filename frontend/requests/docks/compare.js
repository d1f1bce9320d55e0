// The derivative three ways, for the comparison that is looked at; the learner's own one along with it, to be judged.

import { postComparison, postProgram } from "../../api.js";
import { state, update } from "../../store.js";
import { LatestRequest } from "../latest_request.js";
import { failed, programRequest, troubleOf } from "../request.js";
import { lacksVariables } from "../../runs/updates.js";

/** @import { State } from "../../store.js" */

const request = new LatestRequest();

/** Change what is chosen in the comparison. @param {Partial<State["compare"]>} fields */
export const chooseInComparison = (fields) => update({ compare: { ...state.value.compare, ...fields } });

/** What a comparison is about: it is asked for anew when this changes. @param {State} now */
const aboutOf = ({ program, compare, stale }) => (program && !stale ? { program, by: compare.by, typed: compare.typed } : null);

/** Whether the comparison that is there is about what is chosen. @param {State} now */
export function isCompared(now) {
  const about = aboutOf(now);
  const of = now.comparison?.of;
  return about === null || (of?.program === about.program && of.by === about.by && of.typed === about.typed);
}

/** Ask for the comparison that is chosen, unless it is there or under way; not while an optimizer's text is being read. */
export function loadComparison() {
  const now = state.value;
  const about = aboutOf(now);
  if (!about || now.busy || lacksVariables(now.program) || isCompared(now)) return;
  const underWay = /** @type {typeof about | undefined} */ (request.isUnderWay ? request.about : undefined);
  if (underWay?.program === about.program && underWay.by === about.by && underWay.typed === about.typed) return;
  void request.start((signal) => ask(about, signal), about);
}

/** @param {NonNullable<ReturnType<typeof aboutOf>>} about @param {AbortSignal} signal */
async function ask(about, signal) {
  const { program, by, typed } = about;
  const asked = { ...(by !== null && { by }), ...(typed !== "" && { derivative: typed }) };
  /** @param {Partial<NonNullable<State["comparison"]>>} found */
  const take = (found) => update({ comparison: { of: about, answer: null, trouble: null, ...found } });
  try {
    const id = program.id ?? (await postProgram(programRequest(), signal)).id ?? "";
    const answer = await postComparison(id, asked, signal);
    if (!signal.aborted) take({ answer });
  } catch (error) {
    if (signal.aborted) return failed(error);
    take({ trouble: troubleOf(error) });
  }
}
