// The loss curve, in words for those who do not see it.

import { html } from "lit";
import { docked, state, t, update } from "../../store.js";
import { formatValue } from "../../values/format.js";
import { Panel } from "../panel.js";

/** @import { Run } from "../../types.js" */
/** @typedef {import("uplot")} Plot */

class Curve extends Panel {
  /** @type {Plot | null} */
  #plot = null;
  /** @type {unknown[]} what is plotted */
  #drawn = [];
  /** @type {unknown[]} what its colours depend on */
  #look = [];

  render() {
    const { run } = state.value;
    return html`<figure class="curve">
      <figcaption>${t("optimizer.curve")}${
        run ? html` <button class="link" @click=${() => update(docked(state.value, "curves"))}>${t("curves.open")}</button>` : ""
      }</figcaption>
      <div class="plot" role="img" aria-label=${run ? this.words(run) : t("optimizer.curve_empty")}></div>
      ${run ? "" : html`<p class="note" aria-hidden="true">${t("optimizer.curve_empty")}</p>`}
    </figure>`;
  }

  /** @param {Run} run */
  words(run) {
    const { row, furthest } = state.value;
    const loss = (/** @type {number} */ k) => formatValue(run.loss[k]);
    return t("optimizer.curve_says", {
      first: loss(0),
      last: loss(furthest),
      count: furthest,
      row,
      here: loss(row),
    });
  }

  updated() {
    const { run, furthest, theme } = state.value;
    if (!run) return this.clear();
    const look = [theme, matchMedia("(prefers-color-scheme: dark)").matches];
    if (look.some((value, index) => value !== this.#look[index])) this.clear();
    this.#look = look;
    const wanted = [run, furthest];
    if (wanted.every((value, index) => value === this.#drawn[index])) return this.#plot?.redraw(false);
    this.#drawn = wanted;
    return void this.draw();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.clear();
  }

  clear() {
    this.#sizes.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
    this.#drawn = [];
  }

  /** The rows that were shown so far; those computed ahead stay a surprise. */
  async draw() {
    const { createPlot, dataOf, styles } = await import("./plot.js");
    await styles;
    const { run, furthest } = state.value;
    const host = /** @type {HTMLElement | null} */ (this.querySelector(".plot"));
    if (!run || !host) return;
    const data = dataOf(run, furthest);
    if (this.#plot) return this.#plot.setData(data);
    this.#plot = createPlot(host, data);
    this.#sizes.observe(host);
  }

  /** @type {ResizeObserver} a plot keeps the size of its place */
  #sizes = new ResizeObserver(
    ([
      {
        contentRect: { width, height },
      },
    ]) => {
      const plot = this.#plot;
      if (plot && (plot.width !== width || plot.height !== height)) plot.setSize({ width, height });
    },
  );
}

customElements.define("gl-curve", Curve);
