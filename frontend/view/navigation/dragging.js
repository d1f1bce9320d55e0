// Dragging: the selected item follows the pointer, or Alt with an arrow key. Dragging anything else moves the picture.

/**
 * @typedef {object} Drags
 * @property {() => string | null} movable          id of the item that may be dragged: the selected one
 * @property {() => number} scale                   px on screen for one of the graph
 * @property {(id: string, dx: number, dy: number) => void} moving  it is on its way, so far from where it stood
 * @property {(id: string, dx: number, dy: number) => void} moved   it was let go there
 */

const STILL = 4; // px on screen that a click may tremble
const STEP = 10; // px of the graph for an arrow key
const WAYS = new Map([
  ["ArrowLeft", [-STEP, 0]],
  ["ArrowRight", [STEP, 0]],
  ["ArrowUp", [0, -STEP]],
  ["ArrowDown", [0, STEP]],
]);

/**
 * Listen on the stage, before the picture's own gestures do; returns what stops it.
 * @param {HTMLElement} stage @param {Drags} drags
 */
export function listenForDrags(stage, { movable, scale, moving, moved }) {
  const end = new AbortController();
  const { signal } = end;
  /** @type {{id: string, pointer: number, x: number, y: number, far: boolean} | null} */
  let held = null;

  /** @param {Event} event */
  const taken = (event) => event.target instanceof Element && keyAt(event.target) !== null && keyAt(event.target) === movable();

  /** How far the held item was carried, in px of the graph. @param {PointerEvent} event @param {{x: number, y: number}} from @returns {[number, number]} */
  const carried = (event, from) => [(event.clientX - from.x) / scale(), (event.clientY - from.y) / scale()];

  /** @param {PointerEvent} event */
  function down(event) {
    const id = movable();
    if (id === null || event.button !== 0 || !taken(event)) return;
    held = { id, pointer: event.pointerId, x: event.clientX, y: event.clientY, far: false };
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (held?.pointer !== event.pointerId) return;
    if (!held.far && Math.hypot(event.clientX - held.x, event.clientY - held.y) < STILL) return;
    if (!held.far) stage.setPointerCapture(held.pointer);
    held.far = true;
    moving(held.id, ...carried(event, held));
  }

  /** @param {PointerEvent} event */
  function up(event) {
    if (held?.pointer !== event.pointerId) return;
    const { id, far } = held;
    if (far) {
      if (event.type === "pointerup") moved(id, ...carried(event, held));
      else moving(id, 0, 0);
      stage.addEventListener("click", stop, { capture: true, once: true });
      setTimeout(() => stage.removeEventListener("click", stop, { capture: true })); // no click follows some drags
    }
    held = null;
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const way = WAYS.get(event.key);
    const id = event.target instanceof Element ? keyAt(event.target) : null;
    if (!way || !event.altKey || id === null) return;
    event.preventDefault();
    stop(event);
    moved(id, way[0], way[1]);
  }

  /** The picture does not move with an item. @param {Event} event */
  const shield = (event) => taken(event) && stop(event);

  stage.addEventListener("pointerdown", down, { capture: true, signal });
  stage.addEventListener("pointermove", move, { signal });
  stage.addEventListener("pointerup", up, { signal });
  stage.addEventListener("pointercancel", up, { signal });
  stage.addEventListener("mousedown", shield, { capture: true, signal });
  stage.addEventListener("touchstart", shield, { capture: true, signal, passive: true });
  stage.addEventListener("keydown", pressed, { capture: true, signal });
  return () => end.abort();
}

/** @param {Event} event */
const stop = (event) => event.stopImmediatePropagation();

/** The id of the item that an element belongs to; a scope's button and the constants are not for dragging. @param {Element} target */
function keyAt(target) {
  if (target.closest(".toggle, .constant")) return null;
  const found = target.closest(".item");
  return found instanceof SVGElement ? (found.dataset.key ?? null) : null;
}
