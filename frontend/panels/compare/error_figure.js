// The figure of error against δ: the plot, and what it shows in words.

import { html } from "lit";

import { chooseInComparison } from "../../requests/docks/compare.js";
import { powerOf } from "../../comparing/sweeps.js";
import { state, t } from "../../store.js";
import { Panel } from "../panel.js";

class ErrorFigure extends Panel {
  /** @type {import("uplot") | null} */
  #plot = null;
  /** @type {unknown[]} what is plotted, and what its colours depend on */
  #drawn = [];

  render() {
    const verdict = state.value.comparison?.answer?.verdict;
    const words = verdict ? verdict[state.value.language === "en" ? "en" : "zh"] : "";
    return html`<figure class="curve errors"><figcaption>${t("compare.plot")}</figcaption>
      <div class="plot" role="img" aria-label=${`${t("compare.plot")} ${words}`}></div></figure>`;
  }

  updated() {
    const { comparison, theme } = state.value;
    const wanted = [comparison?.answer?.numeric, theme, matchMedia("(prefers-color-scheme: dark)").matches];
    if (wanted.every((value, index) => value === this.#drawn[index])) return this.#plot?.redraw(false);
    this.#drawn = wanted;
    this.clear();
    return void this.draw();
  }

  async draw() {
    const { createErrorPlot, styles } = await import("./error_plot.js");
    await styles;
    const numeric = state.value.comparison?.answer?.numeric;
    const host = /** @type {HTMLElement | null} */ (this.querySelector(".plot"));
    if (!numeric || !host || this.#plot) return;
    this.#plot = createErrorPlot(host, numeric, (delta) => chooseInComparison({ power: powerOf(delta) }));
    this.#sizes.observe(host);
  }

  clear() {
    this.#sizes.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.clear();
    this.#drawn = [];
  }

  /** @type {ResizeObserver} a plot keeps the size of its place */
  #sizes = new ResizeObserver(([{ contentRect }]) => {
    const { width, height } = contentRect;
    const plot = this.#plot;
    if (plot && (plot.width !== width || plot.height !== height)) plot.setSize({ width, height });
  });
}

customElements.define("gl-error-figure", ErrorFigure);
