// Hearing what happens in a class: as a stream of events where that comes through, else by asking again and again.

import * as api from "../../api.js";
import { afterEvent } from "../../state/classroom.js";
import { state, update } from "../../store.js";
import { LatestRequest } from "../latest_request.js";

const PAUSE_MS = 3_000; // between two questions where streams do not come through
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 8_000;
const OPEN_MS = 6_000; // for the first line of a stream; later, one goes through a proxy that holds streams back
const SILENCE_MS = 12_000; // longer than some heartbeats of the server: then the connection is dead
const GONE = [401, 403, 404]; // the class has ended, or this browser is not in it

const listening = new LatestRequest();

/** @param {number} ms @param {AbortSignal} signal */
const pause = (ms, signal) =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done(undefined);
    });
  });

/** Follow the class that the page is in, until `stopListening`. @param {(event: {seq: number, type: string, data: any}) => void} hear */
export function listen(hear) {
  void listening.start((signal) => keepListening(hear, signal));
}

export const stopListening = () => listening.abort();

/** @param {(event: {seq: number, type: string, data: any}) => void} hear @param {AbortSignal} signal */
async function keepListening(hear, signal) {
  const take = (/** @type {{seq: number, type: string, data: any}} */ event) => {
    const now = state.value.classroom;
    if (signal.aborted || !now || event.seq <= now.seq) return;
    update({ classroom: { ...afterEvent(now, event), connection: "live" } });
    hear(event);
  };
  let failures = 0;
  let streams = true;
  while (!signal.aborted && isOpen()) {
    const asked = streams && failures < 2 ? stream(take, signal) : poll(take, signal);
    const came = await asked.catch(gone);
    if (came === "silent") streams = false;
    failures = came === "heard" ? 0 : failures + 1;
    if (came !== "heard" && isOpen() && !signal.aborted) patch({ connection: "away" });
    if (came !== "heard") await pause(waitAfter(failures), signal);
  }
}

/** Longer after each failure, and not all at once: a class that lost its server comes back over some seconds. @param {number} failures */
const waitAfter = (failures) => Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures) * (0.5 + Math.random());

const isOpen = () => state.value.classroom !== null && !state.value.classroom.ended;

/** @param {Partial<import("../../state/classroom.js").Classroom>} fields */
function patch(fields) {
  const { classroom } = state.value;
  if (classroom) update({ classroom: { ...classroom, ...fields } });
}

/** @typedef {"heard" | "failed" | "silent"} Came  silent: a stream that was opened, of which no line came through */

/** @param {unknown} error @returns {Came} */
function gone(error) {
  const status = error instanceof api.ApiError ? error.problem?.status : undefined;
  if (status !== undefined && GONE.includes(status)) patch({ ended: true });
  return "failed";
}

/** @param {(event: any) => void} take @param {AbortSignal} signal @returns {Promise<Came>} */
async function stream(take, signal) {
  const now = state.value.classroom;
  if (!now) return "failed";
  const leave = new AbortController();
  signal.addEventListener("abort", () => leave.abort());
  /** @type {Came} */
  let came = "silent";
  let timer = setTimeout(() => leave.abort(), OPEN_MS);
  try {
    for await (const event of api.classEvents(now.code, now.token, now.seq, leave.signal)) {
      clearTimeout(timer);
      timer = setTimeout(() => leave.abort(), SILENCE_MS);
      came = "heard";
      patchIf("live");
      if (event) take(event);
    }
  } catch (error) {
    if (!leave.signal.aborted) return gone(error);
  } finally {
    clearTimeout(timer);
  }
  return came;
}

/** @param {"live" | "away"} connection */
function patchIf(connection) {
  if (state.value.classroom?.connection !== connection) patch({ connection });
}

/** @param {(event: any) => void} take @param {AbortSignal} signal @returns {Promise<Came>} */
async function poll(take, signal) {
  const now = state.value.classroom;
  if (!now) return "failed";
  const { events } = await api.inClass("GET", `/${now.code}/poll?after=${now.seq}`, now.token, { signal });
  for (const event of events) take(event);
  patchIf("live");
  await pause(PAUSE_MS, signal);
  return "heard";
}
