// Where graphs are laid out: a small one here, at once where that is quick, so that its first frame does not wait, else in
// stages; a large one in the background. Without workers everything is done here.

import { schedule } from "../../scheduling/scheduler.js";
import { scopeTreeInStages } from "../graph/scopes.js";
import { rememberedGrids } from "../grid/memo.js";
import { layoutInStages } from "../layout.js";

/** @import { ApiNode, GraphModel, Scene } from "../types.js" */
/** @import { Size } from "../../geometry/viewport.js" */
/** @typedef {(scene: Scene, rows?: Scene) => void} Ready  `rows`: the scene in as many rows as it needs, where that is known */

const MEANWHILE_MS = 8; // of work for later, at a stretch
const IN_STAGES = 1500; // nodes of the graph, seen or not; more go to the worker

/** @returns {{request(model: GraphModel, readable: Size | null, ready: Ready): void, foresee(model: GraphModel, readable: Size | null): void, close(): void}} */
export function createLayoutClient() {
  const layoutInside = rememberedGrids();
  let latest = 0;
  let answered = 0; // the last request that was
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

  /** @param {GraphModel} model @param {Size | null} readable @param {Ready} ready @param {() => boolean} isWanted */
  async function inBackground(model, readable, ready, isWanted) {
    const { layoutInBackground } = await import("./background.js");
    const made = isWanted() ? await layoutInBackground(model, readable) : null;
    if (!made || !isWanted()) return;
    answered = latest;
    ready(made.scene, made.rows ?? made.scene);
    growTree(model.nodes);
  }

  return {
    request(model, readable, ready) {
      latest += 1;
      const mine = latest;
      const isWanted = () => mine === latest; // an outdated one is dropped
      if (isLarge(model)) void inBackground(model, readable, ready, isWanted);
      else schedule(layoutInStages(model, layoutInside), ready, isWanted);
    },

    /** Lay out meanwhile what may be opened next of a large graph: its window has another size than it was drawn in. */
    async foresee(model, readable) {
      if (!isLarge(model) || answered !== latest) return;
      const { layoutInBackground } = await import("./background.js");
      if (answered === latest) void layoutInBackground(model, readable);
    },

    close() {
      latest += 1;
    },
  };
}

/** @param {GraphModel} model */
const isLarge = ({ nodes }) => nodes.length > IN_STAGES && typeof Worker !== "undefined";
