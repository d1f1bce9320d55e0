// What the page does when something is asked of it: change the state, and ask the server.
//
// At most one question about the text is under way. A new text ends the old question and what was being opened; a slider
// that moves on waits for the answer, so that the graph follows the hand without a queue.

import * as api from "../api.js";
import { level, shownProgram } from "../state/selectors.js";
import { feedsInUse, NOTHING_GIVEN } from "../state/given.js";
import { isFramework } from "../state/levels.js";
import { canBeChosen, carriedOver, withOther } from "../state/training.js";
import { answered, state, update, valuesInUse } from "../store.js";
import { strings as graphStrings } from "../view/strings.js";
import { LatestRequest } from "./latest_request.js";
import { lessonAt } from "./lesson/lesson_at.js";
import { failed, programRequest, troubleOf } from "./request.js";
import { optimise, stop } from "./run.js";

const TYPING_PAUSE_MS = 250;
/** What a text is given, which may change while its answer is on its way. */
const GIVEN = /** @type {const} */ (["at", "inputs", "feeds", "data", "seed"]);

/** The question about the present text. */
const question = new LatestRequest();
/** Another text or graph that is being opened. */
const opening = new LatestRequest();
const catalogue = new LatestRequest();

/** Begin another text or graph. @returns {() => boolean} whether none was begun since */
export function begin() {
  const signal = opening.abort();
  return () => !signal.aborted;
}

/** Take back the question under way, and what would be asked next. */
export function takeBack() {
  question.abort();
  stop();
  if (state.value.progress) update({ progress: null });
}

/** Stop the program that is being run: the graph before stays, and what it printed so far. */
export function stopProgram() {
  const { progress, program } = state.value;
  takeBack();
  update({ busy: false, stale: Boolean(program?.graph.nodes.length), progress: progress && { ...progress, stopped: true } });
}

/**
 * Ask about the present text and take the answer in, unless it has not got all variables that values were given to.
 * @param {typeof answered} taken @param {AbortSignal} signal
 */
async function ask(taken, signal) {
  const answer = await api.postProgram(programRequest(), signal);
  if (forgotten(answer)) return;
  const lesson = await lessonOf(answer, signal);
  stop();
  update({ ...taken(state.value, answer, lesson), progress: null });
}

/** A program's lesson; one that cannot be had takes nothing from the graph. @param {import("../types.js").Program} answer @param {AbortSignal} signal @returns {Promise<import("../state/levels.js").Answered>} */
async function lessonOf({ id, graph }, signal) {
  const { level: asked } = state.value;
  const none = { steps: [], asked };
  if (!id || graph.nodes.length === 0) return none;
  const lesson = await lessonOrOther(id, asked, signal).catch((error) => {
    if (signal.aborted) throw error;
    return { steps: [], trouble: troubleOf(error) };
  });
  return { ...none, ...lesson };
}

/** At TensorFlow's level where a program cannot be written for the framework whose level is looked at. @param {string} id @param {import("../types.js").Level} asked @param {AbortSignal} signal */
const lessonOrOther = (id, asked, signal) =>
  lessonAt(id, asked, signal).catch((error) => {
    if (!isFramework(asked) || !(error instanceof api.ApiError)) throw error;
    return lessonAt(id, "tensorflow", signal);
  });

/** Forget values and choices of variables that the text has not got. @param {import("../types.js").Program} answer @returns {boolean} whether there were some */
function forgotten(answer) {
  const { at: before, dialect, wrt: choice, feeds: fed } = state.value;
  const [at, wrt, feeds] = [valuesInUse(before, answer, dialect), carriedOver(choice, answer), feedsInUse(fed, answer)];
  const isOther = Object.keys(at).length < Object.keys(before).length || wrt !== choice || feeds !== fed;
  if (isOther) update({ at: { ...at }, wrt, feeds });
  return isOther;
}

/** @param {typeof answered} [taken] how the answer is taken in */
function askNow(taken = answered) {
  takeBack();
  return question.start((signal) => askUntilRest(taken, signal));
}

/** Ask until the answer is about the values and lines that there are by then. @param {typeof answered} taken @param {AbortSignal} signal */
async function askUntilRest(taken, signal) {
  const isOld = (/** @type {import("../store.js").State} */ asked) => GIVEN.some((field) => asked[field] !== state.value[field]);
  /** @type {import("../store.js").State | null} */
  let asked = null;
  while (!signal.aborted && (asked === null || isOld(asked))) {
    asked = state.value;
    update({ busy: true, progress: null });
    await ask(taken, signal).catch((error) => unanswered(error, signal));
  }
}

/** What is drawn stays, and is older than the text. @param {unknown} error @param {AbortSignal} signal */
function unanswered(error, signal) {
  failed(error);
  if (!signal.aborted) update({ busy: false, progress: null, stale: Boolean(state.value.program?.graph.nodes.length) });
}

/** The learner typed. @param {string} source */
export function edit(source) {
  if (source === state.value.source) return;
  begin();
  takeBack();
  update({ source });
  question.startAfter(TYPING_PAUSE_MS, (signal) => askUntilRest(answered, signal));
}

/** Wait while there is a question about the text under way. */
export async function untilAnswered() {
  while (question.isUnderWay) await question.over;
}

/** Make `count` more updates of the present text: its answer, which begins anew, comes first. @param {number} count */
export async function optimiseText(count) {
  const { signal } = opening;
  if (question.isWaiting) void askNow();
  await untilAnswered();
  if (!signal.aborted) await optimise(count);
}

/** Give a variable a value. @param {string} name @param {number} value */
export function setVariable(name, value) {
  update({ at: { ...state.value.at, [name]: value } });
  if (!question.isUnderWay) void askNow();
}

