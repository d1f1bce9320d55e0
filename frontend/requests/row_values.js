// Tensors of a row that the columns of a run have not got: the server computes that one step again, in full.
//
// Columns hold every number at every step, but of tensors only variables and gradients. When the learner rests at a
// row, the other tensors are asked for, and take their places; until then what was known last stays. At level Mathematics
// the factors on its lines are no columns, either: they come with the update's own lesson, and are blank until then.

import { effect } from "@preact/signals-core";

import { getRunStep } from "../api.js";
import { partAt } from "../runs/parts.js";
import { isLeftOut } from "../state/lesson.js";
import { level } from "../state/selectors.js";
import { partOfState, state, update } from "../store.js";
import { LatestRequest } from "./latest_request.js";
import { fetched } from "./request.js";

/** @import { Run } from "../types.js" */
/** @typedef {{run: Run, row: number, nodes: Readonly<Record<string, import("../types.js").Value>>}} RowValues */

const REST_MS = 200;

const request = new LatestRequest();
const lessonRequest = new LatestRequest();
const place = partOfState("run", "row", "lessonRow", "rowWithoutLesson", "optimising", "goal", "stale");

/** Whether there is more to a row of a run than its columns hold. @param {Run} run */
export const leavesOut = ({ program, nodes }) => Object.keys(nodes).length === 0 || program.graph.nodes.some(isLeftOut);

/** Ask for the values before the update that is shown, unless it is known already. @param {AbortSignal} signal */
async function loadRowValues(signal) {
  const { run, row, goal, rowValues } = state.value;
  if (!run || row === 0 || goal || (rowValues?.run === run && rowValues.row === row)) return;
  const part = partAt(run, row);
  const step = await getRunStep(part.id, row - 1 - part.first, signal).catch(() => null); // what was known stays
  if (step && state.value.run === run && state.value.row === row) update({ rowValues: { run, row, nodes: step.nodes } });
}

/** Whether factors are drawn whose numbers are not known. */
function lacksFactors() {
  const { run, row, lessonRow, rowWithoutLesson, optimising, goal, stale } = place.value;
  const isShown = run !== null && optimising && row > 0 && !goal && !stale;
  return isShown && lessonRow !== row && rowWithoutLesson !== row && level.value === "mathematics";
}

/** @param {AbortSignal} signal */
async function loadLesson(signal) {
  const loaded = await fetched(() => import("./lesson/update_lesson.js"));
  if (loaded && !signal.aborted) await loaded.stayWith(signal);
}

/** Keep the tensors of the row that is shown up to date, and its factors. */
export function followRow() {
  effect(() => {
    const { run, goal } = state.value;
    void state.value.row;
    request.abort();
    if (run && !goal && leavesOut(run)) request.startAfter(REST_MS, loadRowValues);
  });
  effect(() => {
    lessonRequest.abort();
    if (lacksFactors()) lessonRequest.startAfter(REST_MS, loadLesson);
  });
}
