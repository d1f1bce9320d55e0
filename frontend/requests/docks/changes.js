// What differs between the program that is drawn and the one that was chosen, asked for while it is looked at.

import { getExample, postDifferences, postImport } from "../../api.js";
import { state, update } from "../../store.js";
import { LatestRequest } from "../latest_request.js";
import { isProgram, programIn } from "../program_file.js";
import { failed, isProgramText, troubleOf } from "../request.js";

/** @import { State } from "../../store.js" */
/** @import { Choice } from "../../state/changes/differing.js" */
/** @import { DrawnText } from "../../state/changes/earlier.js" */
/** @typedef {string | {source: string, at?: object, dialect?: string}} Asked  an id, or a program */

const request = new LatestRequest();
const opening = new LatestRequest();

/** Change what is chosen. @param {Partial<State["changes"]>} fields */
export const chooseChanges = (fields) => update({ changes: { ...state.value.changes, ...fields } });

/** What is compared with: the choice, else the text before the last change. @param {State} now @returns {Choice | null} */
export const choiceOf = ({ changes, earlier }) => changes.chosen ?? (earlier.length > 0 ? { kind: "earlier", place: 0 } : null);

/** Whether the server knows what is drawn: it has no graph that the page itself read from a file. @param {State} now */
export const isKnown = ({ drawnText }) => drawnText !== null && (drawnText.id !== null || drawnText.source !== "");

/** What a comparison is about. @param {State} now */
function aboutOf(now) {
  const [choice, { drawnText }] = [choiceOf(now), now];
  if (!choice || !drawnText || !isKnown(now) || now.stale || now.busy) return null;
  const before = choice.kind === "earlier" ? now.earlier[choice.place] : choice.kind === "kept" ? now.changes.kept : choice;
  return before ? { before, after: drawnText } : null;
}

/** Whether what is there is about what is chosen. @param {State} now */
export function isThere(now) {
  const [about, of] = [aboutOf(now), now.changesFound?.of];
  return about === null || (of?.before === about.before && of.after === about.after);
}

/** Ask what differs, unless that is there or under way. */
export function loadChanges() {
  const about = aboutOf(state.value);
  if (!about || isThere(state.value)) return;
  const underWay = /** @type {typeof about | undefined} */ (request.isUnderWay ? request.about : undefined);
  if (underWay?.before === about.before && underWay.after === about.after) return;
  void request.start((signal) => ask(about, signal), about);
}

/** @param {NonNullable<ReturnType<typeof aboutOf>>} about @param {AbortSignal} signal */
async function ask(about, signal) {
  /** @param {Partial<NonNullable<State["changesFound"]>>} found */
  const take = (found) => update({ changesFound: { of: about, answer: null, trouble: null, ...found } });
  try {
    const before = "kind" in about.before ? await askedOf(about.before, about.after.at) : askedText(about.before);
    const answer = await postDifferences({ before, after: askedText(about.after) }, signal);
    if (!signal.aborted) take({ answer });
  } catch (error) {
    if (signal.aborted) return failed(error);
    take({ trouble: troubleOf(error) });
  }
}

/** A text that was drawn, by the server's id of it, where it has one. @param {DrawnText} text @returns {Asked} */
const askedText = ({ id, source, dialect, at }) => id ?? { source, dialect, at };

/** A formula is computed at the numbers of the one that is drawn. @param {Exclude<Choice, {kind: "earlier" | "kept"}>} choice @param {DrawnText["at"]} at @returns {Promise<Asked>} */
async function askedOf(choice, at) {
  if (choice.kind === "graph") return choice.id;
  if (choice.kind === "text") return isProgramText(choice.source) ? { source: choice.source } : { source: choice.source, at };
  const example = await getExample(choice.id);
  return { source: example.source, at: example.at ?? {} };
}

/** Compare with a file: a program or a notebook, or a graph that another program wrote. @param {File} file */
export async function compareWithFile(file) {
  await opening.start(async (signal) => {
    const chosen = await chosenIn(file).catch(failed);
    if (chosen && !signal.aborted) chooseChanges({ chosen });
  });
}

/** @param {File} file @returns {Promise<Choice>} */
async function chosenIn(file) {
  if (isProgram(file.name)) return { kind: "text", source: await programIn(file) };
  const answer = JSON.parse(new TextDecoder().decode(await postImport(await file.arrayBuffer())));
  return { kind: "graph", id: answer.id, name: file.name };
}
