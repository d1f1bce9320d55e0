// Where a layout is computed: at once for a small graph, so that its first frame does not wait; in a worker for
// a large one. Without workers everything is computed at once.

import { layoutGraph } from "./layout.js";

/** @typedef {import("./types.js").GraphModel} GraphModel */
/** @typedef {import("./types.js").Scene} Scene */

const AT_ONCE = 600; // nodes of the graph, seen or not: some 30 ms

/** @returns {{request(model: GraphModel, previous: Scene | null, ready: (scene: Scene) => void): void, close(): void}} */
export function createLayoutClient() {
  /** @type {Worker | null} */
  let worker = null;
  let ticket = 0;
  /** @type {GraphModel["nodes"] | null} the nodes that the worker has */
  let sent = null;
  /** @type {(scene: Scene) => void} */
  let waiting = () => {};

  return {
    request(model, previous, ready) {
      ticket += 1;
      waiting = ready;
      worker ??= model.nodes.length > AT_ONCE ? startWorker(receive) : null;
      if (worker && model.nodes.length > AT_ONCE) post(worker, model, previous);
      else ready(layoutGraph(model, previous));
    },
    close() {
      worker?.terminate();
      waiting = () => {};
    },
  };

  /** @param {Worker} to @param {GraphModel} model @param {Scene | null} previous */
  function post(to, model, previous) {
    const nodes = model.nodes === sent ? null : lean(model.nodes);
    sent = model.nodes;
    const items = previous?.items ?? [];
    to.postMessage({ ticket, nodes, model: { ...model, nodes: [], gradients: thinned(model) }, previous: previous && { items } });
  }

  /** @param {{ticket: number, scene: Scene}} answer an outdated one is dropped */
  function receive(answer) {
    if (answer.ticket === ticket) waiting(answer.scene);
  }
}

/** @param {(answer: {ticket: number, scene: Scene}) => void} receive @returns {Worker | null} */
function startWorker(receive) {
  if (typeof Worker === "undefined") return null;
  const worker = new Worker(new URL("./layout_worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => receive(data));
  return worker;
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
