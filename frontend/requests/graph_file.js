// Graphs made elsewhere: a file that was dropped on the page or chosen, or that its address names. Fetched for the first of them.
//
// JSON is drawn as it is. Any other file is read by the server, whose answer comes as JSON, too: a worker takes it apart.

import { getBytes, getImport, postImport, postImportGradients } from "../api.js";
import { readGraph } from "../layout/background/background.js";
import { programOf } from "../layout/graph/graph_import.js";
import { nextTurn } from "../scheduling/scheduler.js";
import { NOTHING_GIVEN } from "../state/given.js";
import { answered, state, update } from "../store.js";
import { computeGraph } from "./import_values.js";
import { failed } from "./request.js";
import { begin, takeBack } from "./session.js";

const JSON_BEGINS = /^\uFEFF?[[{]/; // and no white space before: a GraphDef may begin with a line's end and a bracket

/** Draw a graph made elsewhere. @param {Promise<ArrayBuffer | Blob>} coming its file, or the bytes of it @returns {Promise<boolean>} whether it is drawn */
export async function openGraph(coming) {
  const isWanted = begin();
  update({ busy: true, trouble: null });
  const bytes = await coming.then(read).catch(failed);
  const graph = bytes && isWanted() && (await readGraph(bytes));
  if (!isWanted()) return false;
  if (!graph) {
    update({ busy: false, ...(bytes && { answer: notAGraph() }) });
    return false;
  }
  takeBack();
  update({ source: "", at: {}, ...NOTHING_GIVEN, ranges: {}, tab: "graph", item: null });
  await nextTurn(); // the emptied editor draws itself
  update(answered(state.value, programOf(graph.nodes, graph.about), { steps: [], asked: state.value.level }));
  return true;
}

/**
 * The bytes of a graph in JSON: the file's own, or the server's answer about it. A file is sent as it is: its bytes would
 * pass through the page, which could answer nothing meanwhile.
 * @param {ArrayBuffer | Blob} file
 */
async function read(file) {
  const bytesIn = (/** @type {ArrayBuffer | Blob} */ part) => (part instanceof Blob ? part.arrayBuffer() : part);
  const start = new TextDecoder().decode(await bytesIn(file.slice(0, 100)));
  return JSON_BEGINS.test(start) ? bytesIn(file) : postImport(file);
}

/** Add to a graph from a file the nodes that compute the gradient of a node. @param {string} id @param {string} y @param {string[]} xs */
export async function growGraph(id, y, xs) {
  const { feeds, fileValues, program } = state.value;
  if (!(await openGraph(postImportGradients(id, { y, xs })))) return;
  update({ feeds });
  if (fileValues?.of === program) await computeGraph();
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

/** Draw the graph of a file that was opened before. @param {string} id */
export const openImport = (id) => openGraph(getImport(id));
