// The graph view: draws a model, marks it step by step, and tells the page what the user does with it.

import { createLayoutClient } from "../layout/layout_client.js";
import { LABEL_PX } from "../layout/metrics.js";
import { fit, fitFrom, pinned, reveal, visibleBox, zoomAt } from "../geometry/viewport.js";
import { createCamera } from "./camera.js";
import { createControls } from "./controls.js";
import { createPainter } from "./painter.js";
import { listen } from "./gestures.js";
import { indexScene, markPart } from "./marking.js";
import { glide } from "./motion.js";
import { svg } from "./svg.js";

/** @typedef {import("../layout/types.js").GraphModel} GraphModel */
/** @typedef {import("../layout/types.js").Scene} Scene */
/** @typedef {import("../geometry/viewport.js").Viewport} Viewport */
/** @typedef {import("./types.js").GraphMarks} GraphMarks */
/** @typedef {import("./types.js").GraphView} GraphView */
/** @typedef {import("./types.js").GraphViewOptions} GraphViewOptions */

const LEAST_LABEL = 11 / LABEL_PX; // smaller, labels would be less than 11 px high
const MOST_AT_FIRST = 1.6;
const AROUND = 250; // px drawn around the viewport

/** @type {GraphMarks} */
const NO_MARKS = Object.freeze({ values: new Map(), status: new Map(), selected: null, stale: false });

let views = 0;

/**
 * @param {HTMLElement} host an element with a size; the view fills it
 * @param {GraphViewOptions} options
 * @returns {GraphView}
 */
