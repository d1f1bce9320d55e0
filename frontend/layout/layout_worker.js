// The worker's side of layout_client.js. It keeps the nodes that it read or was sent last: opening a scope sends none.

import { nodesFrom } from "../neutral.js";
import { layoutGraph } from "./layout.js";
import { rememberedGrids } from "./memo.js";

/** @typedef {import("./types.js").ApiNode} ApiNode */

const PIECE = 1000; // nodes, items or edges in a message: a few milliseconds for who takes it in

const layoutInside = rememberedGrids();

/** @type {ReadonlyArray<ApiNode>} */
let kept = [];
/** @type {{without: string, nodes: ReadonlyArray<ApiNode>}} those of them that were drawn last */
let drawn = { without: "", nodes: kept };
/** @type {import("./types.js").Scene | null} */
let last = null;

self.addEventListener("message", ({ data }) => (data.kind === "read" ? read(data) : lay(data)));

/** @param {{ticket: number, bytes: ArrayBuffer}} ask */
function read({ ticket, bytes }) {
  const nodes = nodesFrom(new TextDecoder().decode(bytes));
  if (nodes) take(nodes);
  sendPieces(ticket, "nodes", nodes ?? []);
  self.postMessage({ ticket, rest: nodes && {} });
}

/** @param {{ticket: number, nodes: ApiNode[] | null, without: number[] | null, model: import("./types.js").GraphModel, toggled: boolean}} ask */
function lay({ ticket, nodes, without, model, toggled }) {
  if (nodes) take(nodes);
  const scene = layoutGraph({ ...model, nodes: remaining(without ?? []) }, toggled ? last : null, layoutInside);
  last = scene;
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
