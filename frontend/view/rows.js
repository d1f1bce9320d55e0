// Rows: how much of a graph can be read in the window, and into what rows that breaks it.

import { inRows } from "../layout/rows/rows.js";

/** @import { GraphModel, Scene } from "../layout/types.js" */
/** @import { Size } from "../geometry/viewport.js" */

const STEP = 20; // px: while a border is moved, not every pixel is another picture

/** @param {{room: () => Size | null}} sight */
export function createRows(sight) {
  /** @type {Size | null} that the insides of open scopes were laid out for */
  let room = null;

  /** How much can be read here at once, in steps. @returns {Size | null} */
  function roomHere() {
    const here = sight.room();
    const inSteps = (/** @type {number} */ size) => Math.max(STEP, Math.floor(size / STEP) * STEP);
    return here && { width: inSteps(here.width), height: inSteps(here.height) };
  }

  return {
    /** A model that is laid out for this window, where something in it is open. @param {GraphModel} model @returns {GraphModel} */
    fitted(model) {
      if (model.open.size === 0) return model;
      room = roomHere();
      return room ? { ...model, room } : model;
    },

    /** Whether what is open in a model was laid out for another window. @param {GraphModel} model */
    isForAnother({ open }) {
      const here = roomHere();
      return open.size > 0 && (here?.width !== room?.width || here?.height !== room?.height);
    },

    /** A scene in rows, where one would be too long for the window. @param {Scene} scene */
    of(scene) {
      const here = sight.room();
      return here ? inRows(scene, here) : scene;
    },
  };
}
