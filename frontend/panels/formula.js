// One formula, typeset by KaTeX; its LaTeX stands in until KaTeX has arrived.

import { LitElement } from "lit";

import { nextTurn } from "../pace.js";
import { styleSheet } from "./style_sheet.js";

const TALL = /\\(frac|sum|prod|int|begin)\b/; // set in two storeys
const SMALLEST_PX = 11;

/** @type {Promise<typeof import("katex").default> | null} */
let loading = null;

/** KaTeX, fetched with its style sheet when the first formula needs them. */
function katex() {
  void styleSheet("vendor/katex.css");
  loading ??= import("katex").then(async (module) => {
    await nextTurn();
    return module.default;
  });
  return loading;
}

class Formula extends LitElement {
  static properties = { latex: { type: String } };

  constructor() {
    super();
    this.latex = "";
  }

  createRenderRoot() {
    return this;
  }

  updated() {
    const { latex } = this;
    this.classList.toggle("tall", TALL.test(latex)); // its room, before it is typeset
    if (!this.firstChild) this.textContent = latex;
    void katex().then(({ render }) => {
      if (latex !== this.latex) return;
      const set = (/** @type {boolean} */ displayMode) =>
        render(displayMode ? latex : `\\displaystyle ${latex}`, this, { throwOnError: false, trust: false, strict: "ignore", displayMode, fleqn: true });
      this.style.fontSize = "";
      set(true);
      if (this.isCut()) set(false); // broken at its operators
      if (this.isCut()) this.shrink();
    });
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
