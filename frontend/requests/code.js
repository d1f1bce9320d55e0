// The present text's computation, written in other languages.

import { getCode, getRunCode, postProgram } from "../api.js";
import { state } from "../store.js";
import { programRequest } from "./request.js";

/**
 * The present text's computation in another language; "generated" is about the optimizer whose run is shown.
 * @param {string} language
 * @returns {Promise<string>}
 */
export async function writtenAs(language) {
  const { id } = await postProgram(programRequest(), AbortSignal.timeout(20_000));
  const { run } = state.value;
  const isOfRun = language === "generated" && run?.program.id === id;
  return (await (run && isOfRun ? getRunCode(run.parts[run.parts.length - 1].id) : getCode(id ?? "", language))).source;
}
