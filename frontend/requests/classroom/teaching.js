// The teacher's part of a class: what is on their page is what the class sees; questions are asked, closed and revealed.

import { effect } from "@preact/signals-core";

import * as api from "../../api.js";
import { saveBlob } from "../../browser/saving.js";
import { linkToNow } from "../../browser/sharing.js";
import { linkedPart, sharedPart } from "../../browser/link.js";
import { jsonOf } from "../../browser/url_fragment.js";
import { newClassroom, rulesOf, toggledTool } from "../../state/classroom.js";
import { questionOf, stepAhead } from "../../state/predicting.js";
import { state, update } from "../../store.js";
import { LatestRequest } from "../latest_request.js";
import { failed } from "../request.js";
import { showStep } from "../run.js";
import { keepMembership } from "./keeping.js";
import { listen, stopListening } from "./listening.js";

/** @import { QuestionKind, Tool } from "../../state/classroom.js" */

const SHOWING_PAUSE_MS = 80; // a slider's many values become a few
const COUNTING_PAUSE_MS = 2_000;
const BEYOND_ALL = 1_000_000_000; // the number of no event
/** The tools of the page, which a teacher may leave out for the class. @type {readonly Tool[]} */
export const TOOLS = ["optimizer", "curves", "output", "landscape", "race", "compare", "changes", "table", "outline", "ops"];

const showing = new LatestRequest();
const counting = new LatestRequest();
/** What was shown last, and what ends following the page. */
const last = { shown: "", end: () => {} };

/** A link to what is on the page, from this host's root. */
async function presentLink() {
  const { pathname, search, hash } = new URL(await linkToNow());
  return pathname + search + hash;
}

/** @returns {Promise<{link: string, step: number, node: string | null}>} */
async function presentState() {
  const { cursor, selected } = state.value;
  return { link: await presentLink(), step: Math.max(0, cursor), node: selected };
}

/** Open a class on what is on the page. */
export async function startClass() {
  const shown = await presentState().catch(failed);
  const opened = shown && (await api.inClass("POST", "", null, { body: { state: shown } }).catch(failed));
  if (!opened) return;
  const membership = { role: /** @type {const} */ ("teacher"), code: opened.code, token: opened.teacher_token };
  keepMembership(membership);
  begin(newClassroom({ ...membership, shown }));
}

/** Go on with a class after the page was loaded again. @param {import("./keeping.js").Membership} membership */
export async function resumeClass(membership) {
  const results = await api.inClass("GET", `/${membership.code}/results`, membership.token).catch(() => null);
  if (!results) return keepMembership(null);
  const question = results.questions.at(-1) ?? null;
  const { seq, events } = await api.inClass("GET", `/${membership.code}/poll?after=${BEYOND_ALL}`, membership.token);
  const { mode, ...shown } = events[0].data; // of what is beyond all events the server sends the present state
  begin(
    newClassroom({
      ...membership,
      ...rulesOf(shown),
      mode,
      results,
      seq,
      question: question && { ...question, prompt: null, options: [] },
    }),
  );
}

/** @param {import("../../state/classroom.js").Classroom} classroom */
function begin(classroom) {
  update({ classroom });
  last.shown = "";
  accompany();
}

/** Show the class what is on the page, hear what happens in it and count who is where. */
function accompany() {
  last.end = effect(follow);
  listen(() => {});
  void counting.start(count);
}

/** Ask nothing more, not even for what is under way: a class that has ended answers nothing. */
function fallSilent() {
  last.end();
  stopListening();
  counting.abort();
  showing.abort();
}

/** Show the class what is on the page, whenever that has changed. */
function follow() {
  const now = state.value;
  if (now.busy || now.stale || !now.classroom || now.classroom.ended) return;
  const { language: _, theme: __, ...shown } = /** @type {Record<string, unknown>} */ (sharedPart(now));
  const text = jsonOf({ ...shown, ...linkedPart(now), selected: now.selected, ...rulesNow(now.classroom) });
  if (text === last.shown) return;
  last.shown = text;
  showing.startAfter(SHOWING_PAUSE_MS, show);
}

