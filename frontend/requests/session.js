// What the page does when something is asked of it: change the state, and ask the server.
//
// At most one question about the text is under way. A new text ends the old question and what was being opened; a slider
// that moves on waits for the answer, so that the graph follows the hand without a queue.

import * as api from "../api.js";
import { programOf } from "../layout/graph/graph_import.js";
import { nextTurn } from "../scheduling/scheduler.js";
import { shownProgram } from "../state/selectors.js";
import { answered, state, update, valuesInUse } from "../store.js";
import { strings as graphStrings } from "../view/strings.js";
import { failed, programRequest } from "./request.js";
import { optimise, stop } from "./running.js";

const TYPING_PAUSE_MS = 250;

/** @type {AbortController | null} */
let asking = null;
let askAgain = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
let answering = Promise.resolve();
let openings = 0;

/** Begin another text or graph. @returns {() => boolean} whether none was begun since */
function begin() {
  openings += 1;
  const mine = openings;
  return () => mine === openings;
}

/** Take back the question under way, and what would be asked next. */
function takeBack() {
  clearTimeout(typing);
  typing = undefined;
  askAgain = false;
  asking?.abort();
  stop();
}

/**
 * Ask about the present text and take the answer in; values of variables that it has not got are forgotten.
 * @param {typeof answered} taken
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
async function ask(taken, signal) {
  const answer = await api.postProgram(programRequest(), signal);
  const given = Object.keys(state.value.at).length;
  const at = valuesInUse(state.value.at, answer, state.value.dialect);
  if (Object.keys(at).length < given) {
    update({ at });
    return ask(taken, signal);
  }
  const told = answer.id && answer.graph.nodes.length > 0 ? await api.getLesson(answer.id, signal) : { steps: [], values: {} };
  stop();
  update(taken(state.value, answer, told.steps, told.values));
}

/** @param {typeof answered} [taken] how the answer is taken in @returns {Promise<void>} */
function askNow(taken = answered) {
  takeBack();
  return (answering = answerTo(taken));
}

/** @param {typeof answered} taken */
async function answerTo(taken) {
  const mine = (asking = new AbortController());
  update({ busy: true });
  await ask(taken, mine.signal).catch((error) => unanswered(error, mine.signal));
  if (asking !== mine) return;
  asking = null;
  if (askAgain) await askNow(taken);
}

/** What is drawn stays, and is older than the text. @param {unknown} error @param {AbortSignal} asked */
function unanswered(error, asked) {
  failed(error);
  if (!asked.aborted) update({ busy: false, stale: Boolean(state.value.program?.graph.nodes.length) });
}

/** The learner typed. @param {string} source */
export function edit(source) {
  if (source === state.value.source) return;
  begin();
  takeBack();
  update({ source });
  typing = setTimeout(askNow, TYPING_PAUSE_MS);
}

/** Make `count` more updates of the present text: its answer, which begins anew, comes first. @param {number} count */
export async function optimiseText(count) {
  const begun = openings;
  if (typing) void askNow();
  while (asking) await answering;
  if (begun === openings) await optimise(count);
}

/** Give a variable a value. @param {string} name @param {number} value */
export function setVariable(name, value) {
  update({ at: { ...state.value.at, [name]: value } });
  if (asking) askAgain = true;
  else void askNow();
}

/** Read the text as another language. @param {import("../store.js").State["dialect"]} dialect */
export function readAs(dialect) {
  update({ dialect });
  void askNow();
}

/**
 * The present text's computation in another language; "generated" tells of the optimizer whose run is shown.
 * @param {string} language
 * @returns {Promise<string>}
 */
export async function writtenAs(language) {
  const { id } = await api.postProgram(programRequest(), AbortSignal.timeout(20_000));
  const { run } = state.value;
  const isOfRun = language === "generated" && run?.program.id === id;
  return (await (run && isOfRun ? api.getRunCode(run.parts[run.parts.length - 1].id) : api.getCode(id ?? "", language))).source;
}

/**
 * Put another text into the editor, where it can be undone.
 * @param {Pick<import("../store.js").State, "source" | "dialect" | "at">} text
 */
export function replaceText({ source, dialect, at }) {
  begin();
  update({ source, dialect, at });
  void askNow();
}

/** Put an example into the editor. @param {string} id */
export async function openExample(id) {
  const isWanted = begin();
  const example = await api.getExample(id).catch(failed);
  if (!example || !isWanted()) return;
  update({ source: example.source, dialect: "auto", at: example.at ?? {}, ranges: {}, tab: "graph" });
  await askNow();
}

