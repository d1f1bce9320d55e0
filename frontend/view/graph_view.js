// The graph view: draws a model, marks it step by step, and reports to the page what the user does with it.

import { grown, union } from "../geometry/box.js";
import { visibleBox } from "../geometry/viewport.js";
import { createLayoutClient } from "../layout/background/layout_client.js";
import { withMoves } from "../layout/scene/moved.js";
import { sameDrawing } from "../layout/scene/same.js";
import { itemShowing } from "../layout/scene/shown.js";
import { afterFrame, atOnce, schedule } from "../scheduling/scheduler.js";
import { indexScene, markPart } from "./drawing/marking.js";
import { glide } from "./drawing/motion.js";
import { createPainter } from "./drawing/painter.js";
import { RING_REACH } from "./drawing/shapes.js";
import { createPaper } from "./export/paper.js";
import { createPictures } from "./export/pictures.js";
import { createMap } from "./map/map.js";
import { createMinimap, outlinesOf } from "./map/minimap.js";
import { createCamera } from "./navigation/camera.js";
import { createControls } from "./navigation/controls.js";
import { listenForDrags } from "./navigation/dragging.js";
import { listen } from "./navigation/gestures.js";
import { createSight } from "./navigation/sight.js";
import { createRows } from "./rows.js";
import { createStage, footOf } from "./stage.js";

/** @import { GraphModel, Scene } from "../layout/types.js" */
/** @import { SceneIndex } from "./drawing/marking.js" */
/** @typedef {{index: SceneIndex, parts: import("./drawing/painter.js").Part[], outlines: import("./map/minimap.js").Outlines}} Prepared */
/** @import { GraphMarks, GraphView, GraphViewOptions } from "./types.js" */

const AROUND = 250; // px drawn around the viewport
const PICTURE_MARGIN = 20; // of the graph's px, around a picture
const RESIZED_MS = 200; // without a further change of the window's size
const MAP_ABOVE = 1500; // items to draw; with more the picture is a map without labels

/** @type {GraphMarks} */
const NO_MARKS = Object.freeze({
  hues: new Map(),
  values: new Map(),
  strips: new Map(),
  status: new Map(),
  selected: null,
  traced: null,
  stale: false,
});

/** @type {import("../layout/scene/moved.js").Moves} */
const NOT_MOVED = new Map();

/** Counts the views of the page: the ids of their arrow heads differ. */
class Views {
  #count = 0;

  next() {
    this.#count += 1;
    return this.#count;
  }
}
const views = new Views();

/**
 * @param {HTMLElement} host an element with a size; the view fills it
 * @param {GraphViewOptions} options
 * @returns {GraphView}
 */
