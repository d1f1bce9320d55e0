// What the program is compared with: an earlier text, one that was kept, an example, another text, or a file.

import { html, nothing } from "lit";

import { chooseChanges, choiceOf, compareWithFile } from "../../requests/docks/changes.js";
import { firstOtherLine } from "../../state/changes/earlier.js";
import { state } from "../../store.js";
import { of, say } from "./words.js";

/** @import { Choice } from "../../state/changes/differing.js" */
/** @import { DrawnText } from "../../state/changes/earlier.js" */
/** @typedef {{value: string, label: string, choice: Choice | null}} Option */

const TEXT = "text";
const FILE = "file";

/** The line by which a text is known. @param {DrawnText} text */
const lineOf = (text) => (text.source ? firstOtherLine(text.source, state.value.drawnText?.source ?? "") : say("of_file"));

/** @returns {Option[]} */
function earlierOptions() {
  const { earlier, changes } = state.value;
  const past = earlier.map((text, place) => ({
    value: `earlier ${place}`,
    label: place === 0 ? say("last", { line: lineOf(text) }) : say("ago", { count: place + 1, line: lineOf(text) }),
    choice: /** @type {Choice} */ ({ kind: "earlier", place }),
  }));
  const kept = changes.kept && {
    value: "kept",
    label: say("kept", { line: lineOf(changes.kept) }),
    choice: /** @type {Choice} */ ({ kind: "kept" }),
  };
  return kept ? [kept, ...past] : past;
}

/** @returns {Option[]} */
const exampleOptions = () =>
  (state.value.course?.examples ?? []).map(({ id, title }) => ({
    value: `example ${id}`,
    label: of(title),
    choice: { kind: "example", id },
  }));

/** @returns {Option[]} */
function otherOptions() {
  const { chosen } = state.value.changes;
  const graph =
    chosen?.kind === "graph" ? [{ value: "graph", label: say("of_graph", { name: chosen.name }), choice: chosen }] : [];
  return [...graph, { value: TEXT, label: say("text"), choice: null }, { value: FILE, label: say("file"), choice: null }];
}

/** The option that is chosen. */
function chosenValue() {
  const choice = choiceOf(state.value);
  if (!choice) return "";
  if (choice.kind === "earlier") return `earlier ${choice.place}`;
  return choice.kind === "example" ? `example ${choice.id}` : choice.kind;
}

/** @param {Event} event @param {Option[]} options */
function chose(event, options) {
  const select = /** @type {HTMLSelectElement} */ (event.target);
  const { value } = select;
  if (value === FILE) {
    select.value = chosenValue(); // until a file is chosen
    return void (
      /** @type {HTMLInputElement | null} */ (select.closest("gl-changes")?.querySelector("input[type=file]"))?.click()
    );
  }
  if (value === TEXT) return chooseChanges({ chosen: { kind: "text", source: state.value.changes.typed } });
  const found = options.find((each) => each.value === value);
  if (found?.choice) chooseChanges({ chosen: found.choice });
  return undefined;
}

/** @param {string} label @param {Option[]} options */
const group = (label, options) =>
  options.length === 0
    ? nothing
    : html`<optgroup label=${label}>${options.map(
        ({ value, label: shown }) => html`<option value=${value} .selected=${value === chosenValue()}>${shown}</option>`,
      )}</optgroup>`;

/** @param {Event} event */
function fileChosen(event) {
  const [file] = /** @type {HTMLInputElement} */ (event.target).files ?? [];
  if (file) void compareWithFile(file);
}

/** The field for another text, where that is what is chosen. */
function textField() {
  const { chosen: choice } = state.value.changes;
  if (choice?.kind !== "text") return nothing;
  const taken = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const source = /** @type {HTMLFormElement} */ (event.target).querySelector("textarea")?.value ?? "";
    chooseChanges({ typed: source, chosen: { kind: "text", source } });
  };
  return html`<form class="other" @submit=${taken}><textarea rows="3" spellcheck="false" aria-label=${say("text_label")}
      placeholder=${say("text_hint")} .value=${choice.source}></textarea><button type="submit">${say("compare")}</button></form>`;
}

/** Keep the present text. */
const keep = () => chooseChanges({ kept: state.value.drawnText, chosen: { kind: "kept" } });

/** All of the choice. */
export function choiceFields() {
  const [earlier, examples, others] = [earlierOptions(), exampleOptions(), otherOptions()];
  const empty = html`<option value="" .selected=${chosenValue() === ""}></option>`;
  return html`<label class="with">${say("with")} <select @change=${(/** @type {Event} */ event) => chose(event, [...earlier, ...examples, ...others])}>
        ${chosenValue() === "" ? empty : nothing}${group(say("earlier"), earlier)}${group(say("others"), others)}${group(say("examples"), examples)}</select></label>
    <button class="keep" title=${say("keep_title")} ?disabled=${!state.value.drawnText} @click=${keep}>${say("keep")}</button>
    <input type="file" hidden aria-label=${say("file")} @change=${fileChosen}>${textField()}`;
}
