// The worker's side of layout_client.js. It keeps the nodes that it read or was sent last: opening a scope sends none.
// While it lays a picture out it listens: where another is asked for meanwhile, it leaves the first.

import { nodesFrom } from "../neutral.js";
import { paced } from "../pace.js";
import { layoutInStages } from "./layout.js";
import { rememberedGrids } from "./memo.js";

/** @typedef {import("./types.js").ApiNode} ApiNode */

const STRETCH_MS = 100; // of layout without listening
const PIECE = 1000; // nodes, items or edges in a message: a few milliseconds for who takes it in

const layoutInside = rememberedGrids();

/** @type {ReadonlyArray<ApiNode>} */
let kept = [];
/** @type {{without: string, nodes: ReadonlyArray<ApiNode>}} those of them that were drawn last */
let drawn = { without: "", nodes: kept };
/** @type {number | null} the picture that is being laid out */
let asked = null;

self.addEventListener("message", ({ data }) => (data.kind === "read" ? read(data) : lay(data)));

/** @param {{ticket: number, bytes: ArrayBuffer}} ask */
function read({ ticket, bytes }) {
  const nodes = nodesFrom(new TextDecoder().decode(bytes));
  if (nodes) take(nodes);
  sendPieces(ticket, "nodes", nodes ?? []);
  self.postMessage({ ticket, rest: nodes && {} });
}

/** @param {{ticket: number, nodes: ApiNode[] | null, without: number[] | null, model: import("./types.js").GraphModel}} ask */
function lay({ ticket, nodes, without, model }) {
  if (nodes) take(nodes);
  if (asked !== null) self.postMessage({ ticket: asked, rest: null });
  asked = ticket;
  const stages = layoutInStages({ ...model, nodes: remaining(without ?? []) }, layoutInside);
  paced(stages, (scene) => answer(ticket, scene), () => asked === ticket, STRETCH_MS);
}

/** @param {number} ticket @param {import("./types.js").Scene} scene */
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
