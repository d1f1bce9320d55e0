// The picture of a landscape: two canvases, one of which is painted anew as the point moves; pointer and keys move the point.

import { html } from "lit";
import { isInside, numbersAt } from "../../charts/frame.js";
import { svgOf } from "../../charts/svg.js";
import { setVariable } from "../../requests/session.js";
import { reset } from "../../requests/run.js";
import { nameOf, zoomed } from "../../state/landscape.js";
import { state, t, update } from "../../store.js";
import { coloursOf, paint } from "../../view/charts/painter.js";
import { Panel } from "../panel.js";
import { styleSheet } from "../parts/style_sheet.js";
import { frameOf, isSeenFromSide, movingMarks, presentPoint, stillMarks } from "./picture.js";

const STEPS = 50; // of an arrow key, from one end to the other
const KEYS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowDown: [0, -1],
  ArrowUp: [0, 1],
});
const DEGREES_PER_PX = 0.5;

/** @typedef {{x: number, y: number, around: number, above: number}} Hold */

class Plane extends Panel {
  #isStyled = false; // only then the page has the colours of what is drawn
  /** @type {unknown[]} what the still canvas shows */
  #still = [];
  #size = { width: 0, height: 0 };
  /** @type {Hold | null} */
  #hold = null;
  #sizes = new ResizeObserver(([{ contentRect }]) => {
    this.#size = { width: contentRect.width, height: contentRect.height };
    this.requestUpdate();
  });

  render() {
    return html`<div class="landscape-plane" tabindex="0" role="application" aria-label=${t("landscape.picture")} aria-describedby="landscape-says landscape-keys"
      @pointerdown=${this.held} @pointermove=${this.dragged} @pointerup=${this.released} @pointercancel=${this.released}
      @wheel=${this.wheeled} @keydown=${this.pressed}>
      <canvas class="still" aria-hidden="true"></canvas><canvas class="moving" aria-hidden="true"></canvas></div>`;
  }

  async firstUpdated() {
    this.#sizes.observe(/** @type {Element} */ (this.querySelector(".landscape-plane")));
    await styleSheet("styles/charts.css");
    this.#isStyled = true;
    this.requestUpdate();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#sizes.disconnect();
  }

  get #shown() {
    const { grid, answer } = state.value.landscapeFound ?? {};
    return this.#isStyled && grid && answer && this.#size.width > 0 ? { grid, answer } : null;
  }

  updated() {
    const shown = this.#shown;
    const [still, moving] = this.querySelectorAll("canvas");
    if (!shown) return;
    const { theme, language, landscape } = state.value;
    const isDark =
      getComputedStyle(this).colorScheme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    const colours = coloursOf(this);
    const look = [
      shown.grid,
      this.#size,
      theme,
      isDark,
      language,
      landscape.isSurface,
      landscape.around,
      landscape.above,
      landscape.hasArrows,
    ];
    if (look.some((each, k) => each !== this.#still[k])) {
      this.#still = look;
      paint(still, this.#size, stillMarks(shown.grid, shown.answer, this.#size, isDark), colours);
    }
    paint(moving, this.#size, movingMarks(shown.grid, shown.answer, this.#size), colours);
  }

  /** The picture as a file. */
  svg() {
    const shown = this.#shown;
    if (!shown) return "";
    const isDark = Boolean(this.#still[3]);
    const marks = [
      ...stillMarks(shown.grid, shown.answer, this.#size, isDark),
      ...movingMarks(shown.grid, shown.answer, this.#size),
    ];
    return svgOf(marks, this.#size, coloursOf(this), t("landscape.picture"));
  }

  /** @param {PointerEvent} event */
  held(event) {
    const shown = this.#shown;
    if (!shown || event.button !== 0) return;
    const { around, above } = state.value.landscape;
    this.#hold = { x: event.clientX, y: event.clientY, around, above };
    /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    if (!isSeenFromSide(shown.grid)) this.movePoint(event);
  }

  /** @param {PointerEvent} event */
  dragged(event) {
    const [shown, hold] = [this.#shown, this.#hold];
    if (!shown || !hold) return;
    if (!isSeenFromSide(shown.grid)) return this.movePoint(event);
    const around = hold.around + (event.clientX - hold.x) * DEGREES_PER_PX;
    this.turnTo(around, hold.above + (event.clientY - hold.y) * DEGREES_PER_PX);
  }

  released() {
    this.#hold = null;
  }

  /** @param {number} around @param {number} above */
  turnTo(around, above) {
    update({
      landscape: {
        ...state.value.landscape,
        around: Math.round(around) % 360,
        above: Math.min(85, Math.max(5, Math.round(above))),
      },
    });
  }

  /** Give the variables the values that are under the pointer. @param {PointerEvent} event */
  movePoint({ clientX, clientY }) {
    const shown = this.#shown;
    const canvas = this.querySelector("canvas");
    if (!shown || !canvas || !isMovable()) return;
    const { left, top } = canvas.getBoundingClientRect();
    const frame = frameOf(shown.grid, this.#size);
    const [px, py] = [clientX - left, clientY - top];
    if (!isInside(frame, px, py) && presentPoint() === null) return;
    moveTo(numbersAt(frame, px, py));
  }

  /** @param {WheelEvent} event */
  wheeled(event) {
    const { landscape } = state.value;
    event.preventDefault();
    if (landscape.axes)
      update({
        landscape: { ...landscape, axes: landscape.axes.map((axis) => zoomed(axis, event.deltaY > 0 ? 1.15 : 1 / 1.15)) },
      });
  }

  /** Arrow keys move the point, or the surface; + and − zoom. @param {KeyboardEvent} event */
  pressed(event) {
    const [shown, way] = [this.#shown, KEYS[event.key]];
    const { landscape } = state.value;
    if (!shown || event.ctrlKey || event.metaKey || event.altKey) return;
    if (["+", "=", "-"].includes(event.key) && landscape.axes) {
      event.preventDefault();
      update({ landscape: { ...landscape, axes: landscape.axes.map((axis) => zoomed(axis, event.key === "-" ? 1.25 : 0.8)) } });
    }
    if (!way) return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere they go from step to step
    if (isSeenFromSide(shown.grid)) return this.turnTo(landscape.around + 5 * way[0], landscape.above + 5 * way[1]);
    const point = presentPoint();
    if (!point || !isMovable()) return;
    const fine = event.shiftKey ? 10 : 1;
    moveTo(
      point.map(
        (value, k) => value + (way[k] * ((landscape.axes?.[k].to ?? 0) - (landscape.axes?.[k].from ?? 0))) / STEPS / fine,
      ),
    );
  }
}

/** Whether the variables of the axes have sliders. */
export const isMovable = () =>
  state.value.program?.dialect === "math" && (state.value.landscape.axes ?? []).every(({ direction }) => direction === null);

/** Give the variables of the axes values, each as a slider does; a run begins anew from there. @param {readonly number[]} point */
export function moveTo(point) {
  const { landscape, run } = state.value;
  if (!isMovable()) return;
  if (run) reset();
  const axes = landscape.axes ?? [];
  const values = axes.map(({ from, to }, k) =>
    round(Math.min(Math.max(point[k], Math.min(from, to)), Math.max(from, to)), to - from),
  );
  const [first, ...others] = axes.map((axis, k) => /** @type {const} */ ([nameOf(axis), values[k]]));
  if (others.length > 0) update({ at: { ...state.value.at, ...Object.fromEntries(others) } });
  setVariable(...first);
}

/** As many digits as can be seen. @param {number} value @param {number} span */
const round = (value, span) => Number(value.toFixed(Math.max(0, 3 - Math.floor(Math.log10(Math.abs(span) || 1)))));

customElements.define("gl-plane", Plane);
export { Plane };
