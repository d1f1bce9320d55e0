// A number to type. What is being typed stays while the page draws itself anew, as it does when an answer arrives;
// it is taken on Enter or as the field is left. Escape gives back what stood there; what cannot be taken stays in its
// field with the reason below, until it is typed anew or the value is set elsewhere.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";

import { state, t, update } from "../../store.js";

/** @import { Mistake } from "../../store.js" */

/** @param {Event} event */
const textIn = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** Draw the field as the state has it. */
function forget() {
  if (state.value.typing) update({ typing: null });
}

/** The mistakes without that of a field. @param {string} label */
const without = (label) => Object.fromEntries(Object.entries(state.value.mistakes).filter(([each]) => each !== label));

/** What was typed into a field and could not be taken, while its value is the same. @param {string} label @param {string} shown */
function mistakeIn(label, shown) {
  const mistake = state.value.mistakes[label];
  return mistake?.shown === shown ? mistake : null;
}

/** @param {string} label */
const idOf = (label) => `mistake-${label.replace(/\s+/g, "_")}`;

/**
 * @param {object} field
 * @param {string} field.label   no other field on the page has it
 * @param {string} field.shown   the number while no one types
 * @param {(text: string) => Mistake["why"] | undefined} field.entered  takes what was typed, or says why it cannot be taken
 * @param {string} [field.kind]  its class
 * @param {string} [field.id]
 */
export function numberField({ label, shown, entered, kind = "value", id }) {
  const { typing } = state.value;
  const mistake = mistakeIn(label, shown);
  const taken = (/** @type {Event} */ event) => {
    const text = textIn(event);
    const why = entered(text);
    update({ typing: null, mistakes: why ? { ...without(label), [label]: { text, shown, why } } : without(label) });
  };
  const pressed = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || !(state.value.typing || mistake)) return;
    event.preventDefault(); // it ends the typing, and not a run
    update({ typing: null, mistakes: without(label) });
  };
  const text = typing?.label === label ? typing.text : (mistake?.text ?? shown);
  return html`<input class=${kind} id=${id ?? nothing} size=${Math.max(5, shown.length)} inputmode="text" autocomplete="off" autocapitalize="off" spellcheck="false"
    aria-label=${label} title=${label} aria-invalid=${mistake ? "true" : nothing} aria-describedby=${mistake ? idOf(label) : nothing}
    .value=${live(text)}
    @input=${(/** @type {Event} */ event) => update({ typing: { label, text: textIn(event) } })}
    @change=${taken} @blur=${forget} @keydown=${pressed}>`;
}

/** Why a field's text could not be taken; nothing where it was. @param {string} label @param {string} shown as the field's */
export function fieldMistake(label, shown) {
  const mistake = mistakeIn(label, shown);
  if (!mistake) return nothing;
  const { key, params } = mistake.why;
  return html`<p class="mistake" role="alert" id=${idOf(label)}>${t(key, { text: mistake.text, ...params })}</p>`;
}
