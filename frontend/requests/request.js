// What every question to the server has in common: the program that it is about, and what a failure leads to.

import { ApiError } from "../api.js";
import { state, update } from "../store.js";

const OF_A_PROGRAM = /^\s*((import|from)\s|(for|while|def)\b.*:\s*$)/m;

/** Whether a text is a program, and no formula. @param {string} source */
export const isProgramText = (source) => OF_A_PROGRAM.test(source);

/** The text of the page as a question. A program has its own values: with those of the text before it would be run twice. @param {import("../store.js").State} [now] @returns {import("../types.js").ProgramRequest} */
export function programRequest(now = state.value) {
  const { source, dialect, at, inputs, wrt, feeds, data, seed } = now;
  const isProgram = dialect === "auto" && isProgramText(source);
  const lines = source.includes("input(") && inputs.length > 0 ? { inputs } : {};
  const some = (/** @type {object} */ given) => Object.keys(given).length > 0;
  return {
    ...{ source, dialect, at: isProgram ? {} : at },
    ...lines,
    ...(wrt && { wrt: wrt.trained }),
    ...(some(feeds) && { feeds }),
    ...(some(data) && { data }),
    ...(seed > 0 && { seed }),
  };
}

/** Show what went wrong; a question that was taken back is no trouble. Others may be under way. @param {unknown} error */
export function failed(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  update({ trouble: troubleOf(error) });
}

/** What a failed request is shown as; what is no such failure is thrown on. @param {unknown} error @returns {import("../store.js").Trouble} */
export function troubleOf(error) {
  if (!(error instanceof ApiError)) throw error;
  const { problem } = error;
  return problem ? { offline: false, problem } : { offline: true };
}

/**
 * A part of the page that is fetched when it is first asked for; without an answer the page says so, and it may be asked for again.
 * @template T @param {() => Promise<T>} load @returns {Promise<T | null>}
 */
export const fetched = (load) =>
  load().catch(() => {
    update({ trouble: { offline: true } });
    return null;
  });
