// Values that answers leave out: tensors too large for them, and the numbers of a row that a long run has not kept.

import { effect } from "@preact/signals-core";

import { getRunStep, getTensor, postProgram } from "../../api.js";
import { partAt } from "../../runs/parts.js";
import { areLeftOut, pairsAt } from "../../runs/updates.js";
import { partOfState, state, update } from "../../store.js";
import { LatestRequest } from "../latest_request.js";
import { programRequest, troubleOf } from "../request.js";

/** @import { Problem, Program, TensorValue } from "../../types.js" */
/** @typedef {{value: TensorValue | null, problem: Problem | null}} Fetched */
/** @typedef {{of: Program, found: Readonly<Record<string, Fetched>>}} Tensors  by name of the node */

const REST_MS = 200;
const LONGEST_MS = 20_000;

/** What was fetched of a node of the program that is shown; null before it is asked for. @param {string} node */
export function fetchedTensor(node) {
  const { tensors, program } = state.value;
  return tensors?.of === program ? (tensors?.found[node] ?? null) : null;
}

/**
 * A node's whole value, once asked for; null where there is none, which is then kept, or where nothing answers.
 * @param {string} node @returns {Promise<TensorValue | null>}
 */
export async function wholeTensor(node) {
  const { program } = state.value;
  const known = fetchedTensor(node);
  if (known || !program) return known?.value ?? null;
  /** @type {Fetched} */
  let found;
  try {
    const id = program.id ?? (await postProgram(programRequest(), AbortSignal.timeout(LONGEST_MS))).id;
    found = { value: await getTensor(id ?? "", node), problem: null };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble.offline) {
      update({ trouble });
      return null;
    }
    found = { value: null, problem: trouble.problem };
  }
  if (state.value.program === program) {
    const before = state.value.tensors?.of === program ? state.value.tensors.found : {};
    update({ tensors: { of: program, found: { ...before, [node]: found } } });
  }
  return found.value;
}

const request = new LatestRequest();
const shown = partOfState("run", "row", "goal", "around");

/** Ask for both ends of the update that is shown. @param {AbortSignal} signal */
async function loadAround(signal) {
  const { run, row, goal } = state.value;
  if (!run || row === 0 || goal) return;
  const { id, first } = partAt(run, row);
  const ends = [row - 1, row].map((each) => getRunStep(id, each - first, signal));
  const [before, after] = await Promise.all(ends).catch(() => [null, null]); // the columns stay as they are
  if (before && after && state.value.run === run && state.value.row === row) update({ around: { run, row, before, after } });
}

/** Fill in what a long run has not kept of the row that is shown. @returns {() => void} to stop */
export const followPairs = () =>
  effect(() => {
    const { run, row, goal, around } = shown.value;
    request.abort();
    if (!run || goal || row === 0 || (around?.run === run && around.row === row)) return;
    if (areLeftOut(pairsAt(run, row))) request.startAfter(REST_MS, loadAround);
  });
