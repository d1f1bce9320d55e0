// The borders between the panes, which mouse, touch and arrow keys move, and the graph on the whole screen. Where a border
// was put is kept in this browser.

import { writeSetting } from "../browser/local_storage.js";
import { partOfState, state } from "../store.js";
import { effect } from "@preact/signals-core";

const STEP = 2; // percent for a press of an arrow key
const WORDS = {
  en: { left: "Width of the text", right: "Width of the step", upper: "Height of the text", tools: "Height of the tools" },
  "zh-CN": { left: "文本区宽度", right: "步骤区宽度", upper: "文本区高度", tools: "工具区高度" },
};

/**
 * @typedef {object} Border
 * @property {"left" | "right" | "upper" | "tools"} name
 * @property {() => Element | null} pane   whose size it sets
 * @property {"width" | "height"} size
 * @property {1 | -1} sign                 1: the pane lies before it
 * @property {readonly [number, number]} limits  percent of the window
 */

/** @param {string} selector */
const found = (selector) => () => document.querySelector(selector);

/** @type {readonly Border[]} */
const BORDERS = [
  { name: "left", pane: found("gl-input"), size: "width", sign: 1, limits: [16, 60] },
  { name: "right", pane: found("gl-step"), size: "width", sign: -1, limits: [16, 40] },
  { name: "upper", pane: found("gl-input"), size: "height", sign: 1, limits: [12, 70] },
  { name: "tools", pane: found("gl-dock .dock-body"), size: "height", sign: -1, limits: [8, 70] },
];

/** The setting that holds a border's place: programs have places of their own. @param {Border} border */
function settingOf({ name }) {
  if (name === "right") return "right";
  return name === "tools" ? "dock-height" : `${name}-${document.documentElement.dataset.text}`;
}

/** @param {Border} border */
const roomOf = ({ size }) => (size === "width" ? innerWidth : innerHeight);

/** Where a border stands, in percent of the window. @param {Border} border */
const placeOf = (border) => ((border.pane()?.getBoundingClientRect()[border.size] ?? 0) / roomOf(border)) * 100;

/** @param {Border} border */
function splitter(border) {
  const element = document.createElement("div");
  const { name, size, limits, sign } = border;
  element.className = `splitter ${name}`;
  element.tabIndex = 0;
  const facts = { role: "separator", "aria-orientation": size === "width" ? "vertical" : "horizontal" };
  for (const [key, value] of Object.entries(facts)) element.setAttribute(key, value);
  [element.ariaValueMin, element.ariaValueMax] = limits.map(String);
  element.addEventListener("keydown", pressed);
  element.addEventListener("dblclick", () => put(null));
  element.addEventListener("focus", report);
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
    element.focus();
  });
  element.addEventListener("pointermove", (event) => {
    if (!element.hasPointerCapture(event.pointerId)) return;
    const [at, box] = [size === "width" ? event.clientX : event.clientY, border.pane()?.getBoundingClientRect()];
    if (!box) return;
    const edges = size === "width" ? [box.left, box.right] : [box.top, box.bottom];
    put(((sign > 0 ? at - edges[0] : edges[1] - at) / roomOf(border)) * 100);
  });
  return { element, report };

  /** Say where it stands. */
  function report() {
    element.ariaValueNow = String(Math.round(placeOf(border)));
    element.ariaLabel = WORDS[state.value.language][name];
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const [less, more] = size === "width" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const to = { [less]: placeOf(border) - sign * STEP, [more]: placeOf(border) + sign * STEP, Home: limits[0], End: limits[1] };
    if (event.key !== "Enter" && !(event.key in to)) return;
    event.preventDefault();
    event.stopPropagation();
    put(event.key === "Enter" ? null : to[event.key]);
  }

  /** Put it there; null: where it stands of itself. @param {number | null} percent */
  function put(percent) {
    const setting = settingOf(border);
    const bound = percent === null ? null : Math.min(limits[1], Math.max(limits[0], percent));
    const place = bound === null ? "" : `${bound.toFixed(1)}${size === "width" ? "vw" : "vh"}`;
    document.documentElement.style.setProperty(`--${setting}`, place);
    writeSetting(`gradlens.pane.${setting}`, place);
    report();
  }
}

const splitters = BORDERS.map(splitter);
document.querySelector("main")?.append(...splitters.slice(0, 3).map(({ element }) => element));
document.querySelector("gl-dock")?.before(splitters[3].element);
const look = partOfState("language", "dockOpen", "dock", "program");
effect(() => {
  void look.value;
  requestAnimationFrame(() => splitters.forEach(({ report }) => report()));
});
addEventListener("resize", () => splitters.forEach(({ report }) => report()));

// ---- the whole screen ----

const root = document.documentElement;

/** Show the graph alone, or all again. @param {boolean} on */
export async function fill(on) {
  root.toggleAttribute("data-full", on);
  if (on)
    await root.requestFullscreen?.().catch(() => {}); // a frame may not; the window is filled all the same
  else if (document.fullscreenElement) await document.exitFullscreen();
}

export const fillsScreen = () => root.hasAttribute("data-full");
document.addEventListener("fullscreenchange", () => document.fullscreenElement ?? root.removeAttribute("data-full"));
