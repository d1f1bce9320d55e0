// The keyboard's way through a lesson: → ← one step, Shift+→ ← one phase, Home and End; and Ctrl+Z for the view.

import { lastStop, phasesOf } from "../state/lesson.js";

/** @import { State } from "../store.js" */
/** @typedef {Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "defaultPrevented" | "target">} Key */

export const TEXT_FIELDS = "input:not([type=range]), textarea, [contenteditable]";
/** Where a letter has a meaning of its own: it is typed, or leads to what begins with it. */
export const TAKES_LETTERS = `${TEXT_FIELDS}, select, [role=listbox], [role=tree]`;
const OWN_KEYS =
  "input, select, textarea, [contenteditable], [role=tablist], [role=tree], [role=listbox], [role=graphics-document], svg, [role=separator], [popover]";

/** Where each phase begins, and the end. @param {State} state */
const stops = (state) => [...phasesOf(state.steps).map((phase) => phase.first), lastStop(state)];

/** @type {Record<string, (state: State, far: boolean) => number>} */
const STEPS = {
  ArrowRight: (state, far) => (far ? (stops(state).find((stop) => stop > state.cursor) ?? state.cursor) : state.cursor + 1),
  ArrowLeft: (state, far) => (far ? (stops(state).findLast((stop) => stop < state.cursor) ?? 0) : state.cursor - 1),
  Home: () => 0,
  End: lastStop,
};

/**
 * The step that a key asks for, or null where the key means something else.
 * @param {Key} event
 * @param {State} state
 */
export function actionFor(event, state) {
  const target = /** @type {Partial<Element> | null} */ (event.target);
  const inField = Boolean(target?.closest?.(OWN_KEYS));
  if (event.defaultPrevented || inField || event.ctrlKey || event.metaKey || event.altKey) return null;
  if (!(event.key in STEPS) || state.steps.length === 0) return null;
  return STEPS[event.key](state, event.shiftKey);
}

/** Whether a key asks to undo a change of the view: Ctrl+Z, where no text has the focus. @param {Key} event */
export function asksUndo(event) {
  const target = /** @type {Partial<Element> | null} */ (event.target);
  const undo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
  return undo && !event.defaultPrevented && !target?.closest?.(TEXT_FIELDS);
}

/** Whether a key asks to be asked: P, where it types nothing. @param {Key} event */
export function asksQuestion({ key, target, ctrlKey, metaKey, altKey, defaultPrevented }) {
  const inField = Boolean(/** @type {Partial<Element> | null} */ (target)?.closest?.(TAKES_LETTERS));
  return key.toLowerCase() === "p" && !inField && !(ctrlKey || metaKey || altKey || defaultPrevented);
}