export function createGraphView(host, { onToggle, onSelect, onDrawn, t }) {
  const plane = svg("g", { class: "plane" });
  const picture = svg("svg", { class: "picture", role: "group" }, [plane]);
  const stage = document.createElement("div");
  stage.className = "graph-stage";
  stage.append(picture);
  const painter = createPainter(plane, `head${(views += 1)}`);
  const camera = createCamera(stage, picture, plane, repaint);
  const controls = createControls(t, { zoomBy, fit: fitAll });
  const client = createLayoutClient();
  host.classList.add("graph-view");
  host.append(stage, ...controls.elements);

  /** @type {GraphModel | null} */
  let model = null;
  /** @type {Scene | null} */
  let scene = null;
  /** @type {import("./marking.js").SceneIndex | null} */
  let index = null;
  let marks = NO_MARKS;
  let focused = "";
  /** @type {{id: string, x: number, y: number} | null} what was toggled, and its corner on screen */
  let anchor = null;

  const stopListening = listen(stage, {
    scene: () => scene,
    focused: () => focused,
    focus,
    attend(id) {
      focused = id;
      settleFocus();
    },
    select: (id) => onSelect(id === null ? null : nameOf(id)),
    toggle,
  });
  const watcher = new ResizeObserver(() => {
    if (scene && camera.resting()) fitFirst(scene);
    else repaint();
  });
  watcher.observe(stage);

  return {
    show(next) {
      const toggled = model !== null && next.nodes === model.nodes;
      model = next;
      client.request(next, toggled ? scene : null, (made) => take(made, toggled));
    },
    mark(next) {
      const step = currentOf(next);
      const moved = step !== currentOf(marks);
      marks = next;
      markAll();
      if (moved && step !== null) bringIntoSight(step);
    },
    fit: fitAll,
    destroy() {
      stopListening();
      watcher.disconnect();
      client.close();
      camera.close();
      host.replaceChildren();
    },
  };

  /** @param {Scene} made @param {boolean} toggled */
  function take(made, toggled) {
    const before = scene;
    const was = camera.viewport();
    const hadFocus = stage.contains(document.activeElement);
    scene = made;
    index = indexScene(made);
    painter.take(made);
    if (toggled && before) keepAnchor(made);
    else if (!before || !sameShape(before, made)) fitFirst(made);
    repaint();
    if (toggled && before) glide(painter.drawn.values(), before, was, camera.viewport());
    settleFocus();
    if (hadFocus) painter.drawn.get(focused)?.element.focus({ preventScroll: true });
    requestAnimationFrame(() => requestAnimationFrame(() => onDrawn(drawnCount())));
  }

  function drawnCount() {
    const names = [...painter.drawn.values()].flatMap(({ part: { item, band } }) => {
      if (band) return [`${band.name}/`];
      return item && item.kind !== "tag" ? [item.id, ...item.constants.map(({ name }) => name)] : [];
    });
    return new Set(names).size;
  }

  /** Draw what has come into sight, with its marks. */
  function repaint() {
    const fresh = painter.paint(visibleBox(camera.viewport(), camera.canvas(), AROUND), focused);
    if (index) for (const drawn of fresh) markPart(drawn, marks, index, t);
    if (fresh.length > 0) settleFocus();
  }

  function markAll() {
    host.classList.toggle("stale", marks.stale);
    picture.setAttribute("aria-label", t("graph.label"));
    controls.relabel();
    controls.caption(captionOf(marks.selected));
    if (index) for (const drawn of painter.drawn.values()) markPart(drawn, marks, index, t);
  }

  /** @param {string | null} name */
  function captionOf(name) {
    const node = model?.nodes.find((each) => each.name === name);
    return node ? `${node.name} · ${node.op}` : (name ?? "");
  }

  /** @param {Scene} made */
  function fitFirst(made) {
    const canvas = camera.canvas();
    if (canvas.width === 0 || canvas.height === 0) return;
    const start = made.items.find(({ kind }) => kind !== "tag") ?? made.page;
    camera.rest(fitFrom(made.page, start, canvas, { margin: marginOf(canvas), least: LEAST_LABEL, most: MOST_AT_FIRST }));
    const step = currentOf(marks);
    if (step !== null) bringIntoSight(step);
  }

  function fitAll() {
    if (scene) camera.rest(fit(scene.page, camera.canvas(), { margin: marginOf(camera.canvas()), most: MOST_AT_FIRST }));
  }

  /** @param {number} factor */
  function zoomBy(factor) {
    const { width, height } = camera.canvas();
    camera.look(zoomAt(camera.viewport(), factor, width / 2, height / 2));
  }

  /** @param {string} id */
  function toggle(id) {
    const place = placeOf(id);
    const { x, y, scale } = camera.viewport();
    if (place) anchor = { id, x: place.x * scale + x, y: place.y * scale + y };
    onToggle(nameOf(id));
  }

  /** The toggled scope stays where it was. @param {Scene} made */
  function keepAnchor(made) {
    const place = anchor && placeOf(anchor.id);
    if (anchor && place) camera.look(pinned(camera.viewport(), place.x, place.y, anchor.x, anchor.y));
    else if (!anchor) fitFirst(made);
    anchor = null;
  }

  /** The middle of an item's or a band's top. @param {string} id */
  function placeOf(id) {
    const item = index?.items.get(id);
    if (item) return { x: item.x + item.width / 2, y: item.y };
    const band = scene?.bands.find(({ name }) => `${name}/` === id);
    return band && { x: band.x + band.width / 2, y: band.y };
  }

  /** Move the picture no more than needed to show a node's item. @param {string} name */
  function bringIntoSight(name) {
    const id = scene?.shown.get(name) ?? name;
    const item = index?.items.get(id);
    const canvas = camera.canvas();
    if (!item || canvas.width === 0) return;
    const there = reveal(camera.viewport(), item, canvas, marginOf(canvas));
    if (there !== camera.viewport()) camera.look(there);
  }

  /** @param {string} id */
  function focus(id) {
    focused = id;
    bringIntoSight(id);
    settleFocus();
    const element = painter.drawn.get(id)?.element;
    if (document.activeElement !== element) element?.focus({ preventScroll: true });
  }

  /** One stop for the Tab key: the focused item, or the first. */
  function settleFocus() {
    if (!painter.drawn.has(focused)) focused = scene?.items[0]?.id ?? "";
    for (const [key, { element, part }] of painter.drawn) {
      if (part.item || part.band) element.setAttribute("tabindex", key === focused ? "0" : "-1");
    }
  }
}

/** @param {import("../geometry/viewport.js").Size} canvas */
const marginOf = ({ width }) => (width < 500 ? 5 : 22);

/** The node that the lesson stands at: the last named, which is the innermost. @param {GraphMarks} marks */
const currentOf = ({ status }) => [...status].findLast(([, state]) => state === "current")?.[0] ?? null;

/** The node or scope that an item's id stands for. @param {string} id */
const nameOf = (id) => id.replace(/\/$/, "");

/** Whether two scenes put the same items in the same places: then the viewport can stay. @param {Scene} a @param {Scene} b */
function sameShape(a, b) {
  return a.items.length === b.items.length && a.items.every(({ id, x, y }, i) => b.items[i].id === id && b.items[i].x === x && b.items[i].y === y);
}
