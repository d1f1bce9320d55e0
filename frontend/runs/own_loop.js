// The losses of the program's own loop: its target in each of its runs, as far as the answer keeps them.

import { dataOf } from "../values/format.js";

/** @import { Data, Program, Session } from "../types.js" */

/** @type {readonly Data[]} */
const NONE = Object.freeze([]);

/** Its losses from turn to turn, null where the answer has left one out; none of a program whose target was computed once, or is an array. @param {Program | null} program @returns {readonly Data[]} */
export function lossesOfItsLoop(program) {
  const target = program?.target;
  if (!target) return NONE;
  const found = (program.sessions ?? []).map((session) => lossesOf(session, target));
  return found.reduce((most, each) => (each.length > most.length ? each : most), NONE);
}

/** @param {Session} session @param {string} target @returns {readonly Data[]} */
function lossesOf({ kept }, target) {
  const rows = kept.flatMap(({ index, nodes }) => (target in nodes ? [{ index, loss: dataOf(nodes[target]) }] : []));
  const numbers = rows.filter(({ loss }) => isNumber(loss));
  if (numbers.length < 2) return NONE;
  const first = numbers[0].index;
  /** @type {Data[]} */
  const losses = Array.from({ length: (numbers.at(-1)?.index ?? first) - first + 1 }, () => null);
  for (const { index, loss } of numbers) losses[index - first] = /** @type {Data} */ (loss);
  return losses;
}

/** Whether it is one number: the infinities and nan are texts. @param {unknown} value */
const isNumber = (value) => typeof value === "number" || typeof value === "string";
