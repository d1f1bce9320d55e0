// The painter: keeps the SVG equal to the scene. Where a scene has many parts, only those near the viewport are in
// the document, and they are made a few milliseconds at a time. What looks the same in the next scene stays.

import { around, grown, overlaps } from "../../geometry/box.js";
import { sameBand, sameLine, sameShape } from "../../layout/scene/same.js";
import { afterFrame, each } from "../../scheduling/scheduler.js";
import { svg } from "../svg.js";
import { arrowHeads, bandShape, edgeShape, itemShape, placeAt, ribbonShape } from "./shapes.js";

/** @import { Band, Edge, Item, Scene } from "../../layout/types.js" */
/** @import { Box } from "../../geometry/viewport.js" */

/** @typedef {{key: string, layer: SVGGElement, box: Box, make: () => SVGElement, item: Item | null, edge: Edge | null, band: Band | null}} Part */
/** @typedef {{element: SVGElement, part: Part}} Drawn */

const ALL_KEPT = 300; // parts that are drawn however far from sight
const SLICE_MS = 8; // of work at a stretch; the first one draws what matters most
const FIRST_SLICE_MS = 24;

/**
 * @param {SVGGElement} plane @param {string} prefix of marker ids
 * @param {(drawn: Drawn[]) => void} onFresh  parts were made, and wait for their marks
 */
