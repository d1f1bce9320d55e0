// The viewport: which part of the graph plane the canvas shows.
//
// Graph coordinates are what the layout produced; screen coordinates are CSS pixels from the
// canvas's top-left corner: screen = graph * scale + (x, y). A viewport is frozen; every change
// returns a new one, so the view can skip a redraw with ===.

/** @typedef {{readonly x: number, readonly y: number, readonly scale: number}} Viewport */
/** @typedef {{readonly x: number, readonly y: number, readonly width: number, readonly height: number}} Box */
/** @typedef {{readonly width: number, readonly height: number}} Size */

export const MIN_SCALE = 0.01; // a graph of 10,000 nodes with all scopes open fits on a laptop screen
export const MAX_SCALE = 4; // one node's formula fills it

const HAIR = 0.5; // px on screen that rounding may take

/** @type {Viewport} */
export const IDENTITY = Object.freeze({ x: 0, y: 0, scale: 1 });

/**
 * Zoom by `factor`, keeping the graph point under the pointer (px, py on screen) where it is.
 * @param {Viewport} viewport @param {number} factor @param {number} px @param {number} py
 * @returns {Viewport}
 */
export function zoomAt(viewport, factor, px, py) {
  const scale = clamp(viewport.scale * factor, MIN_SCALE, MAX_SCALE);
  const ratio = scale / viewport.scale;
  return Object.freeze({
    x: px - (px - viewport.x) * ratio,
    y: py - (py - viewport.y) * ratio,
    scale,
  });
}

/**
 * Show the whole box, centred, with `margin` screen pixels around it.
 * @param {Box} box @param {Size} canvas
 * @param {{margin?: number, least?: number, most?: number}} [limits] of the scale
 * @returns {Viewport}
 */
export function fit(box, canvas, { margin = 16, least = MIN_SCALE, most = MAX_SCALE } = {}) {
  const across = (canvas.width - 2 * margin) / Math.max(1, box.width);
  const down = (canvas.height - 2 * margin) / Math.max(1, box.height);
  const scale = clamp(Math.min(across, down), least, most);
  return centre(box, canvas, scale);
}

/**
 * Fit the box as `fit` does; in a direction in which it is too large, show `start` where the flow begins (a third of
 * the way across it), and leave no blank at an end.
 * @param {Box} box @param {Box} start @param {Size} canvas @param {"right" | "down" | "up"} direction of the flow
 * @param {{margin?: number, least?: number, most?: number}} [limits]
 * @returns {Viewport}
 */
export function fitFrom(box, start, canvas, direction, limits = {}) {
  const margin = limits.margin ?? 16;
  const { x, y, scale } = fit(box, canvas, limits);
  const level = direction === "right";
  const bottom = canvas.height - margin - (start.y + start.height) * scale;
  const wished = {
    x: (level ? margin : canvas.width / 3) - start.x * scale,
    y: direction === "up" ? bottom : (level ? canvas.height / 3 : margin) - start.y * scale,
  };
  const wide = box.width * scale > canvas.width;
  const high = box.height * scale > canvas.height;
  return Object.freeze({
    x: wide ? clamp(wished.x, canvas.width - margin - (box.x + box.width) * scale, margin - box.x * scale) : x,
    y: high ? clamp(wished.y, canvas.height - margin - (box.y + box.height) * scale, margin - box.y * scale) : y,
    scale,
  });
}

/**
 * Move as little as needed to leave no blank at one end of the box while it is cut at the other; where it has room it stands
 * in the middle.
 * @param {Viewport} viewport @param {Box} box @param {Size} canvas @param {number} margin
 * @returns {Viewport}
 */
