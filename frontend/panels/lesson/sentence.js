// What is said of the present moment: a step of the lesson, or an update of the optimizer.

import { inLanguage } from "../../i18n/i18n.js";
import { partAt } from "../../runs/parts.js";
import { pairsAt, updateSentence } from "../../runs/updates.js";
import { firstStop, learnersNames, nodeOf } from "../../state/lesson.js";
import { currentStep, shownProgram } from "../../state/selectors.js";
import { state, t } from "../../store.js";

/** @import { Step } from "../../types.js" */

/** What is said at a step. At the seed it is the question that the lesson opens with. @param {Step} step */
export function sentenceOf(step) {
  const { steps, language } = state.value;
  const next = steps[step.index + 1];
  const asked = step.index === firstStop(steps) && step.phase === "gradient" && next?.of ? seedQuestion(next.of) : "";
  return asked || inLanguage(language, step.sentence.en, step.sentence.zh);
}

/** @param {string} of the forward node whose turn is next */
function seedQuestion(of) {
  const program = shownProgram.value;
  if (!program?.target) return "";
  const target = nodeOf(program.target);
  return t("step.seed", { y: learnersNames(program).get(target) ?? target, op: (of.split("/").at(-1) ?? "").toLowerCase() });
}

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
