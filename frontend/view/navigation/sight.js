// Sight: which part of a scene is on screen, and what stays in place when the scene changes.

import { fit, fitFrom, pinned, reveal, zoomAt } from "../../geometry/viewport.js";
import { SMALL_PX } from "../../layout/metrics.js";

/** @import { Scene } from "../../layout/types.js" */
/** @import { Box, Size } from "../../geometry/viewport.js" */
/** @import { Camera } from "./camera.js" */

const LEAST_AT_FIRST = 11 / SMALL_PX; // the smallest text is 11 px high
const MOST_AT_FIRST = 1.6;

/** @param {Size} canvas */
const marginOf = ({ width }) => (width < 500 ? 5 : 14);

/** @param {Camera} camera */
export function createSight(camera) {
  /** @type {{id: string, x: number, y: number} | null} the item to hold, and where on screen the middle of its top is */
  let held = null;

  return {
    /** The first view: all of it, or its beginning where labels would get too small. @param {Scene} scene */
    first(scene) {
      const canvas = camera.canvas();
      if (isHidden(canvas)) return;
      const start = scene.items.find(({ kind }) => kind !== "tag") ?? scene.page;
      const limits = { margin: marginOf(canvas), least: LEAST_AT_FIRST, most: MOST_AT_FIRST };
      camera.look(fitFrom(scene.page, start, canvas, scene.direction, limits), true);
    },

    /** @param {Scene} scene */
    all(scene) {
      const canvas = camera.canvas();
      if (!isHidden(canvas)) camera.look(fit(scene.page, canvas, { margin: marginOf(canvas), most: MOST_AT_FIRST }), true);
    },

    /** @param {number} factor */
    zoomBy(factor) {
      const { width, height } = camera.canvas();
      camera.look(zoomAt(camera.viewport(), factor, width / 2, height / 2), false);
    },

    /** Bring a point of the graph into the middle. @param {number} x @param {number} y */
    centreOn(x, y) {
      const { width, height } = camera.canvas();
      camera.look(pinned(camera.viewport(), x, y, width / 2, height / 2), false);
    },

    /** Move the picture no more than needed to show the box. @param {Box} box */
    reveal(box) {
      const canvas = camera.canvas();
      if (isHidden(canvas)) return;
      const there = reveal(camera.viewport(), box, canvas, marginOf(canvas));
      if (there !== camera.viewport()) camera.look(there, camera.resting());
    },

    /** From now on the item is to stay where it is on screen. @param {Scene} scene @param {string} id */
    hold(scene, id) {
      const top = topOf(scene, id);
      const { x, y, scale } = camera.viewport();
      held = top && { id, x: top.x * scale + x, y: top.y * scale + y };
    },

    /**
     * Put the held item back in its place, or its beginning in sight where it got broader than the window; false
     * where none is held.
     * @param {Scene} scene
     */
    release(scene) {
      const top = held && topOf(scene, held.id);
      if (held && top) {
        const canvas = camera.canvas();
        const { scale } = camera.viewport();
        const half = (top.width * scale) / 2;
        const x = 2 * half > canvas.width - 2 * marginOf(canvas) ? Math.max(held.x, marginOf(canvas) + half) : held.x;
        camera.look(pinned(camera.viewport(), top.x, top.y, x, held.y), false);
      }
      held = null;
      return top !== null;
    },
  };
}

/** @param {Size} canvas */
const isHidden = ({ width, height }) => width === 0 || height === 0;

/** The middle of the top of an item or a band. @param {Scene} scene @param {string} id */
function topOf(scene, id) {
  const box = scene.items.find((item) => item.id === id) ?? scene.bands.find(({ name }) => `${name}/` === id);
  return box ? { x: box.x + box.width / 2, y: box.y, width: box.width } : null;
}
