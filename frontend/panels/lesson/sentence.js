// What is said of the present moment: a step of the lesson, or an update of the optimizer.

import { inLanguage } from "../../i18n/i18n.js";
import { partAt } from "../../runs/parts.js";
import { pairsAt, updateSentence } from "../../runs/updates.js";
import { firstStop, learnersNames, nodeOf, phaseOf } from "../../state/lesson.js";
import { isFramework } from "../../state/levels.js";
import { quantityId } from "../../state/mathematics/ids.js";
import { currentStep, picture } from "../../state/selectors.js";
import { state, t } from "../../store.js";
import { dataOf } from "../../values/format.js";

/** @import { Step } from "../../types.js" */

/** What is said at a step. At a seed of 1 it is the question that the lesson opens with. @param {Step} step */
export function sentenceOf(step) {
  const { steps, language, stepLevel } = state.value;
  const isSeed =
    !isFramework(stepLevel) &&
    step.index === firstStop(steps) &&
    phaseOf(step) === "gradient" &&
    dataOf(step.output?.value) === 1;
  return (isSeed && seedQuestion(steps[step.index + 1])) || inLanguage(language, step.sentence.en, step.sentence.zh);
}

/** @param {Step | undefined} next that has its turn next @returns {string} */
function seedQuestion(next) {
  const { program, source } = state.value;
  if (!program?.target || !next?.of) return "";
  const target = nodeOf(program.target);
  const word = (next.of.split("/").at(-1) ?? "").toLowerCase();
  const quantity = picture.value?.parts.get(quantityId(next.of));
  const isPlain = next.phase !== "backward" || source.includes(`${word}(`) || !quantity; // else it is called by its formula
  const y = next.phase === "backward" ? yOf(next) : (learnersNames(program).get(target) ?? target);
  return t("step.seed", { y, op: isPlain ? word : quantity.label.split(" = ")[0] });
}

/** What is differentiated: "L" of "∂L/∂x". @param {Step} step */
const yOf = ({ contributions = [] }) => /^∂(.+)\/∂/.exec(contributions[0]?.expression_text ?? "")?.[1] ?? "";

/** One sentence per variable that the last update moved. */
export function updateSentences() {
  const { run, row } = state.value;
  if (!run || row === 0) return [];
  const { rate } = partAt(run, row);
  return pairsAt(run, row)
    .map((pair) => updateSentence(pair, rate))
    .filter((text) => text !== "");
}

const LONG_WAY = 1000; // updates
const QUARTERS = 4; // of it, each announced once it is done

/** How far a long run under way has come, in words that change four times; "" of a short one. */
function progress() {
  const { goal, row } = state.value;
  if (!goal || goal.to - goal.from < LONG_WAY) return "";
  const [done, all] = [row - goal.from, goal.to - goal.from];
  const announced = Math.round((Math.floor((done / all) * QUARTERS) / QUARTERS) * all);
  return t("optimizer.under_way", { done: announced, all });
}

/** All that is said, for those who listen. */
export function narration() {
  const underWay = progress();
  if (underWay) return underWay;
  if (state.value.optimising) return updateSentences().join(" ");
  return currentStep.value ? sentenceOf(currentStep.value) : "";
}
