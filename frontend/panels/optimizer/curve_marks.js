// What is drawn on the loss curve besides its line: the row that is shown, and where the loss ceases to be a number.

import { endOfNumbers } from "../../runs/losses.js";
import { state } from "../../store.js";

/** @typedef {import("uplot")} Plot */
/** @typedef {(name: string) => string} Colour a colour of the page's theme as a canvas takes it */

export const FONT_PX = 12;
export const FONT = "system-ui, sans-serif";
const GAP_PX = 5; // between the line at the end and its words

/** The point of the row that is shown. @param {Colour} colour */
export const rowMark = (colour) => (/** @type {Plot} */ plot) => {
  const { row } = state.value;
  const loss = plot.data[1][row];
  if (typeof loss !== "number") return;
  const { ctx } = plot;
  const radius = 4.5 * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.arc(plot.valToPos(plot.data[0][row], "x", true), plot.valToPos(loss, "y", true), radius, 0, 2 * Math.PI);
  ctx.fillStyle = colour("--update");
  ctx.strokeStyle = colour("--surface");
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.fill();
  ctx.stroke();
  ctx.restore();
};

/** An upright line with "NaN" beside it, at the first step shown whose loss is no finite number. @param {Colour} colour */
export const endMark = (colour) => (/** @type {Plot} */ plot) => {
  const end = endOfNumbers(state.value.run?.loss.slice(0, plot.data[0].length) ?? []);
  if (!end) return;
  const { ctx, bbox } = plot;
  const x = plot.valToPos(plot.data[0][end.row], "x", true);
  const onLeft = x > bbox.left + 0.8 * bbox.width;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour("--error");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.font = `600 ${FONT_PX * devicePixelRatio}px ${FONT}`;
  ctx.textBaseline = "top";
  ctx.textAlign = onLeft ? "right" : "left";
  ctx.fillText(end.text, x + (onLeft ? -GAP_PX : GAP_PX) * devicePixelRatio, bbox.top);
  ctx.restore();
};
