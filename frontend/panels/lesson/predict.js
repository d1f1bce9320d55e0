// Predict, then reveal: below the card the question about the next step, and above it what was said to this one.

import { html, nothing } from "lit";

import { readSetting, writeSetting } from "../../browser/local_storage.js";
import { inLanguage } from "../../i18n/i18n.js";
import { fetched } from "../../requests/request.js";
import { showStep } from "../../requests/run.js";
import {
  choicesOf,
  guessAt,
  guessKey,
  isAsked,
  judged,
  questionOf,
  stepAhead,
  typedNumbers,
  withGuess,
  withoutGuess,
} from "../../state/predicting.js";
import { labels } from "../../state/selectors.js";
import { quantityId } from "../../state/mathematics/ids.js";
import { state, t, update } from "../../store.js";
import { formatValue } from "../../values/format.js";
import { fieldMistake, numberField } from "../parts/number_field.js";
import "../parts/formula.js";
import { Panel } from "../panel.js";

/** @import { Bilingual, Step, StepQuestion, Value } from "../../types.js" */

const KEPT = "gradlens.guesses";
const CHOSEN = "gradlens.predict";
const SIGNS = ["+", "-", "0"];
const ENDINGS = ["converge", "oscillate", "diverge"];
const FIELD = "prediction"; // class and id of the field

restore();

/** What was said on earlier visits, as far as this browser keeps it. */
function restore() {
  try {
    update({ guesses: { ...JSON.parse(readSetting(KEPT) ?? "{}"), ...state.value.guesses } });
  } catch {
    writeSetting(KEPT, "{}");
  }
}

/** @param {Bilingual} words */
const spoken = ({ en, zh }) => inLanguage(state.value.language, en, zh);

class Predict extends Panel {
  render() {
    const step = isAsked(state.value) ? stepAhead(state.value) : null;
    const question = questionOf(step ?? undefined);
    return html`<section class="predict" aria-label=${t("predict.title")}>
      ${step && question ? this.asked(step, question) : nothing}
      <label class="switch"><input type="checkbox" .checked=${state.value.predict === "ask"} @change=${this.chosen}>
        ${t("predict.always")}</label>
    </section>`;
  }

  /** @param {Step} step @param {StepQuestion} question */
  asked(step, question) {
    return html`<p class="question">${question.prompt ? spoken(question.prompt) : t("predict.next")}</p>
      ${question.kind === "number" ? this.field(step, question) : this.choices(step, question)}`;
  }

  /** A number is taken as its field is left, and so by the button beside it. @param {Step} step @param {StepQuestion} question */
  field(step, question) {
    const label = t("predict.field");
    const entered = (/** @type {string} */ text) => {
      if (text.trim() === "") return undefined;
      const numbers = typedNumbers(text);
      if (!numbers) return /** @type {const} */ ({ key: "predict.unreadable" });
      answer(step, question, text.trim(), numbers.length === 1 ? numbers[0] : /** @type {any} */ (numbers));
      return undefined;
    };
    return html`<div class="row">${numberField({ label, shown: "", entered, kind: FIELD, id: FIELD })}
        <button>${t("predict.check")}</button></div>
      ${fieldMistake(label, "")}`;
  }

  /** @param {Step} step @param {StepQuestion} question */
  choices(step, question) {
    const all = { sign: SIGNS, ending: ENDINGS }[/** @type {"sign"} */ (question.kind)] ?? choicesOf(question);
    return html`<div class="choices" role="group" aria-label=${t("predict.choices")}>${all.map((value) => {
      const said = () => answer(step, question, plainText(question, value), value);
      return html`<button @click=${said}>${shownChoice(question, value)}</button>`;
    })}</div>`;
  }

  /** @param {Event} event */
  chosen(event) {
    const predict = /** @type {HTMLInputElement} */ (event.target).checked ? "ask" : "off";
    writeSetting(CHOSEN, predict);
    update({ predict });
  }
}

/** A choice as it is shown: a formula is set, and read aloud as a line of text; a sign or an ending is said in words. @param {StepQuestion} question @param {Value} value */
function shownChoice(question, value) {
  if (question.kind !== "formula") return plainText(question, value);
  return html`<gl-formula aria-hidden="true" .latex=${String(value)}></gl-formula><span class="visually-hidden">${inWords(question, value)}</span>`;
}

/** A formula as a line of text. @param {StepQuestion} question @param {Value} value */
const inWords = ({ answer: right, answer_text: text, choices }, value) =>
  (value === right ? text : choices.find((one) => one.value === value)?.value_text) ?? String(value);

/** @param {StepQuestion} question @param {Value} value @returns {string} */
function plainText({ kind }, value) {
  if (kind === "sign" || kind === "ending") return t(`predict.${kind}.${value}`);
  if (kind === "node") return labels.value.get(quantityId(`${value}:0`)) ?? String(value);
  return kind === "formula" ? String(value) : formatValue(value);
}

/** Keep what was said, and show the step. @param {Step} step @param {StepQuestion} question @param {string} said @param {Value} value */
function answer(step, question, said, value) {
  const now = state.value;
  const guesses = withGuess(now.guesses, guessKey(now, step), judged(question, said, value));
  writeSetting(KEPT, JSON.stringify(guesses));
  update({ guesses });
  showStep(step.index);
  requestAnimationFrame(goOn);
}

/** Whoever has answered goes on from there: to the next question, or the next step. */
function goOn() {
  const next = document.querySelector(".predict :is(.prediction, .choices button)") ?? document.querySelector(".transport .next");
  /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
}

/** The same question with other numbers. */
async function newNumbers() {
  const loaded = await fetched(() => import("../../requests/lesson/lesson_more.js"));
  update({ cursor: state.value.cursor - 1 });
  await loaded?.tryNewNumbers();
  goOn();
}

class Revealed extends Panel {
  render() {
    const guess = guessAt(state.value);
    const question = questionOf(state.value.steps[state.value.cursor]);
    if (!guess || !question) return nothing;
    return html`<div class="revealed ${guess.isRight ? "right" : ""}" role="status">
      <p>${verdict(question, guess)}</p>
      ${guess.way ? html`<p>${spoken(guess.way.why)}</p>` : nothing}
      <p class="row"><button class="link" @click=${askAgain}>${t("predict.again")}</button>
      ${state.value.program?.dialect === "math" ? html`<button class="link" @click=${newNumbers}>${t("predict.new_numbers")}</button>` : nothing}</p></div>`;
  }
}

/** @param {StepQuestion} question @param {import("../../state/predicting.js").Guess} guess */
function verdict(question, { said, isRight }) {
  if (question.kind !== "formula")
    return t(isRight ? "predict.right" : "predict.said", { said, is: plainText(question, question.answer) });
  return isRight ? t("predict.right_formula") : html`${t("predict.said_formula")} <gl-formula .latex=${said}></gl-formula>`;
}

/** Forget what was said to the step that is shown, and go back to the one before. */
function askAgain() {
  const now = state.value;
  const guesses = withoutGuess(now.guesses, guessKey(now, now.steps[now.cursor]));
  writeSetting(KEPT, JSON.stringify(guesses));
  update({ guesses });
  showStep(now.cursor - 1);
}

customElements.define("gl-predict", Predict);
customElements.define("gl-revealed", Revealed);
