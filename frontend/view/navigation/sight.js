// Sight: which part of a scene is on screen, and what stays in place when the scene changes.

import { filled, fit, fitFrom, isInSight, pinned, reveal, revealWhole, zoomAt } from "../../geometry/viewport.js";
import { SMALL_PX } from "../../layout/metrics.js";

/** @import { Scene } from "../../layout/types.js" */
/** @import { Box, Size } from "../../geometry/viewport.js" */
/** @import { Camera } from "./camera.js" */

export const READABLE_PX = 9; // the smallest text is so high at least
const MOST_AT_FIRST = 1.6;

/** The ring of what stands at the border has room in it. @param {Size} canvas */
const marginOf = ({ width }) => (width < 500 ? 10 : 14);

/** @param {Camera} camera @param {() => number} [leastText] how high the smallest text has to be, px */
export function createSight(camera, leastText = () => READABLE_PX) {
  const least = () => leastText() / SMALL_PX;
  const most = () => Math.max(MOST_AT_FIRST, 1.5 * least());
  /** @type {{id: string, x: number, y: number} | null} the item to hold, and where on screen the middle of its top is */
  let held = null;

  return {
    /** The first view: all of it, or its beginning where labels would get too small. @param {Scene} scene */
    first(scene) {
      const canvas = camera.canvas();
      if (isHidden(canvas)) return;
      const start = scene.items.find(({ kind }) => kind !== "tag") ?? scene.page;
      const limits = { margin: marginOf(canvas), least: least(), most: most() };
      camera.look(fitFrom(scene.page, start, canvas, scene.direction, limits), true);
    },

    /** How much of the plane is on screen where the smallest text is as small as it may be; null while nothing is. */
    room() {
      const { width, height } = camera.canvas();
      if (isHidden({ width, height })) return null;
      const around = 2 * marginOf({ width, height });
      return { width: (width - around) / least(), height: (height - around) / least() };
    },

    /** Whether a box is on screen as a whole. @param {Box} box */
    holds: (box) => isInSight(camera.viewport(), box, camera.canvas()),

    /** @param {Scene} scene */
    all(scene) {
      const canvas = camera.canvas();
      if (!isHidden(canvas)) camera.look(fit(scene.page, canvas, { margin: marginOf(canvas), most: most() }), true);
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
      if (!isHidden(canvas))
        look(reveal(camera.viewport(), box, canvas, isInSight(camera.viewport(), box, canvas) ? 0 : marginOf(canvas)));
    },

    /** Show the first of these boxes that has room as a whole and can be read; the last as far as it goes. @param {Box[]} boxes */
    revealWhole(boxes) {
      const canvas = camera.canvas();
      if (isHidden(canvas)) return;
      const limits = { margin: marginOf(canvas), least: least() };
      const views = boxes.map((box) => ({ box, view: revealWhole(camera.viewport(), box, canvas, limits) }));
      const found = views.find(({ box, view }) => isInSight(view, box, canvas)) ?? views.at(-1);
      if (found) look(found.view);
    },

    /** Keep in its place on screen what is nearest to the middle, of all that another scene has too; false where it has nothing. @param {Scene} before @param {Scene} scene */
    keep(before, scene) {
      const { width, height } = camera.canvas();
      const { x, y, scale } = camera.viewport();
      const places = new Map(scene.items.map((item) => [item.id, item]));
      const far = (/** @type {Box} */ box) =>
        Math.hypot((box.x + box.width / 2) * scale + x - width / 2, (box.y + box.height / 2) * scale + y - height / 2);
      const [anchor] = before.items.filter(({ id }) => places.has(id)).sort((a, b) => far(a) - far(b));
      const now = anchor && places.get(anchor.id);
      if (now) camera.look(pinned(camera.viewport(), now.x, now.y, anchor.x * scale + x, anchor.y * scale + y), false);
      return now !== undefined;
    },

    /** From now on the item is to stay where it is on screen. @param {Scene} scene @param {string} id */
    hold(scene, id) {
      const top = topOf(scene, id);
      const { x, y, scale } = camera.viewport();
      held = top && { id, x: top.x * scale + x, y: top.y * scale + y };
    },

    /** Whether all of a box can be read on screen at once. @param {Box} box */
    hasRoom(box) {
      const canvas = camera.canvas();
      return fit(box, canvas, { margin: marginOf(canvas) }).scale >= least();
    },

    /** The id of what is held; null for nothing. */
    held: () => held?.id ?? null,

    /** Hold nothing. */
    forget() {
      held = null;
    },

    /** Put the held item back in its place, or its beginning in sight where it got broader than the window. @param {Scene} scene */
    release(scene) {
      const top = held && topOf(scene, held.id);
      if (held && top) {
        const canvas = camera.canvas();
        const { scale } = camera.viewport();
        const half = (top.width * scale) / 2;
        const x = 2 * half > canvas.width - 2 * marginOf(canvas) ? Math.max(held.x, marginOf(canvas) + half) : held.x;
        const there = pinned(camera.viewport(), top.x, top.y, x, held.y);
        look(camera.resting() ? filled(there, scene.page, canvas, marginOf(canvas)) : there);
      }
    },
  };

  /** Move there; at rest it stays at rest. @param {import("../../geometry/viewport.js").Viewport} there */
  function look(there) {
    if (there !== camera.viewport()) camera.look(there, camera.resting());
  }
}

/** @param {Size} canvas */
const isHidden = ({ width, height }) => width === 0 || height === 0;

/** The middle of the top of an item or a band. @param {Scene} scene @param {string} id */
function topOf(scene, id) {
  const box = scene.items.find((item) => item.id === id) ?? scene.bands.find(({ name }) => `${name}/` === id);
  return box ? { x: box.x + box.width / 2, y: box.y, width: box.width } : null;
}
