// The worker's side of layout_client.js. It keeps the nodes that it read or was sent last: opening a scope sends none.
// While it lays a picture out it listens: where another is asked for meanwhile, it leaves the first. When nothing is asked
// for, it opens scopes on trial, and sends the pictures: they are remembered until somebody opens them, and those that were
// seen, too.

import { schedule } from "../../scheduling/scheduler.js";
import { graphFrom } from "../graph/graph_import.js";
import { createPictures, keyOf } from "./pictures.js";
import { trialsOf } from "./trials.js";

/** @import { ApiNode, GraphModel } from "../types.js" */
/** @import { Size } from "../../geometry/viewport.js" */
/** @import { Asked, Picture } from "./pictures.js" */

const SLICE_MS = 100; // of layout without listening
const REST_MS = 100; // after a picture, until it is on screen, before anything is tried
const TRIAL_SLICE_MS = 4; // of trials without listening
const TRIALS_MS = 1500; // of trials after each picture
const PIECE = 1000; // nodes, items or edges in a message: a few milliseconds for who takes it in

const pictures = createPictures();

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

/** @param {{ticket: number, nodes: ApiNode[] | null, without: number[] | null, model: GraphModel, about: number, readable: Size | null, isKnown: boolean}} ask */
function lay({ ticket, nodes, without, model, about, readable, isKnown }) {
  if (nodes) take(nodes);
  if (asked !== null) self.postMessage({ ticket: asked, rest: null });
  asked = latest = ticket;
  const whole = { ...model, nodes: remaining(without ?? []), about, readable };
  const ready = (/** @type {Picture} */ picture) => {
    asked = null;
    if (isKnown) self.postMessage({ ticket, rest: null });
    else answer(ticket, picture);
    const scopes = trialsOf(picture.scene, seen);
    seen = new Set(picture.scene.items.map(({ id }) => id));
    setTimeout(
      () =>
        schedule(
          trials(whole, scopes),
          () => {},
          () => latest === ticket,
          TRIAL_SLICE_MS,
        ),
      REST_MS,
    );
  };
  schedule(pictures.inStages(whole), ready, () => asked === ticket, SLICE_MS);
}

/** What would come next, if one of the closed scopes were opened. @param {Asked} model @param {string[]} scopes */
function* trials(model, scopes) {
  const end = performance.now() + TRIALS_MS;
  for (const name of scopes) {
    if (performance.now() > end) return;
    const opened = { ...model, open: new Set([...model.open, name]) };
    if (pictures.has(opened)) continue;
    const picture = yield* pictures.inStages(opened);
    if (pictures.has(opened)) sendTried(opened, picture);
  }
}

/** Two messages: the second one is not read where nobody opens what was tried. @param {Asked} model @param {Picture} picture */
function sendTried({ about, open }, { scene, rows }) {
  self.postMessage({ tried: keyOf(about, open) });
  self.postMessage({ ...scene, rows: rows === scene ? null : rows });
}

/** @param {number} ticket @param {Picture} picture */
function answer(ticket, { scene, rows }) {
  const { items, edges, ...rest } = scene;
  sendPieces(ticket, "items", items);
  sendPieces(ticket, "edges", edges);
  self.postMessage({ ticket, rest: { ...rest, rows: rows === scene ? null : rows } });
}

/** @param {ReadonlyArray<ApiNode>} nodes */
function take(nodes) {
  kept = nodes;
  pictures.clear();
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
