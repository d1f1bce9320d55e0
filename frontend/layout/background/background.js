// The page's side of the worker: it reads graph files and lays large graphs out, keeps their nodes, and sends what it makes
// in pieces, so that the page answers all the while. Fetched for the first graph that is large or lies in a file.
//
// Pictures are kept here, too, those that the worker made on trial as they came: a scope opens without a question.

import { lazy } from "../../values/lazy.js";
import { graphFrom } from "../graph/graph_import.js";
import { memoryOf } from "../grid/remembered.js";
import { KEPT, keyOf } from "./pictures.js";

/** @import { ApiNode, GraphModel, Scene } from "../types.js" */
/** @import { Size } from "../../geometry/viewport.js" */
/** @typedef {import("../../types.js").ApiNode} WholeNode */
/** @typedef {{ticket: number, part?: "nodes" | "items" | "edges", piece?: any[], rest?: any}} Answer `rest` comes last */

/**
 * @typedef {object} Background
 * @property {(ask: object, transfer?: Transferable[]) => Promise<any>} send
 * @property {ReadonlyArray<ApiNode> | null} nodes  those that the worker has
 * @property {ReturnType<typeof createAbouts>} abouts
 * @property {ReturnType<typeof memoryOf<() => any>>} pictures  how to read each answer again, by its key
 */

/** One for the page: who reads a graph lays it out. */
const background = lazy(() => (typeof Worker === "undefined" ? null : startBackground()));

/** @returns {Background} */
function startBackground() {
  const worker = new Worker(new URL("./layout_worker.js", import.meta.url), { type: "module" });
  /** @type {Map<number, {parts: Record<string, any[]>, done: (answer: any) => void}>} */
  const asked = new Map();
  let last = 0;
  const pictures = /** @type {Background["pictures"]} */ (memoryOf(KEPT));
  /** @type {string | null} key of the picture that the next message holds */
  let tried = null;
  worker.addEventListener("message", (/** @type {MessageEvent<Answer & {tried?: string}>} */ event) => {
    if (tried !== null) {
      pictures.set(tried, () => event.data); // browsers read it then: it takes milliseconds, and few are ever opened
      tried = null;
      return;
    }
    const { ticket, part, piece = [], rest } = event.data;
    tried = event.data.tried ?? null;
    if (tried !== null) return;
    const question = asked.get(ticket);
    if (part) (question?.parts[part] ?? []).push(...piece);
    if (rest === undefined) return;
    asked.delete(ticket);
    question?.done(rest && { ...rest, ...question.parts });
  });
  return {
    nodes: null,
    abouts: createAbouts(),
    pictures,
    send(ask, transfer = []) {
      last += 1;
      worker.postMessage({ ...ask, ticket: last }, transfer);
      return new Promise((done) => asked.set(last, { parts: { nodes: [], items: [], edges: [] }, done }));
    },
  };
}

/**
 * The nodes of a graph file, and the server's word on it where it is that; null where it holds none.
 * @param {ArrayBuffer} bytes given away
 * @returns {Promise<{nodes: WholeNode[], about: import("../graph/graph_import.js").About} | null>}
 */
export async function readGraph(bytes) {
  const there = background();
  if (!there) return graphFrom(new TextDecoder().decode(bytes));
  there.nodes = null; // until it answers, unless it is sent others
  there.pictures.clear();
  there.abouts.clear();
  const answer = await there.send({ kind: "read", bytes }, [bytes]);
  if (answer) there.nodes ??= answer.nodes;
  return answer;
}

/**
 * The scene of a model, and the same in rows, where it needs more than one in the window; null where another was asked for
 * before it was done.
 * @param {GraphModel} model @param {Size | null} readable px of the plane that can be read on screen at once
 * @returns {Promise<{scene: Scene, rows: Scene | null} | null>}
 */
export async function layoutInBackground(model, readable) {
  const there = background();
  if (!there) return null;
  const without = there.nodes && missingFrom(there.nodes, model.nodes);
  if (!without) {
    there.nodes = model.nodes;
    there.pictures.clear();
    there.abouts.clear();
  }
  const { moved: _, ...rest } = model;
  const asked = { ...rest, nodes: [], gradients: thinned(model) };
  const about = there.abouts.numberOf({ ...asked, names: [...model.names], open: null, without: without ?? [], readable });
  const key = keyOf(about, model.open);
  const before = there.pictures.get(key)?.();
  const sent = there.send({
    kind: "layout",
    nodes: without ? null : lean(model.nodes),
    without,
    model: asked,
    about,
    readable,
    isKnown: Boolean(before), // only what may come next is to be made
  });
  const answer = before ?? (await sent);
  if (!answer) return null;
  there.pictures.set(key, () => answer);
  const { rows, ...scene } = answer;
  return { scene, rows };
}

/** Numbers that stand for all that a picture depends on but what is open: never one for two. */
function createAbouts() {
  const known = /** @type {ReturnType<typeof memoryOf<number>>} */ (memoryOf(KEPT));
  let last = 0;
  return {
    clear: known.clear,
    /** @param {object} about */
    numberOf(about) {
      const text = JSON.stringify(about);
      const number = known.get(text) ?? (last += 1);
      known.set(text, number);
      return number;
    },
  };
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
  nodes.map(({ name, op, inputs, control_inputs, phase, of, outputs, value, stub, form, label, room }) => ({
    name,
    op,
    inputs,
    control_inputs,
    phase,
    of,
    ...{ stub, form, label, room },
    outputs: outputs.map(({ dtype, shape }) => ({ dtype, shape })),
    value: op === "Const" ? value : null,
  }));

/** @param {GraphModel} model */
const thinned = ({ gradients = [] }) => gradients.map(({ y, x, name, tensor }) => ({ y, x, name, tensor }));
