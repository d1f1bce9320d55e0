// The map: more items than can be told apart, drawn on a canvas without labels. The geometry is the scene's; what is
// pointed at is told by name, and selected and opened as in the drawing. Who cannot see it has the outline.

import { overlaps } from "../geometry/box.js";
import { pathOf } from "../geometry/path.js";
import { styleOf } from "../layout/edges.js";
import { ROOT } from "../layout/scopes.js";

/** @typedef {import("../layout/types.js").Scene} Scene */
/** @typedef {import("../layout/types.js").Item} Item */
/** @typedef {import("../geometry/viewport.js").Viewport} Viewport */
/** @typedef {import("../geometry/viewport.js").Size} Size */

const PHASES = ["forward", "gradient", "process", "update"];
const STYLES = [...PHASES, "borrowed", "control", "reference"];
const TILE = 2048; // px of the graph: what lies together is drawn together, or left out together

/** @typedef {{box: import("../geometry/viewport.js").Box, lines: Map<string, Path2D>, areas: Map<string, Path2D>, shapes: Map<string, Path2D>}} Tile */

export function createMap() {
  const canvas = document.createElement("canvas");
  canvas.className = "graph-map";
  canvas.hidden = true;
  canvas.setAttribute("aria-hidden", "true"); // the outline says the same
  /** @type {Scene | null} */
  let scene = null;
  /** @type {Tile[] | null} made when the map is first looked at */
  let tiles = null;
  /** @type {Map<string, Item[]> | null} by the id of what holds them; made when first pointed at */
  let inside = null;

  return {
    canvas,

    /** @param {Scene} next */
    take(next) {
      [scene, tiles, inside] = [next, null, null];
    },

    /** Draw what is in sight. @param {Viewport} viewport @param {Size} size @param {Item | undefined} selected */
    draw(viewport, { width, height }, selected) {
      canvas.hidden = scene === null;
      const context = canvas.getContext("2d");
      if (!scene || !context) return;
      tiles ??= tilesOf(scene);
      const sharp = devicePixelRatio;
      [canvas.width, canvas.height] = [width * sharp, height * sharp];
      const { x, y, scale } = viewport;
      context.setTransform(scale * sharp, 0, 0, scale * sharp, x * sharp, y * sharp);
      const seen = { x: -x / scale, y: -y / scale, width: width / scale, height: height / scale };
      const ink = inks(canvas);
      paint(context, tiles.filter(({ box }) => overlaps(box, seen)), ink, scale);
      if (selected) ring(context, selected, ink("accent"), scale);
    },

    hide() {
      canvas.hidden = true;
    },

    /** The innermost item at a point of the graph. @param {number} x @param {number} y @returns {Item | null} */
    itemAt(x, y) {
      if (canvas.hidden || !scene) return null;
      inside ??= byParent(scene);
      let found = null;
      for (let next = itemIn(inside, ROOT, x, y); next; next = itemIn(inside, next.id, x, y)) found = next;
      return found;
    },
  };
}

/** @param {Scene} scene */
function byParent({ items }) {
  /** @type {Map<string, Item[]>} */
  const inside = new Map();
  for (const item of items) {
    const own = inside.get(item.parent);
    if (own) own.push(item);
    else inside.set(item.parent, [item]);
  }
  return inside;
}

/** What stands at a point directly in an open scope. @param {ReadonlyMap<string, Item[]>} inside @param {string} scope @param {number} px @param {number} py */
const itemIn = (inside, scope, px, py) =>
  inside.get(scope)?.find(({ x, y, width, height }) => px >= x && px <= x + width && py >= y && py <= y + height);

/** The drawing cut into tiles, each with one path for all that looks alike. @param {Scene} scene @returns {Tile[]} */
function tilesOf({ items, edges, bands, direction }) {
  /** @type {Map<string, Tile>} */
  const tiles = new Map();
  for (const area of [...bands, ...items.filter(({ open }) => open)]) {
    tileAt(tiles, area).areas.get(area.phase)?.rect(area.x, area.y, area.width, area.height);
  }
  for (const item of items) if (!item.open) shape(tileAt(tiles, item).shapes.get(item.phase) ?? new Path2D(), item);
  for (const edge of edges) tileAt(tiles, around(edge)).lines.get(styleOf(edge))?.addPath(new Path2D(pathOf(edge.points, direction !== "right")));
  return [...tiles.values()];
}

/** @param {Path2D} path @param {Item} item */
function shape(path, { kind, x, y, width, height }) {
  const round = kind === "op" ? Math.min(width, height) / 2 : 8;
  path.roundRect(x, y, width, height, round);
}

/** @param {import("../layout/types.js").Edge} edge */
function around({ points }) {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** The tile that something begins in; it grows to hold it whole. @param {Map<string, Tile>} tiles @param {import("../geometry/viewport.js").Box} thing */
function tileAt(tiles, thing) {
  const key = `${Math.floor(thing.x / TILE)} ${Math.floor(thing.y / TILE)}`;
  const tile = tiles.get(key) ?? { box: { ...thing }, lines: paths(STYLES), areas: paths(PHASES), shapes: paths(PHASES) };
  const [x, y] = [Math.min(tile.box.x, thing.x), Math.min(tile.box.y, thing.y)];
  const right = Math.max(tile.box.x + tile.box.width, thing.x + thing.width);
  const bottom = Math.max(tile.box.y + tile.box.height, thing.y + thing.height);
  tile.box = { x, y, width: right - x, height: bottom - y };
  tiles.set(key, tile);
  return tile;
}

/** @param {string[]} kinds */
const paths = (kinds) => new Map(kinds.map((kind) => [kind, new Path2D()]));

/**
 * The colours of the moment. A canvas knows no custom properties, and not the two colours of the two themes.
 * @param {HTMLElement} canvas
 * @returns {(name: string) => string}
 */
function inks(canvas) {
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

/** The name of a line's colour. @param {string} style */
const inkOf = (style) => ({ borrowed: "forward", control: "muted" })[style] ?? style;

/** @param {CanvasRenderingContext2D} context @param {Tile[]} tiles @param {(name: string) => string} ink @param {number} scale */
function paint(context, tiles, ink, scale) {
  context.lineWidth = Math.max(1.2, 0.5 / scale);
  for (const { areas } of tiles) for (const phase of PHASES) outlined(context, areas.get(phase), ink(phase), ink(`${phase}-fill`), 0.4);
  context.globalAlpha = 0.4;
  for (const { lines } of tiles) {
    for (const style of STYLES) {
      context.strokeStyle = ink(inkOf(style));
      context.stroke(lines.get(style) ?? new Path2D());
    }
  }
  context.globalAlpha = 1;
  for (const { shapes } of tiles) for (const phase of PHASES) outlined(context, shapes.get(phase), ink(phase), ink(`${phase}-fill`), 1);
}

/** @param {CanvasRenderingContext2D} context @param {Path2D | undefined} path @param {string} stroke @param {string} fill @param {number} alpha of the fill */
function outlined(context, path, stroke, fill, alpha) {
  if (!path) return;
  [context.fillStyle, context.strokeStyle, context.globalAlpha] = [fill, stroke, alpha];
  context.fill(path);
  context.globalAlpha = 1;
  context.stroke(path);
}

/** @param {CanvasRenderingContext2D} context @param {Item} item @param {string} colour @param {number} scale */
function ring(context, { x, y, width, height }, colour, scale) {
  context.strokeStyle = colour;
  context.lineWidth = Math.max(3, 3 / scale);
  context.strokeRect(x - 4, y - 4, width + 8, height + 8);
}
