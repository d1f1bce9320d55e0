// A number to type. What is being typed stays while the page draws itself anew, as it does when an answer arrives;
// it is taken on Enter or as the field is left. Escape gives back what stood there, and so does what is no number.

import { html } from "lit";
import { live } from "lit/directives/live.js";

import { state, update } from "../../store.js";

/** @param {Event} event */
const textIn = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** Draw the field as the state has it. */
function forget() {
  if (state.value.typing) update({ typing: null });
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.key !== "Escape" || !state.value.typing) return;
  event.preventDefault(); // it ends the typing, and not a run
  forget();
}

/**
 * @param {object} field
 * @param {string} field.label   no other field on the page has it
 * @param {string} field.shown   the number while no one types
 * @param {(text: string) => void} field.entered  what was typed; it may be no number
 * @param {string} [field.kind]  its class
 * @param {string} [field.mode]  the keyboard that a phone shows for it
 */
export function numberField({ label, shown, entered, kind = "value", mode = "decimal" }) {
  const { typing } = state.value;
  const taken = (/** @type {Event} */ event) => {
    update({ typing: null });
    entered(textIn(event));
  };
  return html`<input class=${kind} size=${Math.max(5, shown.length)} inputmode=${mode} autocomplete="off" aria-label=${label} title=${label}
    .value=${live(typing?.label === label ? typing.text : shown)}
    @input=${(/** @type {Event} */ event) => update({ typing: { label, text: textIn(event) } })}
    @change=${taken} @blur=${forget} @keydown=${pressed}>`;
}
