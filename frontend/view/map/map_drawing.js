// The drawing of the map: what lies together is drawn together or left out together, in stages of a few milliseconds.

import { around, union } from "../../geometry/box.js";
import { trace } from "../../geometry/path.js";
import { styleOf } from "../../layout/items/edges.js";
import { each } from "../../scheduling/scheduler.js";

/** @import { Edge, Item, Scene } from "../../layout/types.js" */
/** @import { Box } from "../../geometry/viewport.js" */
/** @typedef {CanvasRenderingContext2D} Context */
/** @typedef {(name: string) => string} Ink  the colour of the moment */

const PHASES = ["forward", "gradient", "process", "update"];
const STYLES = [...PHASES, "borrowed", "control", "reference"];
const TILE = 2048; // px of the graph
const STROKE = 200; // shapes or lines that are drawn at one stroke

/** @typedef {{box: Box, lines: Map<string, Edge[]>, areas: Map<string, Box[]>, shapes: Map<string, Item[]>}} Tile things by what they look like */

/** The drawing cut into tiles. @param {Scene} scene @returns {Generator<void, Tile[], void>} */
export function* tilesOf({ items, edges, bands }) {
  /** @type {Map<string, Tile>} */
  const tiles = new Map();
  for (const band of bands) tileAt(tiles, band).areas.get(band.phase)?.push(band);
  yield* each(items, (item) => {
    const { areas, shapes } = tileAt(tiles, item);
    (item.open ? areas : shapes).get(item.phase)?.push(item);
  });
  yield* each(edges, (edge) => tileAt(tiles, around(edge.points)).lines.get(styleOf(edge))?.push(edge));
  return [...tiles.values()];
}

/** The tile that something begins in; it grows to hold it whole. @param {Map<string, Tile>} tiles @param {Box} thing */
function tileAt(tiles, thing) {
  const key = `${Math.floor(thing.x / TILE)} ${Math.floor(thing.y / TILE)}`;
  const tile = tiles.get(key) ?? { box: thing, lines: sorted(STYLES), areas: sorted(PHASES), shapes: sorted(PHASES) };
  tile.box = union([tile.box, thing]);
  tiles.set(key, tile);
  return tile;
}

/** @param {string[]} kinds @returns {Map<string, any[]>} */
const sorted = (kinds) => new Map(kinds.map((kind) => [kind, []]));

/**
 * @param {Context} context @param {Tile[]} tiles @param {{ink: Ink, scale: number, upright: boolean}} look
 * @returns {Generator<void, void, void>}
 */
export function* paint(context, tiles, { ink, scale, upright }) {
  context.lineWidth = Math.max(1.2, 0.5 / scale);
  for (const { areas } of tiles) {
    for (const [phase, boxes] of areas)
      yield* filled(
        context,
        boxes,
        ink(phase),
        ink(`${phase}-fill`),
        ({ x, y, width, height }) => context.rect(x, y, width, height),
        0.4,
      );
  }
  for (const { lines } of tiles) {
    for (const [style, edges] of lines)
      yield* stroked(context, edges, ink(inkOf(style)), ({ points }) => trace(points, upright, context));
  }
  for (const { shapes } of tiles) {
    for (const [phase, items] of shapes)
      yield* filled(context, items, ink(phase), ink(`${phase}-fill`), (item) => shape(context, item), 1);
  }
}

/** The name of a line's colour. @param {string} style */
const inkOf = (style) => ({ borrowed: "forward", control: "muted" })[style] ?? style;

/** @template T @param {Context} context @param {T[]} things @param {string} stroke @param {string} fill @param {(thing: T) => void} add @param {number} alpha of the fill */
function* filled(context, things, stroke, fill, add, alpha) {
  yield* atStrokes(context, things, add, () => {
    [context.fillStyle, context.strokeStyle, context.globalAlpha] = [fill, stroke, alpha];
    context.fill();
    context.globalAlpha = 1;
    context.stroke();
  });
}

/** @template T @param {Context} context @param {T[]} things @param {string} stroke @param {(thing: T) => void} add */
function* stroked(context, things, stroke, add) {
  yield* atStrokes(context, things, add, () => {
    [context.strokeStyle, context.globalAlpha] = [stroke, 0.4];
    context.stroke();
  });
}

/** @template T @param {Context} context @param {T[]} things @param {(thing: T) => void} add @param {() => void} draw */
function* atStrokes(context, things, add, draw) {
  for (let at = 0; at < things.length; at += STROKE) {
    context.beginPath();
    things.slice(at, at + STROKE).forEach(add);
    draw();
    context.getImageData(0, 0, 1, 1); // a canvas puts drawing off until it is read: then all of it would come at once
    yield;
  }
}

/** @param {Context} context @param {Item} item */
function shape(context, { kind, x, y, width, height }) {
  context.roundRect(x, y, width, height, kind === "op" ? Math.min(width, height) / 2 : 8);
}

/** @param {Context} context @param {Item} item @param {string} colour @param {number} scale */
export function ring(context, { x, y, width, height }, colour, scale) {
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = Math.max(3, 3 / scale);
  context.strokeRect(x - 4, y - 4, width + 8, height + 8);
}

/**
 * The colours of the moment. A canvas knows no custom properties, and not the two colours of the two themes.
 * @param {HTMLElement} canvas
 * @returns {Ink}
 */
export function inksOf(canvas) {
  /** @type {Map<string, string>} */
  const known = new Map();
  return (name) => {
    const found = known.get(name) ?? resolved();
    known.set(name, found);
    return found;

    function resolved() {
      canvas.style.color = `var(--g-${name})`;
      return getComputedStyle(canvas).color;
    }
  };
}