export async function loadExamples() {
  if (state.value.examples) return;
  const examples = await api.getExamples().catch(failed);
  if (examples) update({ examples, trouble: null });
}

/** Ask what an op computes, once. @param {string} name */
export async function loadOp(name) {
  if (state.value.ops[name]) return;
  const op = await api.getOp(name).catch(() => null); // the card then has no formula
  if (op) update({ ops: { ...state.value.ops, [name]: op } });
}

/** Ask which nodes of the graph drawn carry the mathematics: of the program, or of the one that a run has grown. */
export async function loadEssentials() {
  const { run, essentials, detail } = state.value;
  const of = shownProgram.value;
  if (!of || detail !== "essentials" || essentials?.of === of) return;
  const found = await (run ? api.getRunEssentials(run.parts[run.parts.length - 1].id) : essentialsOf(of)).catch(failed);
  if (found && of === shownProgram.value) update({ essentials: { of, nodes: found.nodes } });
}

/** A default example gets its address by being run. @param {import("../types.js").Program} program */
async function essentialsOf({ id }) {
  const address = id ?? (await api.postProgram(programRequest(), AbortSignal.timeout(20_000))).id;
  return address && api.getEssentials(address);
}

/** @type {import("../i18n/i18n.js").Language | null} chosen last */
let chosen = null;

/** Speak a language from here on. @param {import("../i18n/i18n.js").Language} language */
export async function speak(language) {
  chosen = language;
  const catalogue = await api.getCatalogue(language);
  if (language === chosen) update({ language, catalogue: { ...graphStrings[language], ...catalogue } });
}

/** Draw a graph made elsewhere. @param {Promise<ArrayBuffer>} coming the bytes of its file */
export async function openGraph(coming) {
  const isWanted = begin();
  const bytes = await coming.catch(failed);
  const { readGraph } = await import("../layout/background/layout_client.js");
  const nodes = bytes && isWanted() && (await readGraph(bytes));
  if (!bytes || !isWanted()) return undefined;
  if (!nodes) return update({ answer: notAGraph() });
  takeBack();
  update({ source: "", at: {}, ranges: {}, tab: "graph" });
  await nextTurn(); // the emptied editor draws itself
  return update(answered(state.value, programOf(nodes), []));
}

/** @returns {import("../types.js").Program} */
const notAGraph = () => ({
  ...{ dialect: "graph", status: "error", printed: [], bindings: [], target: null, gradients: [], result: null },
  graph: { nodes: [] },
  diagnostics: [{ ...NOT_A_GRAPH, ...NOWHERE, severity: "error", code: "not_a_graph" }],
});
const NOWHERE = { line: null, column: null, end_line: null, end_column: null };
const NOT_A_GRAPH = {
  message: "This file holds no graph.",
  message_zh: "这个文件里没有计算图。",
  hint: 'It should be JSON of the form {"nodes": [{"id": "y", "op": "Exp", "inputs": ["x"]}]}.',
  hint_zh: '它应当是形如 {"nodes": [{"id": "y", "op": "Exp", "inputs": ["x"]}]} 的 JSON。',
};

/** Draw the graph that lies at a path of this host. @param {string} path */
export const openGraphAt = (path) => openGraph(api.getBytes(path));

/**
 * Open what a link holds: its text and its look, to which the learner may make changes before the answer comes.
 * @param {import("../browser/link.js").Linked} linked
 */
export async function openLinked({ source, dialect, at, ...look }) {
  if (source === undefined) return update(look);
  begin();
  update({ ...look, source, dialect: dialect ?? "auto", at: at ?? {}, ranges: {} }); // at once, as the address is kept
  await askNow((now, ...told) => ({
    ...answered(now, ...told),
    ...(look.open && { open: now.open }),
    ...(look.moved && { moved: now.moved }),
  }));
  if (state.value.trouble && !state.value.program) await standIn();
}

/** Draw the example that comes with the page for a text without an answer; the text stays, and what is told of it. */
async function standIn() {
  const example = await api.getDefaultExample().catch(() => null); // told already
  if (!example || state.value.program) return;
  const { trouble } = state.value;
  update({
    ...answered(state.value, example.program, example.lesson.steps, example.lesson.values),
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
  update(answered(state.value, program, lesson.steps, lesson.values));
}

/** Ask which optimizers there are, once; without an answer there is gradient descent. */
export async function loadOptimizers() {
  if (state.value.optimizers) return;
  const optimizers = await api.getOptimizers().catch(() => null);
  if (optimizers) update({ optimizers });
}
