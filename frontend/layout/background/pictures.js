// Pictures: what the worker answers, a scene and its rows, remembered by all that they depend on.

import { rememberedGrids } from "../grid/memo.js";
import { memoryOf } from "../grid/remembered.js";
import { layoutInStages } from "../layout.js";
import { rowsInStages } from "../rows/rows.js";

/** @import { GraphModel, Scene } from "../types.js" */
/** @import { Size } from "../../geometry/viewport.js" */
/** @typedef {{scene: Scene, rows: Scene}} Picture  a scene, and the same in rows; the very same where one is enough */
/**
 * `about`: a number for what a picture depends on, but for what is open; `readable`: px of the plane that can be read on
 * screen at once, null while nothing is on screen.
 * @typedef {GraphModel & {about: number, readable: Size | null}} Asked
 */

export const KEPT = 100; // pictures
const LARGE = 2000; // items and edges of a picture: a larger one is not remembered

/** What a picture is remembered by. @param {number} about @param {ReadonlySet<string>} open */
export const keyOf = (about, open) => `${about} ${JSON.stringify([...open].sort())}`;

/** The pictures made last; `clear` forgets those of a graph that is no longer shown. */
export function createPictures() {
  const layoutInside = rememberedGrids();
  const known = /** @type {ReturnType<typeof memoryOf<{nodes: GraphModel["nodes"], picture: Picture}>>} */ (memoryOf(KEPT));
  return {
    clear: known.clear,

    /** Whether a picture is remembered. @param {Asked} model */
    has: ({ about, open, nodes }) => known.get(keyOf(about, open))?.nodes === nodes,

    /** The picture of a model, as it was made before or in stages. @param {Asked} model @returns {Generator<void, Picture, void>} */
    *inStages(model) {
      const key = keyOf(model.about, model.open);
      const before = known.get(key);
      if (before?.nodes === model.nodes) return before.picture;
      const scene = yield* layoutInStages(model, layoutInside);
      yield;
      const picture = { scene, rows: model.readable ? yield* rowsInStages(scene, model.readable) : scene };
      if (scene.items.length + scene.edges.length <= LARGE) known.set(key, { nodes: model.nodes, picture });
      return picture;
    },
  };
}
