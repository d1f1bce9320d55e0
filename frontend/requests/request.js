// What every question to the server has in common: the program that it is about, and what a failure leads to.

import { ApiError } from "../api.js";
import { state, update } from "../store.js";

/** @returns {import("../types.js").ProgramRequest} */
export const programRequest = () => ({ source: state.value.source, dialect: state.value.dialect, at: state.value.at });

/** Show what went wrong; a question that was taken back is no trouble. Others may be under way. @param {unknown} error */
export function failed(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  if (!(error instanceof ApiError)) throw error;
  const { problem } = error;
  update({ trouble: problem ? { offline: false, problem } : { offline: true } });
}

/**
 * A part of the page that is fetched when it is first asked for; without an answer that is told, and it may be asked for again.
 * @template T @param {() => Promise<T>} load @returns {Promise<T | null>}
 */
export const fetched = (load) =>
  load().catch(() => {
    update({ trouble: { offline: true } });
    return null;
  });
