// What a teacher has of a class: the code, how many are there and where, questions and what came of them.

import { html, nothing } from "lit";

import {
  askClass,
  closeQuestion,
  endClass,
  kindsNow,
  revealAnswer,
  saveCounts,
  setMode,
  toggleLock,
  toggleTool,
  TOOLS,
} from "../../requests/classroom/teaching.js";
import { latestResult, stage } from "../../state/classroom.js";
import { state, t } from "../../store.js";
import { histograms } from "./histogram.js";

/** @import { Classroom, QuestionKind } from "../../state/classroom.js" */

/** @param {Classroom} classroom @param {() => void} showCode */
export function teacherBar(classroom, showCode) {
  const { code, mode, results } = classroom;
  return html`<button class="class-code" @click=${showCode} title=${t("class.show_code")}>${code}</button>
    <span class="class-count">${t("class.students", { count: results?.students ?? 0 })}</span>
    ${lost(classroom)}
    <div class="segments" role="group" aria-label=${t("class.mode")}>
      ${
        /** @type {const} */ (["follow", "free"]).map(
          (each) => html`<button aria-pressed=${each === mode} @click=${() => setMode(each)}>${t(`class.mode_${each}`)}</button>`,
        )
      }</div>
    ${tools(classroom)}
    <button class="quiet" aria-pressed=${classroom.locked} @click=${toggleLock}>${t(classroom.locked ? "class.locked" : "class.lock")}</button>
    ${stage(classroom) === "open" ? nothing : kindsNow().map(askButton)}
    <span class="space"></span>
    <button class="quiet" @click=${saveCounts}>${t("class.save")}</button>
    <button class="quiet" @click=${askToEnd}>${t("class.end")}</button>`;
}

/** Which of the page's tools the class has. @param {Classroom} classroom */
const tools = ({ tools: given }) =>
  html`<details class="class-tools"><summary>${t("class.tools", { count: (given ?? TOOLS).length, all: TOOLS.length })}</summary>
    <div role="group" aria-label=${t("class.tools_about")}>
      ${TOOLS.map(
        (
          tool,
        ) => html`<label><input type="checkbox" .checked=${(given ?? TOOLS).includes(tool)} @change=${() => toggleTool(tool)}>
          ${t(`dock.${tool}`)}</label>`,
      )}</div></details>`;

/** @param {QuestionKind} kind @param {number} place */
const askButton = (kind, place) =>
  html`<button class=${place === 0 ? "primary" : "quiet"} @click=${() => askClass(kind)}>${t(`class.ask_${kind}`)}</button>`;

/** Where students are who are not where the teacher is, and who is lost at this step. @param {Classroom} classroom */
function lost({ results }) {
  const here = String(Math.max(0, state.value.cursor));
  const count = results?.lost[here] ?? 0;
  const there = results?.steps[here] ?? 0;
  return html`${there > 0 ? html`<span class="class-count">${t("class.here", { count: there })}</span>` : nothing}
    ${count > 0 ? html`<strong class="class-lost">${t("class.lost_count", { count })}</strong>` : nothing}`;
}

/** Nothing of a class can be brought back, so this is asked once. */
function askToEnd() {
  if (confirm(t("class.end_sure"))) void endClass();
}

/** The question that was asked last, with what can be done about it. @param {Classroom} classroom */
export function teacherQuestion(classroom) {
  const { question } = classroom;
  const result = latestResult(classroom);
  if (!question || (stage(classroom) === "revealed" && state.value.cursor > question.step)) return nothing;
  return html`<section class="class-question" aria-label=${t("class.question")}>
    <p class="class-asked"><strong>${t("class.round", { round: question.round })}</strong>
      ${question.prompt ? say(question.prompt) : t(`class.ask_${question.kind}`)}
      <span class="class-count">${t("class.answered", { answered: result?.answered ?? 0, students: classroom.results?.students ?? 0 })}</span></p>
    ${histograms(roundsOf(classroom))}
    <div class="row">${buttons(classroom)}</div></section>`;
}

/** @param {import("../../types.js").Bilingual} words */
const say = ({ en, zh }) => (state.value.language === "zh-CN" ? zh : en);

/** @param {Classroom} classroom */
function buttons(classroom) {
  const { question } = classroom;
  if (stage(classroom) === "open") return html`<button class="primary" @click=${closeQuestion}>${t("class.close")}</button>`;
  if (stage(classroom) === "revealed" || !question) return nothing;
  return html`<button class="primary" @click=${revealAnswer}>${t("class.reveal")}</button>
    ${question.round === 1 ? html`<button @click=${() => askClass(question.kind, 2)}>${t("class.second")}</button>` : nothing}`;
}

/** What was said to this question, in each round that is over. @param {Classroom} classroom @returns {import("../../state/classroom.js").Round[]} */
function roundsOf({ question, results }) {
  const same = (results?.questions ?? []).filter(({ step, kind }) => step === question?.step && kind === question?.kind);
  const rounds = new Map(same.map((each) => [each.round, each]));
  return [...rounds.values()].filter(({ bins }) => bins !== null);
}
