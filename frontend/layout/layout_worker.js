// The worker's side of layout_client.js. It keeps the nodes that it was sent last: opening a scope sends none.

import { layoutGraph } from "./layout.js";

/** @type {ReadonlyArray<import("./types.js").ApiNode>} */
let kept = [];

self.addEventListener("message", ({ data: { ticket, nodes, model, previous } }) => {
  kept = nodes ?? kept;
  self.postMessage({ ticket, scene: layoutGraph({ ...model, nodes: kept }, previous) });
});
