// The place on the page that a link leads to: once its text is open, the update and the step that were shown, and the dock.

import { settingsMoved, showRow, showStep } from "../requests/run.js";
import { optimiseText, speak } from "../requests/session.js";
import { state, update } from "../store.js";

/** @param {import("./link.js").Place} place */
export async function goTo({ cursor = 0, row = 0, settings, language, ...docks }) {
  if (language && language !== state.value.language) await speak(language);
  if (settings) {
    update({ settings });
    settingsMoved();
  }
  if (row > 0) {
    await optimiseText(row);
    showRow(Math.min(row, (state.value.run?.steps.length ?? 1) - 1));
  } else if (state.value.steps.length > 0) showStep(cursor);
  update({ ...docks, dockFor: state.value.source });
}
