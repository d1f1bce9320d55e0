// The minimap: a graph larger than the window, small, with a frame around what is in sight. Pressing moves there. Under
// the pointer it grows.

import { common } from "../../geometry/box.js";
import { visibleBox } from "../../geometry/viewport.js";
import { each } from "../../scheduling/scheduler.js";
import { svg } from "../svg.js";

/** @import { Scene } from "../../layout/types.js" */
/** @import { Size, Viewport } from "../../geometry/viewport.js" */

const ROOM = { width: 200, height: 32 }; // CSS px
const GROWN = { width: 360, height: 110 };
const PHASES = ["forward", "gradient", "process", "update"];

/**
 * @param {(x: number, y: number) => void} moveTo bring a point of the graph into the middle
 */
export function createMinimap(moveTo) {
  const map = svg("svg");
  const frame = document.createElement("div");
  const element = document.createElement("div");
  element.className = "graph-minimap";
  frame.className = "frame";
  element.setAttribute("aria-hidden", "true"); // the arrow keys and the search lead everywhere too
  element.append(map, frame);
  element.hidden = true;
  /** @type {Scene | null} */
  let scene = null;
  let scale = 1;

  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    point(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (element.hasPointerCapture(event.pointerId)) point(event);
  });

  return {
    element,

    /** Draw another scene. @param {Scene} next @param {Outlines} outlines */
    take(next, outlines) {
      scene = next;
      const { page } = next;
      scale = Math.min(ROOM.width / Math.max(1, page.width), ROOM.height / Math.max(1, page.height));
      element.style.width = `${page.width * scale + 2}px`;
      element.style.height = `${page.height * scale + 2}px`;
      const grown = Math.min(GROWN.width / (page.width * scale), GROWN.height / (page.height * scale));
      element.style.setProperty("--grown", grown.toFixed(2));
      draw(map, next, outlines);
    },

    /** Frame what is in sight; hidden while the window holds everything. @param {Viewport} viewport @param {Size} size */
    look(viewport, size) {
      if (!scene) return;
      const { page } = scene;
      element.hidden = page.width * viewport.scale <= size.width && page.height * viewport.scale <= size.height;
      const seen = common(visibleBox(viewport, size), page);
      frame.style.transform = `translate(${(seen.x - page.x) * scale}px, ${(seen.y - page.y) * scale}px)`;
      frame.style.width = `${seen.width * scale}px`;
      frame.style.height = `${seen.height * scale}px`;
    },
  };

  /** @param {PointerEvent} event */
  function point({ clientX, clientY }) {
    if (!scene) return;
    const { page } = scene;
    const { left, top, width, height } = map.getBoundingClientRect();
    moveTo(page.x + ((clientX - left) / width) * page.width, page.y + ((clientY - top) / height) * page.height);
  }
}

/** @param {SVGSVGElement} map @param {Scene} scene @param {Outlines} outlines */
function draw(map, { page: { x, y, width, height } }, outlines) {
  map.setAttribute("viewBox", `${x} ${y} ${Math.max(1, width)} ${Math.max(1, height)}`);
  map.replaceChildren(...[...outlines].map(([look, d]) => svg("path", { class: look, d })));
}

/** One path for all that looks alike: its `d` by class. @typedef {ReadonlyMap<string, string>} Outlines */

/** @param {Scene} scene @returns {Generator<void, Outlines, void>} */
export function* outlinesOf({ items, bands }) {
  const looks = ["area", "part"].flatMap((kind) => PHASES.map((phase) => `${kind} in-${phase}`));
  const outlines = new Map(looks.map((look) => [look, ""]));
  const add = (/** @type {string} */ look, /** @type {import("../../geometry/viewport.js").Box} */ { x, y, width, height }) =>
    outlines.set(look, `${outlines.get(look)}M${x},${y}h${width}v${height}h${-width}z`);
  for (const band of bands) add(`area in-${band.phase}`, band);
  yield* each(items, (item) => void add(`${item.open ? "area" : "part"} in-${item.phase}`, item));
  return outlines;
}
