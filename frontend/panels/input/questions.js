// What the program asks with `input()`: a field for each call, the last one for the line that the program waits for.

import { html, nothing } from "lit";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";

import { setLine } from "../../requests/session.js";
import { state, t, update } from "../../store.js";
import { withCode } from "../parts/code.js";
import { numberField } from "../parts/number_field.js";

/** @import { Question } from "../../types.js" */

/** Whether the program waits for this line. @param {Question} question */
const isOpen = ({ text }) => text === null;

/** All fields; nothing where the program asks nothing. */
export function questions() {
  const found = state.value.answer?.inputs ?? [];
  if (found.length === 0) return nothing;
  return html`<section class="questions" aria-label=${t("questions.title")}>
    <p class="hint" role="status">${withCode(t(found.some(isOpen) ? "questions.waits" : "questions.asked"))}</p>
    ${repeat(
      found,
      (_, i) => i,
      (question, i) => field(question, i),
    )}</section>`;
}

/** @param {Question} question @param {number} i */
function field(question, i) {
  const { prompt, line } = question;
  const label = t("questions.line", { number: i + 1, prompt: prompt.trim() || "input()" });
  const given = state.value.inputs[i];
  const entered = (/** @type {string} */ text) => void setLine(i, text);
  return html`<div class="question ${given === undefined ? "open" : ""}" ${given === undefined ? ref(goOn) : nothing}>
    ${line === null ? nothing : html`<button class="link" title=${t("questions.go_to", { line })} @click=${() => goTo(question)}>${t("questions.place", { line })}</button>`}
    <span class="prompt">${prompt.trim() || html`<code>input()</code>`}</span>
    ${numberField({ label, shown: given ?? "", entered, kind: "answer" })}
    ${given === undefined ? enterButton(i) : nothing}
  </div>`;
}

/** Who has typed one line types the next: its field takes over from the one before. @param {Element} [row] the one that is open, once it is drawn */
function goOn(row) {
  queueMicrotask(() => {
    if (row && document.activeElement?.closest(".questions")) row.querySelector("input")?.focus();
  });
}

/** It keeps the field's focus, so that what is typed is taken once; an empty line is one, too. @param {number} i */
function enterButton(i) {
  const pressed = (/** @type {Event} */ event) => {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    const typed = /** @type {HTMLInputElement | null} */ (button.parentElement?.querySelector("input"));
    if (state.value.inputs[i] === undefined) setLine(i, typed?.value ?? "");
  };
  return html`<button @pointerdown=${(/** @type {Event} */ event) => event.preventDefault()} @click=${pressed}>${t("questions.enter")}</button>`;
}

/** @param {Question} question */
function goTo({ line, column }) {
  if (line === null || column === null) return;
  update({ place: { line, column, end_line: line, end_column: column } });
}