export function createGraphView(host, { onToggle, onSelect, onMove, onDrawn, onPoint = () => {}, leastText, t }) {
  const { stage, picture, plane } = createStage();
  const map = createMap();
  stage.prepend(map.canvas);
  const painter = createPainter(plane, `head${views.next()}`, markFresh);
  const camera = createCamera(stage, picture, map.place, () => taking || repaint());
  const sight = createSight(camera, leastText);
  const rows = createRows(sight);
  const paper = createPaper(picture, plane);
  const controls = createControls(t, { zoomBy: sight.zoomBy, fit: fitAll, select: walkTo });
  const minimap = createMinimap(sight.centreOn);
  const client = createLayoutClient();
  host.classList.add("graph-view");
  host.append(stage, footOf(...controls.parts, minimap.element, controls.buttons));

  /** @type {GraphModel | null} */
  let model = null;
  /** @type {Scene | null} as the layout made it */
  let laid = null;
  /** @type {Scene | null} in as many rows as it needs here, before anything is moved by hand */
  let set = null;
  /** @type {SceneIndex | null} */
  let index = null;
  let marks = NO_MARKS;
  let taking = false; // a scene, which is painted once the camera stands
  let focused = "";
  /** @type {SVGElement | null} where the Tab key stops */
  let stop = null;
  /** @type {string | null} a node or scope to bring into sight once it is drawn */
  let wanted = null;
  let whenDrawn = () => {};
  /** @type {string | null} the scope opened last, until the lesson goes on */
  let opened = null;
  let resizing = 0; // the timer that runs while the window's size changes

  const stopListening = listen(stage, {
    scene: () => index?.scene ?? null,
    focused: () => focused,
    focus,
    attend,
    isSelected: () => marks.selected !== null,
    select,
    selectName: onSelect,
    toggle,
    point: (id) => onPoint(id === null ? null : (index?.items.get(id)?.name ?? nameOf(id))),
    idAt: mapped,
  });
  stage.addEventListener("pointermove", (event) => (stage.title = index?.items.get(mapped(event) ?? "")?.title ?? ""));
  const stopDragging = listenForDrags(stage, {
    movable: () => selectedItem(),
    scale: () => camera.viewport().scale,
    moving: carry,
    moved: onMove,
  });
  const watcher = new ResizeObserver(resized);
  watcher.observe(stage);
  const leaving = new AbortController();
  addEventListener("beforeprint", toPaper, leaving);
  addEventListener("afterprint", fromPaper, leaving);

  return {
    show(next, isSame = false) {
      const alike = model !== null && next.merged === model.merged && next.direction === model.direction;
      const toggled = alike && next.nodes === model?.nodes;
      if (!isSame || !alike) opened = null; // the step is in sight again
      if (!toggled) wanted = null;
      const onlyMoved = laid !== null && model !== null && sameBut(model, next, "moved");
      model = next;
      if (onlyMoved) return moveBy(model.moved);
      layOut(next, { toggled, kept: toggled || (alike && isSame) });
    },
    mark(next) {
      const [moved, traced] = [currentOf(next) !== currentOf(marks), next.traced !== marks.traced];
      marks = next;
      markAll();
      if (moved) {
        opened = null;
        followStep();
      }
      if (traced) revealTrace();
    },
    reveal,
    ...createPictures(plane, painted),
    copy,
    fit: fitAll,
    refit() {
      if (index) fitFirst(index.scene);
    },
    destroy() {
      stopListening();
      stopDragging();
      watcher.disconnect();
      leaving.abort();
      client.close();
      clearTimeout(resizing);
      camera.close();
      host.replaceChildren();
    },
  };

  /** @typedef {{toggled: boolean, kept: boolean}} Change  whether other scopes of the same graph are open; or it has grown */

  /** @param {GraphModel} next @param {Change} change */
  function layOut(next, change) {
    const readable = rows.readable();
    client.request(rows.fitted(next), readable, (made, inRows) => {
      if (inRows) rows.learn({ scene: made, readable, inRows });
      take(made, change);
    });
  }

  /** @param {Scene} made @param {Change} change */
  function take(made, change) {
    const before = index?.scene;
    laid = made;
    set = rows.of(made);
    const moved = model?.moved;
    const placed = withMoves(set, moved ?? NOT_MOVED);
    if (before && sameDrawing(before, placed)) {
      announceDrawn();
      return revealWanted();
    }
    const isWanted = () => laid === made;
    schedule(
      prepared(placed),
      (drawing) => {
        redraw(drawing, before, change);
        if (model?.moved !== moved) moveBy(model?.moved);
        revealWanted();
      },
      isWanted,
    );
  }

  /** What is drawn of a scene, made in stages: there may be thousands of parts. @param {Scene} scene */
  function* prepared(scene) {
    const drawing = { index: yield* indexScene(scene), parts: yield* painter.partsOf(scene), outlines: yield* outlinesOf(scene) };
    yield;
    return drawing;
  }

  /** A full frame is on its way to the screen. */
  function announceDrawn() {
    afterFrame(() => onDrawn(painter.count()));
  }

  /** @param {Prepared} drawing @param {Scene | undefined} before @param {Change} change */
  function redraw(drawing, before, { toggled, kept }) {
    const was = camera.viewport();
    const hadFocus = stage.contains(document.activeElement);
    const made = drawing.index.scene;
    takeIn(drawing);
    for (const drawn of painter.drawn.values()) markPart(drawn, marks, drawing.index, t);
    taking = true;
    place(made, kept ? before : undefined);
    taking = false;
    repaint(announceDrawn);
    if (toggled && before) glide(painter.drawn.values(), before, was, camera.viewport()); // where its items were
    if (hadFocus) painter.drawn.get(focused)?.element.focus({ preventScroll: true });
  }

  /**
   * Where another scene is seen from: fitted anew, unless a hand has moved the picture; what was opened is in sight.
   * @param {Scene} made @param {Scene | undefined} before of which it is another form
   */
  function place(made, before) {
    const held = sight.held();
    if (camera.resting() || !before || (held === null && !sight.keep(before, made))) sight.first(made);
    if (!camera.resting() || !sight.holds(made.page)) sight.release(made);
    sight.forget();
    bringBack();
  }

  /** @param {Prepared} drawing */
  function takeIn({ index: next, parts, outlines }) {
    index = next;
    painter.take(parts);
    minimap.take(next.scene, outlines);
    map.take(next.scene);
  }

  /** Put the items where they were moved to; the picture stays. @param {import("../layout/scene/moved.js").Moves} [moved] */
  function moveBy(moved = NOT_MOVED) {
    if (!set || !index) return;
    const hadFocus = stage.contains(document.activeElement);
    takeIn(atOnce(prepared(withMoves(set, moved))));
    repaint();
    if (hadFocus) painter.drawn.get(focused)?.element.focus({ preventScroll: true });
  }

  /** Show an item on its way, so far from where it stands. @param {string} id @param {number} dx @param {number} dy */
  function carry(id, dx, dy) {
    const [x, y] = model?.moved?.get(id) ?? [0, 0];
    moveBy(new Map(model?.moved).set(id, [x + dx, y + dy]));
  }

  /** The id of the item that shows the selection as itself. */
  function selectedItem() {
    const id = marks.selected !== null && index ? showing(index, marks.selected) : null;
    return id !== null && index?.items.has(id) ? id : null;
  }

  /** @param {string} name */
  function walkTo(name) {
    onSelect(name);
    reveal(name);
  }

  /** @param {string} name */
  function reveal(name) {
    wanted = name;
    revealWanted();
  }

  function revealWanted() {
    const id = wanted !== null && index ? showing(index, wanted) : null;
    if (id === null) return; // a scope around it is about to open
    wanted = null;
    revealFound([id]);
    focus(id);
  }

  /** Bring items into sight with their neighbours, where all of them can be read there. @param {string[]} ids */
  function revealFound(ids) {
    if (!index) return;
    const { scene } = index;
    const own = new Set(ids);
    const near = scene.edges.filter(({ from, to }) => own.has(from) || own.has(to)).flatMap(({ from, to }) => [from, to]);
    const boxes = (/** @type {Iterable<string>} */ those) =>
      [...those].flatMap((id) => boxOf(id) ?? []).map((box) => grown(box, RING_REACH));
    const groups = [boxes(new Set([...ids, ...near])), boxes(own)].filter((group) => group.length > 0);
    sight.revealWhole(groups.map(union));
  }

  /** Bring what is lit up into sight, or what is selected with its neighbours. */
  function revealTrace() {
    const names = marks.traced;
    if (!names || !index) return;
    const lit = index.scene.items.filter(({ name, open }) => !open && names.has(name)).map((item) => grown(item, RING_REACH));
    const id = marks.selected === null ? null : showing(index, marks.selected);
    if (lit.length > 0 && sight.hasRoom(union(lit))) sight.revealWhole([union(lit)]);
    else if (id !== null) revealFound([id]);
  }

  /** What is made of all that is open, or of what is in sight, while that is drawn. @type {import("./export/pictures.js").Painted} */
  function painted(isSeen, make) {
    if (!index) return null;
    const page = isSeen ? visibleBox(camera.viewport(), camera.canvas()) : grown(index.scene.page, PICTURE_MARGIN);
    painter.paint(page, focused, { atOnce: true });
    const made = make(page);
    repaint();
    return made;
  }

  /** All that is open with other marks on it, in one row, as sheets cut it; the picture stays as it is. @param {GraphMarks} other */
  function copy(other) {
    if (!index || !laid) return null;
    const [own, isBroken] = [marks, Boolean(index.scene.breaks)];
    if (isBroken) takeIn(atOnce(prepared(withMoves(laid, model?.moved ?? NOT_MOVED))));
    painter.paint(index.scene.page, focused, { atOnce: true });
    for (const drawn of painter.drawn.values()) markPart(drawn, other, index, t);
    const copied = { plane: /** @type {SVGGElement} */ (plane.cloneNode(true)), page: grown(index.scene.page, RING_REACH) };
    if (isBroken) moveBy(model?.moved);
    for (const drawn of painter.drawn.values()) markPart(drawn, own, index, t);
    repaint();
    return copied;
  }

  /**
   * Draw what has come into sight: as a map where it is very much.
   * @param {() => void} [done] called once that is drawn, or what is in sight by then
   */
  function repaint(done = whenDrawn) {
    whenDrawn = done;
    const [viewport, canvas] = [camera.viewport(), camera.canvas()];
    minimap.look(viewport, canvas);
    const near = visibleBox(viewport, canvas, AROUND);
    if (painter.itemsIn(near) > MAP_ABOVE) {
      map.draw(viewport, canvas, index?.items.get(selectedItem() ?? ""), () => {
        painter.clear();
        announceDone();
      });
    } else {
      map.hide();
      painter.paint(near, focused, { sight: visibleBox(viewport, canvas), done: announceDone });
    }
  }

  function announceDone() {
    const done = whenDrawn;
    whenDrawn = () => {};
    done();
  }

  /** A sheet has other measures than the window: all is drawn on it, unless that is very much, and it has rows of its own. */
  function toPaper() {
    if (!index || !laid || painter.itemsIn(index.scene.page) > MAP_ABOVE) return;
    if (index.scene.breaks) takeIn(atOnce(prepared(withMoves(laid, model?.moved ?? NOT_MOVED))));
    painter.paint(index.scene.page, focused, { atOnce: true });
    paper.show(grown(index.scene.page, RING_REACH));
  }

  function fromPaper() {
    paper.clear();
    if (set?.breaks) moveBy(model?.moved);
  }

  /** @param {import("./drawing/painter.js").Drawn[]} fresh */
  function markFresh(fresh) {
    if (index) for (const drawn of fresh) markPart(drawn, marks, index, t);
    attend(painter.drawn.has(focused) ? focused : (index?.scene.items[0]?.id ?? ""));
  }

  /** The id of the item that the map shows under the pointer. @param {MouseEvent} event */
  function mapped({ clientX, clientY }) {
    const { left, top } = stage.getBoundingClientRect();
    const { x, y, scale } = camera.viewport();
    return map.itemAt((clientX - left - x) / scale, (clientY - top - y) / scale)?.id ?? null;
  }

  function markAll() {
    host.classList.toggle("stale", marks.stale);
    picture.setAttribute("aria-label", t("graph.label"));
    controls.relabel();
    controls.show(marks.selected ?? "", selectedNode() ?? {}, marks.stale);
    if (index) for (const drawn of painter.drawn.values()) markPart(drawn, marks, index, t);
    if (!map.canvas.hidden) repaint();
  }

  /** Undefined where a scope is selected, or nothing. */
  function selectedNode() {
    return marks.selected === null ? undefined : model?.nodes.find(({ name }) => name === marks.selected);
  }

  /** @param {Scene} scene */
  function fitFirst(scene) {
    sight.first(scene);
    bringBack();
  }

  /** Bring what was opened last into sight, else the step. */
  function bringBack() {
    const box = opened === null ? undefined : boxOf(opened);
    if (box && !sight.holds(box)) sight.revealWhole([grown(box, RING_REACH)]);
    else if (!box && camera.resting()) followStep();
  }

  /** @param {string} id of an item or band */
  function boxOf(id) {
    return index?.items.get(id) ?? index?.scene.bands.find(({ name }) => `${name}/` === id);
  }

  function resized() {
    camera.measure();
    const isSeen = sight.room() !== null && !picture.classList.contains("on-paper"); // a sheet of paper is no window
    if (isSeen && model && rows.isForAnother(model)) layOut(model, { toggled: false, kept: true });
    clearTimeout(resizing);
    if (isSeen) resizing = window.setTimeout(foresee, RESIZED_MS);
    if (isSeen && laid && String(rows.of(laid).breaks) !== String(set?.breaks)) return take(laid, { toggled: false, kept: true });
    if (index && camera.resting()) fitFirst(index.scene);
    else repaint();
  }

  function foresee() {
    if (model && laid) client.foresee(rows.fitted(model), rows.readable());
  }

  function fitAll() {
    if (index) sight.all(index.scene);
  }

  /** Keep the lesson's step in sight. */
  function followStep() {
    const step = currentOf(marks);
    if (step !== null && index) bringIntoSight(itemShowing(index, step) ?? "");
  }

  /** @param {string} id */
  function toggle(id) {
    if (index) sight.hold(index.scene, id);
    opened = id;
    onToggle(nameOf(id));
  }

  /** @param {string | null} id */
  function select(id) {
    onSelect(id === null ? null : (index?.items.get(id)?.name ?? nameOf(id)));
  }

  /** @param {string} id */
  function focus(id) {
    focused = id; // drawn first where not all is drawn at once
    bringIntoSight(id);
    if (!painter.drawn.has(id)) repaint(); // it is in sight, and its turn has not come
    attend(id);
    painter.drawn.get(id)?.element.focus({ preventScroll: true });
  }

  /** An item, with the ring around it and its constants. @param {string} id */
  function bringIntoSight(id) {
    const item = index?.items.get(id);
    if (item) sight.reveal(union([grown(item, RING_REACH), ...item.constants]));
  }

  /** Let the Tab key stop here, and nowhere else in the graph. @param {string} id */
  function attend(id) {
    focused = id;
    const before = stop;
    stop = painter.drawn.get(id)?.element ?? null;
    if (stop === before) return; // writing it, even as it was, would compute the styles of all that is drawn
    before?.setAttribute("tabindex", "-1");
    stop?.setAttribute("tabindex", "0");
  }
}

/** Whether two models differ in one field alone. @param {GraphModel} a @param {GraphModel} b @param {keyof GraphModel} field */
const sameBut = (a, b, field) =>
  a[field] !== b[field] &&
  /** @type {(keyof GraphModel)[]} */ (Object.keys({ ...a, ...b })).every((each) => each === field || a[each] === b[each]);

/** The node that the lesson stands at. Nodes are named before the scopes around them. @param {GraphMarks} marks */
const currentOf = ({ status }) => [...status].find(([, state]) => state === "current")?.[0] ?? null;

/** The id of the item or band that shows a node, scope or constant as itself; null where none does. @param {SceneIndex} index @param {string} name */
function showing(index, name) {
  const { items, bands } = index.scene;
  const id = itemShowing(index, name);
  if (id !== null && index.items.get(id)?.name === name) return id;
  if (bands.some((band) => band.name === name)) return `${name}/`;
  return items.find(({ constants }) => constants.some(({ names }) => names.includes(name)))?.id ?? null;
}

/** The node or scope that an item's id stands for. @param {string} id */
const nameOf = (id) => id.replace(/\/$/, "");
