// Two levels side by side: the second one's lesson, and which nodes of the two show the same quantity.

import { effect, untracked } from "@preact/signals-core";

import { getSideBySide, postProgram } from "../api.js";
import { level } from "../state/selectors.js";
import { answered, chosenThere, levelThere, pointedThere, refusal } from "../comparing/side_by_side.js";
import { state, update } from "../store.js";
import { LatestRequest } from "./latest_request.js";
import { lessonAt } from "./lesson/lesson_at.js";
import { programRequest, troubleOf } from "./request.js";

/** @import { Level } from "../types.js" */

const request = new LatestRequest();

/** @param {Level} left @param {Level} right @param {AbortSignal} signal */
async function ask(left, right, signal) {
  const { program } = state.value;
  const id = program?.id ?? (await postProgram(programRequest(), signal)).id;
  if (!program || !id) return;
  const { lessons } = state.value;
  const lesson = lessons[right] ?? (await lessonAt(id, right, signal));
  if (signal.aborted || state.value.program !== program) return;
  if (!lessons[right]) update({ lessons: { ...state.value.lessons, [right]: lesson } });
  const answer = await getSideBySide(id, left, right, signal);
  if (!signal.aborted) answered.value = { of: program, answer };
}

/** From here on the second picture follows the first; returns what ends it. */
export const followSideBySide = () =>
  effect(() => {
    const [left, right, { program, busy, stale }] = [level.value, levelThere.value, state.value];
    if (right === null || busy || stale) return;
    untracked(() => {
      const about = `${left} ${right} ${program?.id}`;
      const known = answered.value;
      if (refusal.value?.of === program && refusal.value?.about === about) return; // asked again once something else is wanted
      const isThere =
        known?.of === program && known?.answer.left === left && known.answer.right === right && state.value.lessons[right];
      if (request.about === about || isThere) return;
      [refusal.value, pointedThere.value, chosenThere.value] = [null, null, null];
      void request.start(
        (signal) =>
          ask(left, right, signal).catch((error) => {
            if (!signal.aborted) refusal.value = { of: program, about, trouble: troubleOf(error) };
          }),
        about,
      );
    });
  });