export function filled({ x, y, scale }, box, canvas, margin) {
  const along = (
    /** @type {number} */ at,
    /** @type {number} */ start,
    /** @type {number} */ size,
    /** @type {number} */ room,
  ) =>
    size * scale <= room - 2 * margin
      ? (room - size * scale) / 2 - start * scale
      : clamp(at, room - margin - (start + size) * scale, margin - start * scale);
  return Object.freeze({
    x: along(x, box.x, box.width, canvas.width),
    y: along(y, box.y, box.height, canvas.height),
    scale,
  });
}

/**
 * Put the middle of the box in the middle of the canvas.
 * @param {Box} box @param {Size} canvas @param {number} scale
 * @returns {Viewport}
 */
export function centre(box, canvas, scale) {
  return Object.freeze({
    x: canvas.width / 2 - (box.x + box.width / 2) * scale,
    y: canvas.height / 2 - (box.y + box.height / 2) * scale,
    scale,
  });
}

/**
 * Move the plane so that the graph point (gx, gy) lies at (px, py) on screen; the scale stays.
 * @param {Viewport} viewport @param {number} gx @param {number} gy @param {number} px @param {number} py
 * @returns {Viewport}
 */
export function pinned(viewport, gx, gy, px, py) {
  const { scale } = viewport;
  return Object.freeze({ x: px - gx * scale, y: py - gy * scale, scale });
}

/**
 * The part of the graph plane on screen, grown by `margin` screen pixels on every side.
 * @param {Viewport} viewport @param {Size} canvas @param {number} [margin]
 * @returns {Box}
 */
export function visibleBox(viewport, canvas, margin = 0) {
  const { x, y, scale } = viewport;
  return {
    x: (-margin - x) / scale,
    y: (-margin - y) / scale,
    width: (canvas.width + 2 * margin) / scale,
    height: (canvas.height + 2 * margin) / scale,
  };
}

/**
 * Move as little as needed to bring the box on screen; a box too large shows its top left.
 * @param {Viewport} viewport @param {Box} box @param {Size} canvas @param {number} [margin]
 * @returns {Viewport}
 */
export function reveal(viewport, box, canvas, margin = 24) {
  const dx = shift(box.x * viewport.scale + viewport.x, box.width * viewport.scale, canvas.width, margin);
  const dy = shift(box.y * viewport.scale + viewport.y, box.height * viewport.scale, canvas.height, margin);
  if (dx === 0 && dy === 0) return viewport;
  return Object.freeze({ x: viewport.x + dx, y: viewport.y + dy, scale: viewport.scale });
}

/**
 * Bring the box on screen, whole where that leaves the scale at `least` or more: seen from farther away where needed, and
 * from so near where all was smaller than that.
 * @param {Viewport} viewport @param {Box} box @param {Size} canvas @param {{margin: number, least: number}} limits
 * @returns {Viewport}
 */
export function revealWhole(viewport, box, canvas, { margin, least }) {
  const most = fit(box, canvas, { margin }).scale;
  const scale = clamp(Math.min(viewport.scale, most), least, MAX_SCALE);
  const factor = scale / viewport.scale;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const nearer = zoomAt(viewport, factor, x * viewport.scale + viewport.x, y * viewport.scale + viewport.y);
  return reveal(factor === 1 ? viewport : nearer, box, canvas, margin);
}

/** Whether the box is on screen as a whole. @param {Viewport} viewport @param {Box} box @param {Size} canvas */
export function isInSight({ x, y, scale }, box, canvas) {
  const [left, top] = [box.x * scale + x, box.y * scale + y];
  const [right, bottom] = [left + box.width * scale, top + box.height * scale];
  return left >= -HAIR && top >= -HAIR && right <= canvas.width + HAIR && bottom <= canvas.height + HAIR;
}

/** @param {number} start @param {number} length @param {number} room @param {number} margin */
function shift(start, length, room, margin) {
  if (start < margin || length > room - 2 * margin) return margin - start;
  return Math.min(0, room - margin - (start + length));
}

/** @param {number} value @param {number} least @param {number} most */
function clamp(value, least, most) {
  return Math.min(most, Math.max(least, value));
}
