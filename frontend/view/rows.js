// Rows: how much of a graph can be read in the window, and into what rows that breaks it.

import { inRows } from "../layout/rows/rows.js";

/** @import { GraphModel, Scene } from "../layout/types.js" */
/** @import { Size } from "../geometry/viewport.js" */

const STEP = 20; // px: while a border is moved, not every pixel is another picture

/** @typedef {{scene: Scene, readable: Size | null, inRows: Scene}} Known  a scene in the rows that a window needs */

/** @param {{room: () => Size | null}} sight */
export function createRows(sight) {
  /** @type {Size | null} that the insides of open scopes were laid out for */
  let room = null;
  /** @type {Known | null} the last one */
  let known = null;

  /** How much can be read here at once, in steps. @returns {Size | null} */
  function roomHere() {
    const here = sight.room();
    const inSteps = (/** @type {number} */ size) => Math.max(STEP, Math.floor(size / STEP) * STEP);
    return here && { width: inSteps(here.width), height: inSteps(here.height) };
  }

  return {
    /** How much can be read here at once. */
    readable: sight.room,

    /** A model that is laid out for this window. @param {GraphModel} model @returns {GraphModel} */
    fitted(model) {
      room = roomHere();
      return room ? { ...model, room } : model;
    },

    /** Whether what is open in a model was laid out for another window. @param {GraphModel} model */
    isForAnother({ open }) {
      return open.size > 0 && !isSameSize(roomHere(), room);
    },

    /** Take in what was broken into rows elsewhere. @param {Known} next */
    learn(next) {
      known = next;
    },

    /** A scene in rows, where one would be too long for the window. @param {Scene} scene */
    of(scene) {
      const readable = sight.room();
      if (!readable) return scene;
      if (known?.scene !== scene || !isSameSize(known.readable, readable))
        known = { scene, readable, inRows: inRows(scene, readable) };
      return known.inRows;
    },
  };
}

/** @param {Size | null} a @param {Size | null} b */
const isSameSize = (a, b) => a?.width === b?.width && a?.height === b?.height;
