// The map: more items than can be distinguished, drawn on a canvas without labels. The geometry is the scene's; what is
// pointed at is named, and selected and opened as in the drawing. Who cannot see it has the outline.
//
// It is drawn a few milliseconds at a time on a canvas that is out of sight. Until that is done, and while a hand moves
// it, the drawing before is shown, moved and scaled. What draws it is fetched for the first graph that needs a map.

import { overlaps } from "../../geometry/box.js";
import { IDENTITY, visibleBox } from "../../geometry/viewport.js";
import { ROOT } from "../../layout/graph/names.js";
import { schedule } from "../../scheduling/scheduler.js";

/** @import { Item, Scene } from "../../layout/types.js" */
/** @import { Size, Viewport } from "../../geometry/viewport.js" */

const SLICE_MS = 8; // of drawing, after which the page may answer

export function createMap() {
  const canvas = document.createElement("canvas");
  canvas.className = "graph-map";
  canvas.hidden = true;
  canvas.setAttribute("aria-hidden", "true"); // the outline says the same
  const unseen = document.createElement("canvas");
  /** @type {Scene | null} */
  let scene = null;
  /** @type {import("./map_drawing.js").Tile[] | null} made when the map is first looked at */
  let tiles = null;
  /** @type {Map<string, Item[]> | null} by the id of what holds them; made when first pointed at */
  let inside = null;
  let drawnFor = IDENTITY;
  let at = IDENTITY;
  let turn = 0;

  return {
    canvas,
    place,

    /** @param {Scene} next */
    take(next) {
      [scene, tiles, inside] = [next, null, null];
      turn += 1;
    },

    /** Draw what is in sight. @param {Viewport} viewport @param {Size} size @param {Item | undefined} selected @param {() => void} done */
    draw(viewport, size, selected, done) {
      place(viewport);
      turn += 1;
      const mine = turn;
      const isWanted = () => mine === turn;
      void import("./map_drawing.js").then((tools) => {
        schedule(drawing(tools, viewport, size, selected), () => show(viewport, done), isWanted, SLICE_MS);
      });
    },

    hide() {
      canvas.hidden = true;
      turn += 1;
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

  /** Move what is drawn to where a viewport has it. @param {Viewport} viewport */
  function place(viewport) {
    at = viewport;
    const ratio = at.scale / drawnFor.scale;
    canvas.style.transform =
      at === drawnFor ? "" : `translate(${at.x - drawnFor.x * ratio}px, ${at.y - drawnFor.y * ratio}px) scale(${ratio})`;
  }

  /** Draw on the canvas that is out of sight. @param {typeof import("./map_drawing.js")} tools @param {Viewport} viewport @param {Size} size @param {Item | undefined} selected */
  function* drawing({ inksOf, paint, ring, tilesOf }, viewport, size, selected) {
    const context = unseen.getContext("2d", { willReadFrequently: true });
    if (!scene || !context) return;
    tiles ??= yield* tilesOf(scene);
    const sharp = devicePixelRatio;
    [unseen.width, unseen.height] = [size.width * sharp, size.height * sharp];
    const { x, y, scale } = viewport;
    context.setTransform(scale * sharp, 0, 0, scale * sharp, x * sharp, y * sharp);
    const seen = visibleBox(viewport, size);
    const ink = inksOf(canvas);
    yield* paint(
      context,
      tiles.filter(({ box }) => overlaps(box, seen)),
      { ink, scale, upright: scene.direction !== "right" },
    );
    if (selected) ring(context, selected, ink("accent"), scale);
  }

  /** Show what was drawn for a viewport. @param {Viewport} viewport @param {() => void} done */
  function show(viewport, done) {
    [canvas.width, canvas.height] = [unseen.width, unseen.height];
    canvas.getContext("2d")?.drawImage(unseen, 0, 0);
    canvas.hidden = scene === null;
    drawnFor = viewport;
    place(at);
    done();
  }
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
