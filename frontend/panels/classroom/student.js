// What a student has of a class: their label, the class's or their own way, the question, and "I am lost here".

import { html, nothing } from "lit";

import { answerClass, dismiss, explore, leaveClass, rejoin, sayLost } from "../../requests/classroom/attending.js";
import { isFollowing } from "../../state/classroom.js";
import { typedNumbers } from "../../state/predicting.js";
import { state, t } from "../../store.js";
import { formatValue } from "../../values/format.js";
import "../parts/formula.js";
import { fieldMistake, numberField } from "../parts/number_field.js";
import { histograms } from "./histogram.js";

/** @import { Classroom, ClassQuestion } from "../../state/classroom.js" */
/** @import { Bilingual } from "../../types.js" */

/** @param {Bilingual | null} words */
const say = (words) => (state.value.language === "zh-CN" ? words?.zh : words?.en) ?? "";

/** @param {Classroom} classroom */
export function studentBar(classroom) {
  if (classroom.ended)
    return html`<span>${t("class.over")}</span><span class="space"></span>
    <button @click=${dismiss}>${t("class.dismiss")}</button>`;
  const lostHere = classroom.lostAt !== null && classroom.lostAt === Math.max(0, state.value.cursor);
  return html`<span class="class-label" title=${t("class.label_about")}>${say(classroom.label)}</span>
    ${way(classroom)}
    <span class="space"></span>
    <button aria-pressed=${lostHere} ?disabled=${lostHere} @click=${sayLost}>${t(lostHere ? "class.lost_said" : "class.lost")}</button>
    <button class="quiet" @click=${leaveClass}>${t("class.leave")}</button>`;
}

/** @param {Classroom} classroom */
function way(classroom) {
  if (classroom.mode === "free") return html`<span class="class-count">${t("class.free_about")}</span>`;
  return isFollowing(classroom)
    ? html`<span class="class-count class-following">${t("class.following")}</span><button class="quiet" @click=${explore}>${t("class.explore")}</button>`
    : html`<button class="primary" @click=${rejoin}>${t("class.back")}</button>`;
}

/** @param {Classroom} classroom */
export function studentQuestion({ question }) {
  if (!question) return nothing;
  return html`<section class="class-question" aria-label=${t("class.question")} aria-live="polite">
    <p class="class-asked"><strong>${t("class.round", { round: question.round })}</strong> ${say(question.prompt)}</p>
    ${question.closed ? nothing : field(question)}
    <p class="class-said">${said(question)}</p>
    ${histograms((question.rounds ?? []).filter(({ bins }) => bins !== null))}</section>`;
}

/** What one has said, and the answer once it is shown. @param {ClassQuestion} question */
function said(question) {
  const own = question.said === null || question.said === undefined ? null : shown(question, question.said);
  if (question.revealed) {
    const answer = shown(question, question.answer ?? null);
    return own === null ? t("class.answer", { answer }) : t("class.you_and_answer", { said: own, answer });
  }
  if (question.closed) return own === null ? t("class.closed") : t("class.closed_with", { said: own });
  return own === null ? "" : t("class.may_change", { said: own });
}

/** An answer as a line of text. @param {ClassQuestion} question @param {unknown} value @returns {string} */
function shown({ kind, options }, value) {
  if (kind === "sign" || kind === "ending") return t(`predict.${kind}.${value}`);
  const option = options.find((each) => each.value === value);
  if (option) return option.text;
  return Array.isArray(value) ? value.map((each) => formatValue(each)).join(", ") : formatValue(/** @type {any} */ (value));
}

/** @param {ClassQuestion} question */
function field(question) {
  return question.kind === "number"
    ? numberRow()
    : html`<div class="choices" role="group" aria-label=${t("predict.choices")}>
    ${question.options.map(({ value }) => choice(question, value))}</div>`;
}

/** @param {ClassQuestion} question @param {string} value */
function choice(question, value) {
  const send = () => answerClass(question.kind === "node" ? { node: value } : { option: value });
  const face = question.kind === "formula" ? html`<gl-formula .latex=${value}></gl-formula>` : shown(question, value);
  return html`<button aria-pressed=${question.said === value} @click=${send}>${face}</button>`;
}

function numberRow() {
  const label = t("class.field");
  const entered = (/** @type {string} */ text) => {
    if (text.trim() === "") return undefined;
    const numbers = typedNumbers(text);
    if (!numbers) return /** @type {const} */ ({ key: "predict.unreadable" });
    void answerClass({ value: numbers.length === 1 ? numbers[0] : numbers });
    return undefined;
  };
  return html`<div class="row">${numberField({ label, shown: "", entered, kind: "prediction" })}<button class="primary">${t("class.send")}</button></div>
    ${fieldMistake(label, "")}`;
}
