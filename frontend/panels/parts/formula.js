// One formula, typeset by KaTeX; its LaTeX stands in until KaTeX has arrived.

import { LitElement } from "lit";

import { nextTurn } from "../../scheduling/scheduler.js";
import { breakable, rowsOf } from "../../values/latex.js";
import { lazy } from "../../values/lazy.js";
import { styleSheet } from "./style_sheet.js";

const TALL = /\\(frac|sum|prod|int|begin)\b/; // set in two storeys
const SMALLEST_PX = 11;

/** KaTeX, fetched with its style sheet when the first formula needs them. */
const katex = lazy(async () => {
  void styleSheet("vendor/katex.css");
  const module = await import("katex");
  await nextTurn();
  return module.default;
});

class Formula extends LitElement {
  static properties = { latex: { type: String } };

  #width = 0; // that it was set for
  #watch = new ResizeObserver(() => {
    if (this.clientWidth !== this.#width) void this.typeset();
  });

  constructor() {
    super();
    this.latex = "";
  }

  connectedCallback() {
    super.connectedCallback();
    this.#watch.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#watch.disconnect();
  }

  createRenderRoot() {
    return this;
  }

  updated() {
    this.classList.toggle("tall", TALL.test(this.latex)); // its room, before it is typeset
    if (!this.firstChild) this.textContent = this.latex;
    void this.typeset();
  }

  /** Each row in one line where there is room, else broken at its operators; once more with the fonts that come later. */
  async typeset() {
    const { latex } = this;
    const { render } = await katex();
    if (latex !== this.latex) return;
    const set = (/** @type {string} */ row, /** @type {HTMLElement} */ host, /** @type {boolean} */ displayMode) =>
      render(displayMode ? row : `\\displaystyle ${row}`, host, {
        throwOnError: false,
        trust: false,
        strict: "ignore",
        displayMode,
        fleqn: true,
      });
    this.#width = this.clientWidth;
    this.style.fontSize = "";
    set(latex, this, true);
    if (this.isCut()) this.breakRows((row, host) => set(row, host, false));
    if (this.isCut()) this.shrink();
    if (document.fonts.status === "loading") void document.fonts.ready.then(() => this.typesetIfCut());
  }

  /** A font that comes late is wider than the one that stood in for it. */
  typesetIfCut() {
    if (this.isCut()) void this.typeset();
  }

  /** Aligned equations one below the other, each broken where it is too long. @param {(row: string, host: HTMLElement) => void} set */
  breakRows(set) {
    const rows = rowsOf(this.latex).map((row) => {
      const host = document.createElement("div");
      host.className = "row-of-formula";
      set(breakable(row), host);
      return host;
    });
    this.replaceChildren(...rows);
  }

  isCut() {
    return this.scrollWidth > this.clientWidth;
  }

  /** Smaller, while it can be read; one scrolls to the rest. */
  shrink() {
    const size = (parseFloat(getComputedStyle(this).fontSize) * this.clientWidth) / this.scrollWidth;
    this.style.fontSize = `${Math.max(SMALLEST_PX, size)}px`;
  }
}

customElements.define("gl-formula", Formula);
