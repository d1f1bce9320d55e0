// The questions of a sheet, one for each step of the way back, and their answers.

import { inLanguage } from "../../i18n/i18n.js";
import { nodeOf, phaseOf } from "../../state/lesson.js";
import { state, t } from "../../store.js";
import { dataOf, formatValue } from "../../values/format.js";

/** @import { Step } from "../../types.js" */
/** @typedef {{question: string, left: string, says: string, result: string, value: string}} Asked  left, result: LaTeX, "" for none; value: text, where there is no LaTeX */

const MOST = 60; // characters of a value that stands in a line

/** The steps of the way back; of an optimizer's update too, where the lesson has one. */
export const stepsAsked = () =>
  state.value.steps.filter(
    (step) => step.phase !== "seed" && ["gradient", "process", "update"].includes(phaseOf(step)) && step.output,
  );

/** @param {Step} step @returns {Asked} */
export function askedAt(step) {
  const { language } = state.value;
  const name = nodeOf(step.output?.tensor ?? step.node);
  const prompt = step.question?.prompt && step.question.kind === "number" ? step.question.prompt : null;
  const result = step.result ?? "";
  const left = leftOf(step);
  const value = formatValue(step.output?.value);
  return {
    question: prompt ? inLanguage(language, prompt.en, prompt.zh) : left ? t("sheet.gradient") : t("sheet.what", { name }),
    left,
    says: inLanguage(language, step.sentence.en, step.sentence.zh),
    result,
    value: value.length <= MOST ? value : t("sheet.shape", { shape: shapeText(step) }),
  };
}

/** What is asked for, in LaTeX: "∂y/∂x" of "∂y/∂x = −1.14"; of arrays, what the step sends back. @param {Step} step */
function leftOf({ result, contributions = [] }) {
  const at = result && !result.includes("\\begin") ? result.lastIndexOf(" = ") : -1;
  if (result && at >= 0) return result.slice(0, at);
  return [...new Set(contributions.map(({ expression }) => expression))].join(",\\; ");
}

/** @param {Step} step */
function shapeText({ output }) {
  const value = output?.value;
  const shape = value instanceof Object ? value.shape : [];
  return dataOf(value ?? null) === null || shape.length === 0 ? "…" : shape.join(" × ");
}
