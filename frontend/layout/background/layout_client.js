// Where graphs are read and laid out: a small one here, at once where that is quick, so that its first frame does not
// wait, else in stages; a large one in a worker, which keeps the nodes and sends what it makes in pieces. Either way the
// page answers all the while. Without workers everything is done here.

import { schedule } from "../../scheduling/scheduler.js";
import { nodesFrom } from "../graph/graph_import.js";
import { scopeTreeInStages } from "../graph/scopes.js";
import { rememberedGrids } from "../grid/memo.js";
import { layoutInStages } from "../layout.js";

/** @import { ApiNode, GraphModel, Scene } from "../types.js" */
/** @typedef {import("../../types.js").ApiNode} WholeNode */
/** @typedef {{ticket: number, part?: "nodes" | "items" | "edges", piece?: any[], rest?: any}} Answer `rest` comes last */

const MEANWHILE_MS = 8; // of work for later, at a stretch
const IN_STAGES = 1500; // nodes of the graph, seen or not; more go to the worker

/**
 * @typedef {object} Background
 * @property {(ask: object, transfer?: Transferable[]) => Promise<any>} send
 * @property {ReadonlyArray<ApiNode> | null} nodes  those that the worker has
 */

/** @type {Background | null} one for the page: who reads a graph lays it out */
let background = null;

/** @returns {Background | null} */
function startedBackground() {
  if (typeof Worker === "undefined") return null;
  background ??= startBackground();
  return background;
}

/** @returns {Background} */
function startBackground() {
  const worker = new Worker(new URL("./layout_worker.js", import.meta.url), { type: "module" });
  /** @type {Map<number, {parts: Record<string, any[]>, done: (answer: any) => void}>} */
  const asked = new Map();
  let last = 0;
  worker.addEventListener("message", (/** @type {MessageEvent<Answer>} */ { data: { ticket, part, piece = [], rest } }) => {
    const question = asked.get(ticket);
    if (part) (question?.parts[part] ?? []).push(...piece);
    if (rest === undefined) return;
    asked.delete(ticket);
    question?.done(rest && { ...rest, ...question.parts });
  });
  return {
    nodes: null,
    send(ask, transfer = []) {
      last += 1;
      worker.postMessage({ ...ask, ticket: last }, transfer);
      return new Promise((done) => asked.set(last, { parts: { nodes: [], items: [], edges: [] }, done }));
    },
  };
}

/**
 * The nodes of a graph file; null where it holds none.
 * @param {ArrayBuffer} bytes given away
 * @returns {Promise<WholeNode[] | null>}
 */
export async function readGraph(bytes) {
  const there = startedBackground();
  if (!there) return nodesFrom(new TextDecoder().decode(bytes));
  there.nodes = null; // until it answers, unless it is sent others
  const answer = await there.send({ kind: "read", bytes }, [bytes]);
  if (answer) there.nodes ??= answer.nodes;
  return answer && answer.nodes;
}

/** @type {ReadonlyArray<ApiNode> | null} the graph whose scope tree was grown last, or is growing */
let grown = null;

/** Grow the scope tree of a graph meanwhile: search, the outline and "Open all scopes" ask for it. @param {ReadonlyArray<ApiNode>} nodes */
function growTree(nodes) {
  if (grown === nodes) return;
  grown = nodes;
  schedule(
    scopeTreeInStages(nodes),
    () => {},
    () => grown === nodes,
    MEANWHILE_MS,
  );
}

/** @returns {{request(model: GraphModel, ready: (scene: Scene) => void): void, close(): void}} */
export function createLayoutClient() {
  const layoutInside = rememberedGrids();
  let latest = 0;

  return {
    request(model, ready) {
      latest += 1;
      const mine = latest;
      const isWanted = () => mine === latest; // an outdated one is dropped
      const there = model.nodes.length > IN_STAGES ? startedBackground() : null;
      if (!there) schedule(layoutInStages(model, layoutInside), ready, isWanted);
      else
        void inBackground(there, model).then((scene) => {
          if (!scene || !isWanted()) return;
          ready(scene);
          growTree(model.nodes);
        });
    },
    close() {
      latest += 1;
    },
  };
}

/** @param {Background} there @param {GraphModel} model @returns {Promise<Scene | null>} null: another was asked for before it was done */
function inBackground(there, model) {
  const without = there.nodes && missingFrom(there.nodes, model.nodes);
  if (!without) there.nodes = model.nodes;
  const { moved: _, ...rest } = model;
  return there.send({
    kind: "layout",
    nodes: without ? null : lean(model.nodes),
    without,
    model: { ...rest, nodes: [], gradients: thinned(model) },
  });
}

/**
 * The places of the nodes that one list lacks of another; null where it has others too.
 * @param {ReadonlyArray<ApiNode>} all @param {ReadonlyArray<ApiNode>} some
 */
function missingFrom(all, some) {
  const missing = [];
  let at = 0;
  for (let i = 0; i < all.length; i += 1) {
    if (all[i] === some[at]) at += 1;
    else missing.push(i);
  }
  return at === some.length ? missing : null;
}

/** Nodes without what the layout does not read: attributes, and values but those of constants. @param {GraphModel["nodes"]} nodes */
const lean = (nodes) =>
  nodes.map(({ name, op, inputs, control_inputs, phase, of, outputs, value, stub }) => ({
    name,
    op,
    inputs,
    control_inputs,
    phase,
    of,
    stub,
    outputs: outputs.map(({ dtype, shape }) => ({ dtype, shape })),
    value: op === "Const" ? value : null,
  }));

/** @param {GraphModel} model */
const thinned = ({ gradients = [] }) => gradients.map(({ y, x, name, tensor }) => ({ y, x, name, tensor }));
