// The heat strip of a tensor: a row of small cells beneath the value of an item.

import { svg } from "../svg.js";

const ROOM = 30; // px; an ellipse has no more there
const WIDEST = 8;
const HEIGHT = 3.5;
const FOOT = 2.5; // beneath it, to the outline

/**
 * "3×1, from −1 to 2, mean 0.5"; "not finite" besides where that is so.
 * @param {import("../types.js").Strip} strip @param {import("../types.js").Translate} t
 */
export function stripText({ shape, extent, sound }, t) {
  const [min, mean, max] = extent ?? [];
  const says = min && mean && max && t("graph.strip", { min, mean, max });
  return [shape, says, !sound && t("graph.node.unsound")].filter(Boolean).join(", ");
}

/**
 * Bring an item's strip up to date; no cells, no strip.
 * @param {SVGElement} element @param {{width: number, height: number}} item @param {readonly number[]} cells −1 to 1, NaN
 */
export function showStrip(element, { width, height }, cells) {
  const now = element.querySelector(":scope > .strip");
  const said = cells.map((cell) => cell.toFixed(2)).join(" ");
  if ((now?.getAttribute("data-cells") ?? "") === said) return;
  now?.remove();
  if (cells.length === 0) return;
  const each = Math.min(WIDEST, ROOM / cells.length);
  const left = width / 2 - (cells.length * each) / 2;
  const rects = cells.map((cell, i) => {
    const kind = Number.isNaN(cell) ? "bad" : cell < 0 ? "minus" : "plus";
    const strength = Number.isNaN(cell) ? 1 : Math.abs(cell);
    const place = { x: left + i * each, y: height - HEIGHT - FOOT, width: each, height: HEIGHT };
    return svg("rect", { class: kind, ...place, "fill-opacity": strength.toFixed(2) });
  });
  element.append(svg("g", { class: "strip", "aria-hidden": "true", "data-cells": said }, rects));
}