export function createPainter(plane, prefix, onFresh) {
  const [ribbons, bands, boxes, items, edges] = ["ribbons", "bands", "boxes", "items", "edges"].map((name) =>
    svg("g", { class: name }),
  );
  plane.append(arrowHeads(prefix), ribbons, bands, boxes, items, edges);
  /** @type {Part[]} */
  let parts = [];
  /** @type {Part[]} still to be made, the next one last */
  let waiting = [];
  let beyond = 0; // how many of them, the first ones, lie out of sight
  /** @type {() => void} */
  let whenDone = () => {};
  let turn = 0;
  /** @type {Map<string, Drawn>} */
  const drawn = new Map();
  /** @type {Map<string, number>} where each part stands among all, by key */
  let places = new Map();

  return {
    drawn,

    partsOf,

    /** Draw the parts of another scene from now on; those that look the same stay, at their new places. @param {Part[]} next */
    take(next) {
      parts = next;
      places = new Map(parts.map(({ key }, i) => [key, i]));
      const gone = new Map(drawn);
      for (const part of parts) {
        const entry = drawn.get(part.key);
        if (!entry || !stays(entry.part, part)) continue;
        entry.part = part;
        if (part.item) placeAt(entry.element, part.item);
        gone.delete(part.key);
      }
      for (const [key, { element }] of gone) erase(key, element);
      for (const layer of [ribbons, bands, boxes, items, edges]) putInOrder(layer);
    },

    /** How many ops and scopes are drawn, constants included. */
    count() {
      const names = [...drawn.values()].flatMap(({ part: { key, item, band } }) => {
        if (item && item.kind !== "tag") return [key, ...item.constants.flatMap((constant) => constant.names)];
        return band && !band.part ? [key] : [];
      });
      return new Set(names).size;
    },

    /** How many items lie in the box. @param {Box} box */
    itemsIn: (box) => parts.reduce((sum, part) => sum + Number(part.item !== null && overlaps(part.box, box)), 0),

    /**
     * Draw what lies in the box, what is in sight first, and remove what does not, but for the kept item.
     * @param {Box} box @param {string} keep key of the part that has the focus
     * @param {{sight?: Box, atOnce?: boolean, done?: () => void}} [how] `sight` is the part of the box that is seen;
     *   `done` is called once all in it is drawn, or all in the one asked for meanwhile
     */
    paint(box, keep, { sight = box, atOnce = false, done = whenDone } = {}) {
      const all = parts.length <= ALL_KEPT;
      /** @type {[Part[], Part[], Part[], Part[]]} */
      const [kept, seen, near, far] = [[], [], [], []];
      for (const part of parts) {
        const order = part.key === keep ? kept : overlaps(part.box, sight) ? seen : overlaps(part.box, box) ? near : far;
        const known = drawn.get(part.key);
        if (!known && (all || order !== far)) order.push(part);
        else if (known && !all && order === far) erase(part.key, known.element);
      }
      waiting = [...kept, ...seen, ...near, ...far].reverse();
      beyond = near.length + far.length;
      whenDone = done;
      turn += 1;
      goOn(turn, atOnce ? Infinity : waiting.length > beyond ? FIRST_SLICE_MS : SLICE_MS);
    },

    /** Remove everything from the document. */
    clear() {
      waiting = [];
      for (const [key, { element }] of drawn) erase(key, element);
    },
  };

  /** Make waiting parts while there is time, the rest in the next frames. @param {number} mine @param {number} budget ms */
  function goOn(mine, budget) {
    if (mine !== turn) return; // something else is to be drawn by now
    const end = performance.now() + budget;
    const pause = waiting.length > beyond && budget < Infinity ? beyond : 0; // what is in sight is shown before the rest is made
    const fresh = [];
    do {
      const part = waiting.pop();
      if (part) fresh.push(draw(part));
    } while (waiting.length > pause && performance.now() < end);
    if (fresh.length > 0) onFresh(fresh);
    const next = () => goOn(mine, SLICE_MS);
    if (waiting.length > beyond) requestAnimationFrame(next);
    else if (waiting.length > 0) afterFrame(next);
    if (waiting.length <= beyond) announceDone();
  }

  function announceDone() {
    const done = whenDone;
    whenDone = () => {};
    done();
  }

  /** @param {Part} part */
  function draw(part) {
    const element = part.make();
    element.dataset.key = part.key;
    part.layer.insertBefore(element, firstBehind(part));
    const entry = { element, part };
    drawn.set(part.key, entry);
    return entry;
  }

  /** @param {Element | null} element of a part */
  function placeOf(element) {
    return places.get(/** @type {SVGElement | null} */ (element)?.dataset.key ?? "") ?? -1;
  }

  /** The part in the document before which a new one belongs: the order is that of the scene, whatever was drawn first. @param {Part} part */
  function firstBehind({ key, layer }) {
    const place = places.get(key) ?? -1;
    let behind = null;
    for (let last = layer.lastElementChild; last && placeOf(last) > place; last = last.previousElementSibling) behind = last;
    return behind;
  }

  /** @param {SVGElement} layer */
  function putInOrder(layer) {
    const all = [...layer.children];
    const isInOrder = all.every((element, i) => i === 0 || placeOf(all[i - 1]) < placeOf(element));
    if (!isInOrder) layer.append(...all.sort((a, b) => placeOf(a) - placeOf(b)));
  }

  /** @param {string} key @param {Element} element */
  function erase(key, element) {
    element.remove();
    drawn.delete(key);
  }

  /** @param {Scene} scene @returns {Generator<void, Part[], void>} */
  function* partsOf(scene) {
    const blank = { item: null, edge: null, band: null };
    const upright = scene.direction !== "right";
    /** @type {Part[]} */
    const found = scene.bands.map((band) => ({
      ...blank,
      key: band.part ? `${band.name}/ ${band.part}` : `${band.name}/`,
      layer: bands,
      box: band,
      make: () => bandShape(band),
      band,
    }));
    yield* each(scene.ribbons, (ribbon) => {
      const box = grown(
        around([
          { x: ribbon.x1, y: ribbon.y1 },
          { x: ribbon.x2, y: ribbon.y2 },
        ]),
        4,
      );
      found.push({ ...blank, key: `ribbon ${ribbon.to}`, layer: ribbons, box, make: () => ribbonShape(ribbon) });
    });
    yield* each(scene.items, (item) => {
      const layer = item.open ? boxes : items;
      found.push({ ...blank, key: item.id, layer, box: grown(item, 30), make: () => itemShape(item), item });
    });
    yield* each(scene.edges, (edge) => {
      const box = grown(around(edge.points), 4);
      found.push({ ...blank, key: `edge ${edge.id}`, layer: edges, box, make: () => edgeShape(edge, prefix, upright), edge });
    });
    return found;
  }
}

/** Whether what was drawn of a part will do for another, but for its place. @param {Part} before @param {Part} after */
function stays(before, after) {
  if (before.item && after.item) return before.layer === after.layer && sameShape(before.item, after.item);
  if (before.edge && after.edge) return sameLine(before.edge, after.edge);
  return before.band !== null && after.band !== null && sameBand(before.band, after.band);
}
