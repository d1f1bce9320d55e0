// Graphs made elsewhere: a file that was dropped on the page, or that its address names. Fetched for the first of them.

import { getBytes } from "../api.js";
import { readGraph } from "../layout/background/background.js";
import { programOf } from "../layout/graph/graph_import.js";
import { nextTurn } from "../scheduling/scheduler.js";
import { NOTHING_GIVEN } from "../state/given.js";
import { answered, state, update } from "../store.js";
import { failed } from "./request.js";
import { begin, takeBack } from "./session.js";

/** Draw a graph made elsewhere. @param {Promise<ArrayBuffer>} coming the bytes of its file */
export async function openGraph(coming) {
  const isWanted = begin();
  const bytes = await coming.catch(failed);
  const nodes = bytes && isWanted() && (await readGraph(bytes));
  if (!bytes || !isWanted()) return undefined;
  if (!nodes) return update({ answer: notAGraph() });
  takeBack();
  update({ source: "", at: {}, ...NOTHING_GIVEN, ranges: {}, tab: "graph" });
  await nextTurn(); // the emptied editor draws itself
  return update(answered(state.value, programOf(nodes), { steps: [], asked: state.value.level }));
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
export const openGraphAt = (path) => openGraph(getBytes(path));
