// A student's part of a class: joining, seeing what the teacher shows, answering, and saying where one is lost.

import { effect } from "@preact/signals-core";

import * as api from "../../api.js";
import { heldBy, linkedPart } from "../../browser/link.js";
import { fromFragment, jsonOf } from "../../browser/url_fragment.js";
import { afterAnswer, isFollowing, newClassroom, rulesOf } from "../../state/classroom.js";
import { INITIAL, state, update } from "../../store.js";
import { LatestRequest } from "../latest_request.js";
import { failed, fetched } from "../request.js";
import { showStep } from "../run.js";
import { openLinked } from "../session.js";
import { keepMembership, keptMembership } from "./keeping.js";
import { listen, stopListening } from "./listening.js";

const PLACE_PAUSE_MS = 700;
const OWN_TEXT = /** @type {const} */ (["source", "dialect", "at", "inputs", "wrt", "feeds", "data", "seed"]);

const showing = new LatestRequest();
const placing = new LatestRequest();
/** What ends reporting the student's place. */
const reporting = { end: () => {}, step: -1 };

/**
 * Join a class, or come back to it with the token that this tab has kept.
 * @param {string} code @returns {Promise<boolean>} whether there is such a class
 */
export async function joinClass(code) {
  const kept = keptMembership();
  const isSame = kept?.role === "student" && kept.code.replace("-", "") === code.toUpperCase().replace("-", "");
  const joined = await api.inClass("POST", `/${encodeURIComponent(code)}/join`, isSame ? kept.token : null).catch(failed);
  if (!joined) return false;
  const { student_token: token, label, state: shown, mode, question, seq } = joined;
  keepMembership({ role: "student", code, token });
  update({ classroom: newClassroom({ role: "student", code, token, label, shown, ...rulesOf(shown), mode, question, seq }) });
  if (isFollowing(state.value.classroom)) await showing.start(showNow);
  reporting.end = effect(report);
  listen(hear);
  return true;
}

/** @param {{type: string}} event */
function hear({ type }) {
  if (type === "state" && isFollowing(state.value.classroom)) void showing.start(showNow);
  if (type === "ended") leaveClass();
}

/** Open what the teacher shows. @param {AbortSignal} signal */
async function showNow(signal) {
  const { shown } = state.value.classroom ?? {};
  const found = shown?.link ? await linkedTo(shown.link).catch(failed) : shown;
  const held = heldBy(found, INITIAL);
  if (!held || signal.aborted) return;
  const { linked, place } = held;
  if (isOpen(linked) && isSameRun(place)) {
    update({ ...lookOf(linked), ...(place.dock && { dock: place.dock }) });
    if (place.cursor !== undefined && place.cursor !== state.value.cursor) showStep(place.cursor);
  } else {
    await openLinked(isOpen(linked) ? lookOf(linked) : linked);
    if (signal.aborted) return;
    const own = { tab: state.value.tab, language: state.value.language, present: false };
    await (await fetched(() => import("../../browser/place.js")))?.goTo({ ...place, ...own }, signal);
  }
  if (!signal.aborted) update({ selected: shown?.node ?? null });
}

/** How the graph is looked at, without the text. @param {import("../../browser/link.js").Linked} linked */
const lookOf = (linked) => Object.fromEntries(Object.entries(linked).filter(([field]) => !OWN_TEXT.some((own) => own === field)));

/** Whether the same update of the same run is on the page. @param {import("../../browser/link.js").Place} place */
const isSameRun = ({ row = 0, settings }) =>
  row === state.value.row && (row === 0 || jsonOf(settings ?? null) === jsonOf(state.value.settings));

/** Whether a text with these values is what is on the page. @param {import("../../browser/link.js").Linked} linked */
function isOpen(linked) {
  const now = linkedPart(state.value);
  return OWN_TEXT.every((field) => jsonOf(now[field] ?? null) === jsonOf(linked[field] ?? null));
}

/** The state that a link holds. @param {string} link @returns {Promise<unknown>} */
async function linkedTo(link) {
  const url = new URL(link, location.href);
  const short = url.searchParams.get("link") ?? url.pathname.match(/\/l\/(l_\w+)$/)?.[1];
  if (short) return (await api.getLink(short)).state;
  const packed = await fromFragment(url.hash);
  const example = url.searchParams.get("example");
  return packed ?? (example && (await api.getExample(example)));
}

/** Report to the teacher's counts at which step this student is; nobody is named. */
function report() {
  const { classroom, cursor } = state.value;
  if (!classroom || classroom.ended || cursor < 0 || cursor === reporting.step) return;
  placing.startAfter(PLACE_PAUSE_MS, async (signal) => {
    reporting.step = cursor;
    if (classroom.lostAt !== null && classroom.lostAt !== cursor) patch({ lostAt: null });
    await act("PUT", "/place", { step: cursor }, signal).catch(() => {});
  });
}

/** @param {Partial<import("../../state/classroom.js").Classroom>} fields */
function patch(fields) {
  const { classroom } = state.value;
  if (classroom) update({ classroom: { ...classroom, ...fields } });
}

/**
 * @param {"PUT" | "POST"} method @param {string} path @param {unknown} body @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function act(method, path, body, signal) {
  const { classroom } = state.value;
  return classroom && api.inClass(method, `/${classroom.code}${path}`, classroom.token, { body, signal });
}

/** Answer the question that is open. @param {{value: number | number[]} | {option: string} | {node: string}} answer */
export async function answerClass(answer) {
  const { classroom } = state.value;
  const id = classroom?.question?.id;
  if (!classroom || !id) return;
  const isSaved = await act("PUT", `/answers/${id}`, answer).then(() => true, failed);
  if (isSaved && state.value.classroom) update({ classroom: afterAnswer(state.value.classroom, id, Object.values(answer)[0]) });
}

/** Say that this step is not understood. */
export async function sayLost() {
  const step = Math.max(0, state.value.cursor);
  const isSaid = await act("POST", "/lost", { step }).then(() => true, failed);
  if (isSaid) patch({ lostAt: step });
}

/** Look around alone while the class goes on. */
export const explore = () => patch({ away: true });

/** See what the class sees again. */
export function rejoin() {
  patch({ away: false });
  void showing.start(showNow);
}

/** Leave the class; what is on the page stays. */
export function leaveClass() {
  reporting.end();
  placing.abort();
  showing.abort();
  stopListening();
  keepMembership(null);
  const ended = state.value.classroom?.ended ?? false;
  update({ classroom: ended ? state.value.classroom : null });
}

/** Put the note away that the class is over. */
export const dismiss = () => update({ classroom: null });
