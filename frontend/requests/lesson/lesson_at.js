// A lesson at a level; at that of another framework, with the nodes that its steps are about.

import { getFrameworkGraph, getLesson } from "../../api.js";
import { isFramework } from "../../state/levels.js";

/** @param {string} id of the program @param {import("../../types.js").Level} level @param {AbortSignal} signal @returns {Promise<import("../../state/levels.js").LessonAt>} */
export async function lessonAt(id, level, signal) {
  const { steps, values, level: found = level, reason } = await getLesson(id, level, signal);
  if (!isFramework(found)) return { level: found, steps, values, reason };
  const graph = await getFrameworkGraph(id, found, signal);
  return { level: found, steps, values, graph };
}