/** @param {AbortSignal} signal */
async function show(signal) {
  const { classroom } = state.value;
  if (!classroom) return;
  const body = { ...(await presentState()), ...rulesNow(classroom) };
  if (!signal.aborted) await act("PUT", "/state", body, signal);
}

/** Ask how many there are, where they are and what they answered, again and again. @param {AbortSignal} signal */
async function count(signal) {
  while (!signal.aborted && state.value.classroom && !state.value.classroom.ended) {
    if (document.visibilityState === "visible") await countNow(signal);
    await new Promise((done) => setTimeout(done, COUNTING_PAUSE_MS));
  }
}

/** @param {AbortSignal} [signal] */
async function countNow(signal) {
  const { classroom } = state.value;
  if (!classroom) return;
  const results = await api.inClass("GET", `/${classroom.code}/results`, classroom.token, { signal }).catch(() => null);
  if (results && state.value.classroom) update({ classroom: { ...state.value.classroom, results } });
}

/**
 * @param {"PUT" | "POST" | "DELETE"} method @param {string} path @param {unknown} [body] @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function act(method, path, body, signal) {
  const { classroom } = state.value;
  return classroom && api.inClass(method, `/${classroom.code}${path}`, classroom.token, { body, signal }).catch(failed);
}

/** @param {"follow" | "free"} mode */
export function setMode(mode) {
  const { classroom } = state.value;
  if (classroom) update({ classroom: { ...classroom, mode } });
}

/** Give the class a tool, or leave it out. @param {Tool} tool */
export function toggleTool(tool) {
  const { classroom } = state.value;
  if (classroom) update({ classroom: { ...classroom, tools: toggledTool(TOOLS, classroom.tools, tool) } });
}

/** Let nobody else in, or let more in again. */
export function toggleLock() {
  const { classroom } = state.value;
  if (classroom) update({ classroom: { ...classroom, locked: !classroom.locked } });
}

/** How the class goes, as it is sent. @param {import("../../state/classroom.js").Classroom} classroom */
const rulesNow = ({ mode, tools, locked }) => ({ mode, tools, locked });

/** The kinds of question that can be asked about the step ahead, the likeliest first. @returns {QuestionKind[]} */
export function kindsNow() {
  const step = stepAhead({ ...state.value, guesses: {} });
  const question = step && questionOf(step);
  if (!question) return state.value.run ? ["ending"] : [];
  const kind = /** @type {QuestionKind} */ (question.kind);
  return kind === "number" ? ["number", "sign"] : [kind];
}

/** Ask the class about the step ahead. @param {QuestionKind} kind @param {1 | 2} [round] */
export async function askClass(kind, round = 1) {
  const { program, run, stepLevel, classroom } = state.value;
  const again = round === 2 ? classroom?.question : null;
  const step = again?.step ?? stepAhead({ ...state.value, guesses: {} })?.index ?? 0;
  const about =
    kind === "ending" && run ? { run: run.parts[run.parts.length - 1].id } : { program: program?.id, level: stepLevel };
  await act("POST", "/questions", { step, kind, round, ...about });
}

/** Take no more answers. */
export async function closeQuestion() {
  await act("POST", `/questions/${state.value.classroom?.question?.id}/close`);
  await countNow();
}

/** Show the answer on all screens: the step that was asked about. */
export async function revealAnswer() {
  const question = state.value.classroom?.question;
  if (!question) return;
  await act("POST", `/questions/${question.id}/reveal`);
  if (question.kind !== "ending" && state.value.cursor < question.step) showStep(question.step);
}

/** The counts of all questions, as a file. */
export async function saveCounts() {
  const { classroom } = state.value;
  if (!classroom) return;
  const table = await api.inClass("GET", `/${classroom.code}/results?format=csv`, classroom.token).catch(failed);
  if (!table) return;
  saveBlob(table, "class.csv");
}

/** End the class: all of it is deleted. */
export async function endClass() {
  fallSilent();
  if ((await act("DELETE", "")) === undefined) return accompany(); // it goes on
  keepMembership(null);
  update({ classroom: null });
}
