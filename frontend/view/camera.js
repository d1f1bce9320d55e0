// The camera: pan and zoom by d3-zoom, and the viewport that results.
//
// While fingers or wheel move, the whole drawing is moved as one picture by a CSS transform, which costs no redrawing;
// when the gesture ends the plane takes its place and is drawn sharp.

import { zoom, zoomIdentity } from "d3-zoom";
import { select } from "d3-selection";
import { IDENTITY, MAX_SCALE, MIN_SCALE } from "../geometry/viewport.js";

/** @typedef {import("../geometry/viewport.js").Viewport} Viewport */
/** @typedef {import("../geometry/viewport.js").Size} Size */

/**
 * @typedef {object} Camera
 * @property {() => Viewport} viewport
 * @property {() => Size} canvas
 * @property {(viewport: Viewport, rests: boolean) => void} look  move there at once; at rest, a new size may fit anew
 * @property {() => boolean} resting                whether it is where it was put to rest
 * @property {() => void} close
 */

/**
 * @param {HTMLElement} stage what listens; holds the picture
 * @param {ReadonlyArray<HTMLElement | SVGElement>} pictures of the same size, moved as one @param {SVGGElement} plane
 * @param {(viewport: Viewport) => void} settled after every change
 * @returns {Camera}
 */
export function createCamera(stage, pictures, plane, settled) {
  /** @type {Viewport} */
  let drawn = IDENTITY;
  /** @type {Viewport} */
  let now = IDENTITY;
  let resting = true;
  /** @type {import("d3-zoom").ZoomBehavior<HTMLElement, unknown>} */
  const behaviour = zoom();
  const target = select(stage);
  behaviour.scaleExtent([MIN_SCALE, MAX_SCALE]).clickDistance(4);
  behaviour.on("zoom", ({ transform, sourceEvent }) => {
    now = Object.freeze({ x: transform.x, y: transform.y, scale: transform.k });
    if (!sourceEvent) return;
    resting = false;
    const ratio = now.scale / drawn.scale;
    const moved = `translate(${now.x - drawn.x * ratio}px, ${now.y - drawn.y * ratio}px) scale(${ratio})`;
    for (const picture of pictures) picture.style.transform = moved;
  });
  behaviour.on("end", commit);
  target.call(behaviour).on("dblclick.zoom", null);

  function commit() {
    drawn = now;
    for (const picture of pictures) picture.style.transform = "";
    plane.setAttribute("transform", `translate(${now.x},${now.y}) scale(${now.scale})`);
    settled(now);
  }

  return {
    viewport: () => now,
    canvas: () => ({ width: stage.clientWidth, height: stage.clientHeight }),
    look({ x, y, scale }, rests) {
      target.call(behaviour.transform, zoomIdentity.translate(x, y).scale(scale));
      resting = rests;
    },
    resting: () => resting,
    close: () => target.on(".zoom", null),
  };
}
