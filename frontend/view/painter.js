// The painter: keeps the SVG equal to the scene. Where a scene has many parts, only those near the viewport are in
// the document.

import { around, grown, overlaps } from "../geometry/box.js";
import { arrowHeads, bandShape, edgeShape, itemShape, ribbonShape } from "./shapes.js";
import { svg } from "./svg.js";

/** @typedef {import("../layout/types.js").Scene} Scene */
/** @typedef {import("../layout/types.js").Item} Item */
/** @typedef {import("../layout/types.js").Edge} Edge */
/** @typedef {import("../layout/types.js").Band} Band */
/** @typedef {import("../geometry/viewport.js").Box} Box */

/** @typedef {{key: string, layer: SVGGElement, box: Box, make: () => SVGElement, item: Item | null, edge: Edge | null, band: Band | null}} Part */
/** @typedef {{element: SVGElement, part: Part}} Drawn */

const ALL_AT_ONCE = 300; // parts that are drawn whether in sight or not

/**
 * @param {SVGGElement} plane @param {string} prefix of marker ids
 */
export function createPainter(plane, prefix) {
  const [ribbons, bands, boxes, items, edges] = ["ribbons", "bands", "boxes", "items", "edges"].map((name) => svg("g", { class: name }));
  plane.append(arrowHeads(prefix), ribbons, bands, boxes, items, edges);
  /** @type {Part[]} */
  let parts = [];
  /** @type {Map<string, Drawn>} */
  const drawn = new Map();

  return {
    drawn,

    /** Replace everything. @param {Scene} scene */
    take(scene) {
      for (const { element } of drawn.values()) element.remove();
      drawn.clear();
      parts = partsOf(scene);
    },

    /** How many ops and scopes are drawn, constants included. */
    count() {
      const names = [...drawn.values()].flatMap(({ part: { key, item, band } }) => {
        if (item && item.kind !== "tag") return [key, ...item.constants.map(({ name }) => name)];
        return band ? [key] : [];
      });
      return new Set(names).size;
    },

    /**
     * Draw what lies in the box, and remove what does not, but for the kept item.
     * @param {Box} box @param {string} keep key of the part that has the focus
     * @returns {Drawn[]} the newly drawn
     */
    paint(box, keep) {
      const all = parts.length <= ALL_AT_ONCE;
      const fresh = [];
      for (const part of parts) {
        const wanted = all || part.key === keep || overlaps(part.box, box);
        const known = drawn.get(part.key);
        if (wanted && !known) fresh.push(draw(part));
        else if (!wanted && known) erase(part.key, known.element);
      }
      return fresh;
    },
  };

  /** @param {Part} part */
  function draw(part) {
    const element = part.make();
    element.dataset.key = part.key;
    part.layer.append(element);
    const entry = { element, part };
    drawn.set(part.key, entry);
    return entry;
  }

  /** @param {string} key @param {Element} element */
  function erase(key, element) {
    element.remove();
    drawn.delete(key);
  }

  /** @param {Scene} scene @returns {Part[]} */
  function partsOf(scene) {
    const blank = { item: null, edge: null, band: null };
    return [
      ...scene.bands.map((band) => ({ ...blank, key: `${band.name}/`, layer: bands, box: band, make: () => bandShape(band), band })),
      ...scene.ribbons.map((ribbon) => {
        const box = grown(around([{ x: ribbon.x1, y: ribbon.y1 }, { x: ribbon.x2, y: ribbon.y2 }]), 4);
        return { ...blank, key: `ribbon ${ribbon.to}`, layer: ribbons, box, make: () => ribbonShape(ribbon) };
      }),
      ...scene.items.map((item) => {
        const layer = item.open ? boxes : items;
        return { ...blank, key: item.id, layer, box: grown(item, 30), make: () => itemShape(item), item };
      }),
      ...scene.edges.map((edge) => {
        const box = grown(around(edge.points), 4);
        return { ...blank, key: `edge ${edge.id}`, layer: edges, box, make: () => edgeShape(edge, prefix, scene.direction !== "right"), edge };
      }),
    ];
  }
}
