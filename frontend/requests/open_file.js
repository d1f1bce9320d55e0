// A file of the learner's, dropped on the page or chosen: a program or notebook is read, a graph drawn.

import { NOTHING_GIVEN } from "../state/given.js";
import { update } from "../store.js";
import { isProgram, programIn } from "./program_file.js";
import { fetched } from "./request.js";
import { begin, replaceText } from "./session.js";

/** Open a file. @param {File} file */
export async function openFile(file) {
  const isWanted = begin();
  if (isProgram(file.name)) return openText(await programIn(file), isWanted);
  const opener = await fetched(() => import("./graph_file.js"));
  if (isWanted()) await opener?.openGraph(Promise.resolve(file));
}

/** @param {string} source @param {() => boolean} isWanted */
function openText(source, isWanted) {
  if (!isWanted()) return;
  update({ ...NOTHING_GIVEN, ranges: {}, tab: "graph", item: null });
  replaceText({ source, dialect: "auto", at: {} });
}
