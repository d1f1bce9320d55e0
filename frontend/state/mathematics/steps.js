// Which lesson a picture is made of.

import { stepsInRun } from "../lesson.js";

/** @import { Step } from "../../types.js" */

/** What a picture is made of, but for the numbers. @param {Step} step */
const form = ({ phase, node, output, rule_text: rule, contributions = [] }) =>
  JSON.stringify([phase, node, output?.tensor, rule, contributions.map(({ from, to, factor_text: text }) => [from, to, text])]);

/**
 * The steps that the picture of an update is made of: the lesson's own where the update's are of the same form, so that it
 * stays as it is; else the update's, with what closes the lesson.
 * @param {readonly Step[]} own @param {readonly Step[]} steps @returns {readonly Step[]}
 */
export function drawnInRun(own, steps) {
  const before = stepsInRun(own);
  if (before.length === steps.length && steps.every((step, at) => step === before[at] || form(step) === form(before[at])))
    return own;
  const closing = own.filter(({ phase }) => phase === "close");
  return [...steps, ...closing.map((step, at) => ({ ...step, index: steps.length + at }))];
}
