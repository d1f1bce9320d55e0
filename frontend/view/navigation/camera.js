// The camera: pan and zoom by d3-zoom, and the viewport that results.
//
// The drawing is moved and scaled by a CSS transform, which lays out no text anew. While fingers or wheel move it is a
// layer of its own, which is not even drawn anew; when the gesture ends it is drawn sharp.

import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { IDENTITY, MAX_SCALE, MIN_SCALE } from "../../geometry/viewport.js";

/** @import { Size, Viewport } from "../../geometry/viewport.js" */

/**
 * @typedef {object} Camera
 * @property {() => Viewport} viewport
 * @property {() => Size} canvas                     as it was measured last; asking the document would lay it out anew
 * @property {() => void} measure                    the stage has another size
 * @property {(viewport: Viewport, rests: boolean) => void} look  move there at once; at rest, a new size may fit anew
 * @property {() => boolean} resting                whether it is where it was put to rest
 * @property {() => void} close
 */

/**
 * @param {HTMLElement} stage what listens; holds the picture
 * @param {SVGSVGElement} picture of the graph
 * @param {(viewport: Viewport) => void} moving while a hand moves it
 * @param {(viewport: Viewport) => void} changed after every change
 * @returns {Camera}
 */
export function createCamera(stage, picture, moving, changed) {
  /** @type {Viewport} */
  let now = IDENTITY;
  let resting = true;
  /** @type {Size} */
  let size = { width: 0, height: 0 };
  /** @type {import("d3-zoom").ZoomBehavior<HTMLElement, unknown>} */
  const behaviour = zoom();
  const target = select(stage);
  behaviour
    .scaleExtent([MIN_SCALE, MAX_SCALE])
    .clickDistance(4)
    .extent(() => [
      [0, 0],
      [canvas().width, canvas().height],
    ]);
  behaviour.on("zoom", ({ transform, sourceEvent }) => {
    now = Object.freeze({ x: transform.x, y: transform.y, scale: transform.k });
    if (!sourceEvent) return;
    resting = false;
    picture.style.willChange = "transform";
    picture.style.transform = transformOf(now);
    moving(now);
  });
  behaviour.on("end", commit);
  target.call(behaviour).on("dblclick.zoom", null);

  function commit() {
    picture.style.willChange = "";
    picture.style.transform = transformOf(now);
    changed(now);
  }

  function measure() {
    size = { width: stage.clientWidth, height: stage.clientHeight };
  }

  function canvas() {
    if (size.width === 0) measure();
    return size;
  }

  return {
    viewport: () => now,
    canvas,
    measure,
    look({ x, y, scale }, rests) {
      target.call(behaviour.transform, zoomIdentity.translate(x, y).scale(scale));
      resting = rests;
    },
    resting: () => resting,
    close: () => target.on(".zoom", null),
  };
}

/** @param {Viewport} viewport */
const transformOf = ({ x, y, scale }) => `translate(${x}px, ${y}px) scale(${scale})`;
