// The lock of a variable: one click trains it, or holds it constant.

import { html, nothing } from "lit";

import { switchTraining } from "../../requests/session.js";
import { canBeChosen, trainedIn } from "../../state/training.js";
import { state, t } from "../../store.js";
import { icons } from "./icons.js";

/** What a variable is, on a button that makes it the other; nothing for what is no variable of a formula. @param {string | undefined} name */
export function trainingSwitch(name) {
  const { program, stale } = state.value;
  if (!program || name === undefined || !canBeChosen(program, name)) return nothing;
  const isTrained = trainedIn(program).has(name);
  const title = t(isTrained ? "training.hold" : "training.train", { name });
  return html`<button class="quiet training ${isTrained ? "" : "is-constant"}" title=${title} aria-disabled=${stale}
    @click=${() => switchTraining(name)}>${isTrained ? icons.unlocked : icons.lock}<span class="visually-hidden">${name}:</span>
    ${t(isTrained ? "training.trained" : "training.constant")}</button>`;
}
