// The worker's side of layout_client.js. It keeps the nodes that it read or was sent last: opening a scope sends none.
// While it lays a picture out it listens: where another is asked for meanwhile, it leaves the first. When nothing is asked
// for, it opens scopes on trial: what it learns of their insides is remembered until somebody opens them.

import { schedule } from "../../scheduling/scheduler.js";
import { graphFrom } from "../graph/graph_import.js";
import { rememberedGrids } from "../grid/memo.js";
import { insidesInStages, layoutInStages } from "../layout.js";
import { trialsOf } from "./trials.js";

/** @import { ApiNode, GraphModel, Scene } from "../types.js" */

const SLICE_MS = 100; // of layout without listening
const REST_MS = 50; // after a picture, before anything is tried
const TRIALS_MS = 1000; // of trials after each picture
const PIECE = 1000; // nodes, items or edges in a message: a few milliseconds for who takes it in

const layoutInside = rememberedGrids();

/** @type {ReadonlyArray<ApiNode>} */
let kept = [];
/** @type {{without: string, nodes: ReadonlyArray<ApiNode>}} those of them that were drawn last */
let drawn = { without: "", nodes: kept };
/** @type {number | null} the picture that is being laid out */
let asked = null;
let latest = 0; // the picture that was asked for last
/** @type {ReadonlySet<string>} the items of the picture before */
let seen = new Set();

self.addEventListener("message", ({ data }) => (data.kind === "read" ? read(data) : lay(data)));

/** @param {{ticket: number, bytes: ArrayBuffer}} ask */
function read({ ticket, bytes }) {
  const graph = graphFrom(new TextDecoder().decode(bytes));
  if (graph) take(graph.nodes);
  sendPieces(ticket, "nodes", graph?.nodes ?? []);
  self.postMessage({ ticket, rest: graph && { about: graph.about } });
}

/** @param {{ticket: number, nodes: ApiNode[] | null, without: number[] | null, model: GraphModel}} ask */
function lay({ ticket, nodes, without, model }) {
  if (nodes) take(nodes);
  if (asked !== null) self.postMessage({ ticket: asked, rest: null });
  asked = latest = ticket;
  const whole = { ...model, nodes: remaining(without ?? []) };
  const ready = (/** @type {Scene} */ scene) => {
    answer(ticket, scene);
    const scopes = trialsOf(scene, seen);
    seen = new Set(scene.items.map(({ id }) => id));
    setTimeout(
      () =>
        schedule(
          trials(whole, scopes),
          () => {},
          () => latest === ticket,
          0,
        ),
      REST_MS,
    );
  };
  schedule(layoutInStages(whole, layoutInside), ready, () => asked === ticket, SLICE_MS);
}

/** What would come next, if one of the closed scopes were opened. @param {GraphModel} model @param {string[]} scopes */
function* trials(model, scopes) {
  const end = performance.now() + TRIALS_MS;
  for (const name of scopes) {
    if (performance.now() > end) return;
    yield* insidesInStages({ ...model, open: new Set([...model.open, name]) }, layoutInside);
  }
}

/** @param {number} ticket @param {Scene} scene */
function answer(ticket, scene) {
  asked = null;
  const { items, edges, ...rest } = scene;
  sendPieces(ticket, "items", items);
  sendPieces(ticket, "edges", edges);
  self.postMessage({ ticket, rest });
}

/** @param {ReadonlyArray<ApiNode>} nodes */
function take(nodes) {
  kept = nodes;
  drawn = { without: "", nodes };
}

/** The kept nodes but some; the very same list for the same ones. @param {number[]} without */
function remaining(without) {
  if (drawn.without === without.join()) return drawn.nodes;
  const gone = new Set(without);
  drawn = { without: without.join(), nodes: without.length === 0 ? kept : kept.filter((_, i) => !gone.has(i)) };
  return drawn.nodes;
}

/** @param {number} ticket @param {string} part @param {ReadonlyArray<unknown>} all */
function sendPieces(ticket, part, all) {
  for (let at = 0; at < all.length; at += PIECE) self.postMessage({ ticket, part, piece: all.slice(at, at + PIECE) });
}
