// The lesson at the level that is wanted: asked for when the learner chooses the other one, and kept with the program.

import { effect, untracked } from "@preact/signals-core";

import { postProgram } from "../../api.js";
import { isInRun, lastStop } from "../../state/lesson.js";
import { atLevel } from "../../state/levels.js";
import { state, update } from "../../store.js";
import { LatestRequest } from "../latest_request.js";
import { lessonAt } from "./lesson_at.js";
import { fetched, programRequest, troubleOf } from "../request.js";

/** @import { Level } from "../../types.js" */

const request = new LatestRequest();

/** Whether an update is walked through that has a lesson of its own. @param {import("../../store.js").State} now */
const isInOtherLesson = (now) => isInRun(now) && now.lessonRow !== 1 && !now.optimising && now.cursor < lastStop(now);

/** Ask until the answer is about the program, the update and the level that there are by then. @param {Level} level @param {AbortSignal} signal */
async function followUntilRest(level, signal) {
  while (!signal.aborted && isOtherLevel() && state.value.level === level) await follow(level, signal);
}

/** @param {Level} level @param {AbortSignal} signal */
async function follow(level, signal) {
  const before = state.value;
  const lesson = before.lessons[level] ?? (await ask(level, signal));
  const own = isInOtherLesson(before) ? await lessonOfUpdate(signal) : null;
  const now = state.value;
  const isSame = now.program === before.program && now.level === level && now.row === before.row && now.run === before.run;
  if (!signal.aborted && isSame) update(atLevel(now, level, lesson, own));
}

/** @param {Level} level @param {AbortSignal} signal @returns {Promise<import("../../state/levels.js").LessonAt>} */
async function ask(level, signal) {
  const { program } = state.value;
  const id = program?.id ?? (await postProgram(programRequest(), signal)).id; // a default example gets its address by being run
  return id ? lessonAt(id, level, signal) : { level, steps: [], values: {} };
}

/** @param {AbortSignal} signal */
async function lessonOfUpdate(signal) {
  const { run, row } = state.value;
  const loaded = await fetched(() => import("./update_lesson.js"));
  return run && loaded ? loaded.lessonOf(run, row, signal) : null;
}

/** Without the lesson picture and steps stay at the level at which they are. @param {Level} level @param {unknown} error */
function gaveUp(level, error) {
  const { asked, program } = state.value;
  const at = asked ?? level;
  update({ level: at, levelTrouble: { level, at, program, trouble: troubleOf(error) } });
}

/** Whether the steps are at another level than they are wanted. */
function isOtherLevel() {
  const { level, asked, program, busy, stale } = state.value;
  return asked !== null && level !== asked && program !== null && program.graph.nodes.length > 0 && !busy && !stale;
}

/** From here on the steps follow the level. */
export const followLevel = () =>
  effect(() => {
    const { level } = state.value;
    if (!isOtherLevel()) return;
    untracked(() => {
      if (request.about === level) return;
      void request.start(
        (signal) => followUntilRest(level, signal).catch((error) => signal.aborted || gaveUp(level, error)),
        level,
      );
    });
  });

/** Wait while the lesson at the level that is wanted is on its way. */
export async function untilFollowed() {
  while (request.isUnderWay) await request.over;
}
