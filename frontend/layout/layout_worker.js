// The layout in a worker: large graphs are laid out here, so that the page stays responsive. Relative
// imports only: an import map does not reach workers.

import { layoutGraph } from "./layout.js";

self.addEventListener("message", ({ data }) => {
  const { ticket, model, previous } = data;
  self.postMessage({ ticket, scene: layoutGraph(model, previous) });
});