/** Train a variable of the formula that is drawn, or hold it constant, whichever it is not. @param {string} name */
export function switchTraining(name) {
  const { program, stale } = state.value;
  if (!program || stale || !canBeChosen(program, name)) return;
  update({ wrt: withOther(program, name) });
  void askNow();
}

/** Give the program a line that it asked for with `input()`. @param {number} place which call, from 0 @param {string} line */
export function setLine(place, line) {
  const inputs = [...state.value.inputs];
  inputs[place] = line;
  update({ inputs });
  if (!question.isUnderWay) void askNow();
}

/**
 * Give the program something else: values of placeholders, tables, a seed, or variables to train.
 * @param {Partial<Pick<import("../store.js").State, "feeds" | "data" | "seed" | "wrt">>} given
 */
export function give(given) {
  update(given);
  if (!question.isUnderWay || given.wrt !== undefined) void askNow();
}

/** Ask about the present text again. */
export const askAgain = () => void askNow();

/** Read the text as another language. @param {import("../store.js").State["dialect"]} dialect */
export function readAs(dialect) {
  update({ dialect });
  void askNow();
}

/**
 * Put another text into the editor, where it can be undone.
 * @param {Pick<import("../store.js").State, "source" | "dialect" | "at"> & Partial<Pick<import("../store.js").State, "wrt">>} text
 */
export function replaceText({ source, dialect, at, wrt = null }) {
  begin();
  update({ source, dialect, at, wrt });
  void askNow();
}

/**
 * Put an example into the editor.
 * @param {string} id @param {(example: import("../types.js").Example) => Partial<import("../store.js").State>} [along] what else is then set
 * @returns {Promise<import("../types.js").Example | null>} null where it could not be had, or something else was begun
 */
export async function openExample(id, along = () => ({})) {
  const isWanted = begin();
  const example = await api.getExample(id).catch(failed);
  if (!example || !isWanted()) return null;
  const text = {
    source: example.source,
    dialect: /** @type {const} */ ("auto"),
    at: example.at ?? {},
    ...NOTHING_GIVEN,
    wrt: null,
  };
  update({ ...text, ranges: {}, tab: "graph", ...along(example) });
  await askNow();
  return isWanted() ? example : null;
}

/** Ask what an op computes, once. @param {string} name */
export async function loadOp(name) {
  if (state.value.ops[name]) return;
  const op = await api.getOp(name).catch(() => null); // the card then has no formula
  if (op) update({ ops: { ...state.value.ops, [name]: op } });
}

/** Ask which ops there are, once. */
export async function loadOps() {
  if (state.value.allOps) return;
  const found = await api.getOps().catch(failed);
  if (found) update({ allOps: found.ops });
}

/** Ask which nodes of the graph drawn carry the mathematics: of the program, or of the one that a run has grown. */
export async function loadEssentials() {
  const { run, essentials, detail } = state.value;
  const of = shownProgram.value;
  if (!of || level.value === "mathematics" || detail !== "essentials" || essentials?.of === of) return;
  const found = await (run ? api.getRunEssentials(run.parts[run.parts.length - 1].id) : essentialsOf(of)).catch(failed);
  if (found && of === shownProgram.value) update({ essentials: { of, nodes: found.nodes } });
}

/** A default example gets its address by being run. @param {import("../types.js").Program} program */
async function essentialsOf({ id, imported }) {
  if (imported) return api.getImportEssentials(imported);
  const address = id ?? (await api.postProgram(programRequest(), AbortSignal.timeout(20_000))).id;
  return address && api.getEssentials(address);
}

/** Speak a language from here on. @param {import("../i18n/i18n.js").Language} language */
export async function speak(language) {
  const signal = catalogue.abort();
  const words = await api.getCatalogue(language);
  if (!signal.aborted) update({ language, catalogue: { ...graphStrings[language], ...words } });
}

/**
 * Open what a link holds: its text and its look, to which the learner may make changes before the answer comes.
 * @param {import("../browser/link.js").Linked} linked
 */
export async function openLinked({ source, dialect, at, inputs, feeds, data, seed, wrt, ...look }) {
  if (source === undefined) return update({ ...look, ...(feeds && { feeds }) }); // of a graph from a file
  begin();
  const { inputs: lines, ...nothing } = NOTHING_GIVEN;
  const given = {
    inputs: inputs ?? lines,
    feeds: feeds ?? nothing.feeds,
    data: data ?? nothing.data,
    seed: seed ?? nothing.seed,
  };
  update({ ...look, source, dialect: dialect ?? "auto", at: at ?? {}, ...given, wrt: wrt ?? null, ranges: {} }); // at once, as the address is kept
  await askNow((now, ...answer) => ({
    ...answered(now, ...answer),
    ...(look.open && { open: now.open }),
    ...(look.moved && { moved: now.moved }),
  }));
  if (state.value.trouble && !state.value.program) await standIn();
}

/** Draw the example that comes with the page for a text without an answer; the text stays, and what is said of it. */
async function standIn() {
  const example = await api.getDefaultExample().catch(() => null); // which was shown already
  if (!example || state.value.program) return;
  const { trouble } = state.value;
  update({
    ...answered(state.value, example.program, example.lesson),
    answer: null,
    trouble,
    stale: true,
  });
}

/** Draw the example that comes with the page; no server is asked. */
export async function openDefault() {
  const isWanted = begin();
  const { program, lesson, source, at } = await api.getDefaultExample();
  if (!isWanted()) return;
  update({ source, at });
  update(answered(state.value, program, lesson));
}

/** Ask which optimizers there are, once; without an answer there is gradient descent. */
export async function loadOptimizers() {
  if (state.value.optimizers) return;
  const optimizers = await api.getOptimizers().catch(() => null);
  if (optimizers) update({ optimizers });
}
