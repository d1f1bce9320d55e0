// Paints a chart's shapes on a canvas, as sharp as the screen is.

import { FONT_PX } from "../../charts/frame.js";

/** @import { Mark } from "../../charts/frame.js" */
/** @import { Colour } from "../../charts/svg.js" */

const FONT = `${FONT_PX}px system-ui, sans-serif`;

/** The colours of the page's theme as a canvas takes them. @param {HTMLElement} host @returns {Colour} */
export function coloursOf(host) {
  /** @type {Map<string, string>} */
  const known = new Map();
  return (name) => {
    if (!name.startsWith("--")) return name;
    if (!known.has(name)) known.set(name, resolved(host, name));
    return known.get(name) ?? name;
  };
}

/** @param {HTMLElement} host @param {string} name */
function resolved(host, name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** @param {HTMLCanvasElement} canvas @param {{width: number, height: number}} size @param {readonly Mark[]} marks @param {Colour} colour */
export function paint(canvas, { width, height }, marks, colour) {
  const [wide, high] = [width, height].map((length) => Math.round(length * devicePixelRatio));
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.clearRect(0, 0, width, height);
  for (const mark of marks) PAINTERS[mark.kind](context, /** @type {never} */ (mark), colour);
}

const PAINTERS = { path, text, quads, clipped };

/** @param {CanvasRenderingContext2D} context @param {import("../../charts/frame.js").PathMark} mark @param {Colour} colour */
function path(context, { d, fill, stroke, width = 1, dash = [], opacity = 1 }, colour) {
  const shape = new Path2D(d);
  context.globalAlpha = opacity;
  if (fill) {
    context.fillStyle = colour(fill);
    context.fill(shape, "evenodd");
  }
  if (stroke) {
    context.strokeStyle = colour(stroke);
    context.lineWidth = width;
    context.lineJoin = "round";
    context.setLineDash([...dash]);
    context.stroke(shape);
  }
  context.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} context @param {import("../../charts/frame.js").TextMark} mark @param {Colour} colour */
function text(context, { x, y, text: words, fill, align = "start", weight = 400, halo }, colour) {
  context.font = `${weight} ${FONT}`;
  context.textAlign = align === "middle" ? "center" : align;
  if (halo) {
    context.strokeStyle = colour("--surface");
    context.lineWidth = 3;
    context.setLineDash([]);
    context.strokeText(words, x, y);
  }
  context.fillStyle = colour(fill);
  context.fillText(words, x, y);
}

/** @param {CanvasRenderingContext2D} context @param {import("../../charts/frame.js").QuadsMark} mark */
function quads(context, { quads: all }) {
  context.lineWidth = 0.75;
  context.setLineDash([]);
  for (const { points, fill } of all) {
    context.beginPath();
    for (let k = 0; k < points.length; k += 2) context.lineTo(points[k], points[k + 1]);
    context.closePath();
    context.fillStyle = context.strokeStyle = fill;
    context.fill();
    context.stroke();
  }
}

/** @param {CanvasRenderingContext2D} context @param {import("../../charts/frame.js").ClippedMark} mark @param {Colour} colour */
function clipped(context, { frame: { left, top, width, height }, marks }, colour) {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  for (const mark of marks) path(context, mark, colour);
  context.restore();
}
