// Which variables of a formula are trained, and which are held constant.

import { nodeOf } from "./lesson.js";

/** @import { Program } from "../types.js" */
/**
 * A learner's choice, for a text with these variables.
 * @typedef {{readonly of: readonly string[], readonly trained: readonly string[]}} Training
 */

/** The variables of a text, by name. @param {Program} program */
const variablesOf = ({ bindings }) => bindings.flatMap(({ kind, name }) => (kind === "variable" && name ? [name] : []));

/** The names of the variables that an answer takes gradients by. @param {Program} program @returns {ReadonlySet<string>} */
export function trainedIn(program) {
  const by = new Set(program.gradients.map(({ x }) => nodeOf(x)));
  return new Set(program.bindings.flatMap(({ name, tensor }) => (name && tensor && by.has(nodeOf(tensor)) ? [name] : [])));
}

/** Whether a click on a variable of a formula can choose what is trained. @param {Program} program @param {string} name */
export const canBeChosen = (program, name) =>
  program.dialect === "math" && program.target !== null && variablesOf(program).includes(name);

/** The choice with one variable the other way. @param {Program} program @param {string} name @returns {Training} */
export function withOther(program, name) {
  const [of, trained] = [variablesOf(program), trainedIn(program)];
  return { of, trained: of.filter((each) => trained.has(each) !== (each === name)) };
}

/**
 * A choice after an answer to another text: what is chosen stays, and further variables are trained; the same object where
 * the variables are the same, null where none of them is left.
 * @param {Training | null} choice @param {Program} answer @returns {Training | null}
 */
export function carriedOver(choice, answer) {
  if (!choice || answer.status !== "ok") return choice;
  const of = variablesOf(answer);
  const isSame = of.length === choice.of.length && of.every((name) => choice.of.includes(name));
  if (isSame) return choice;
  if (!of.some((name) => choice.of.includes(name))) return null;
  return { of, trained: of.filter((name) => choice.trained.includes(name) || !choice.of.includes(name)) };
}
