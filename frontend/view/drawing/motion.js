// Motion: items glide from where they were to where they are, unless the user asked for stillness.

/** @import { Scene } from "../../layout/types.js" */
/** @import { Viewport } from "../../geometry/viewport.js" */
/** @import { Drawn } from "./painter.js" */

const DURATION_MS = 250;

/**
 * Let the drawn parts glide from their places in the scene before; what is new appears.
 * @param {Iterable<Drawn>} drawn @param {Scene} before @param {Viewport} was @param {Viewport} now
 */
export function glide(drawn, before, was, now) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const places = new Map(before.items.map((item) => [item.id, item]));
  for (const { element, part } of drawn) {
    const old = part.item && places.get(part.item.id);
    if (part.item && old)
      element.animate([{ transform: startOf(old, part.item, was, now) }, {}], { duration: DURATION_MS, easing: "ease-out" });
    else element.animate([{ opacity: 0 }, {}], { duration: DURATION_MS, easing: "ease-in" });
  }
}

/**
 * The transform that shows an item where it was on screen, under the new viewport.
 * @param {{x: number, y: number, width: number}} old @param {{x: number, y: number, width: number}} item
 * @param {Viewport} was @param {Viewport} now
 */
function startOf(old, item, was, now) {
  const [from, to] = [old.x + old.width / 2, item.x + item.width / 2];
  const x = (from * was.scale + was.x - now.x) / now.scale - (to - item.x);
  const y = (old.y * was.scale + was.y - now.y) / now.scale;
  return `translate(${x}px, ${y}px)`;
}
