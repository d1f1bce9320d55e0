// One formula, typeset by KaTeX; its LaTeX stands in until KaTeX has arrived.

import { LitElement } from "lit";

/** @type {Promise<typeof import("katex").default> | null} */
let loading = null;

/** KaTeX and its style sheet, fetched when the first formula needs them. */
function katex() {
  loading ??= import("katex").then((module) => module.default);
  return loading;
}

function loadStyles() {
  if (document.querySelector("link[data-katex]")) return;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "vendor/katex.css" });
  link.dataset.katex = "";
  document.head.append(link);
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
    if (!this.firstChild) this.textContent = latex;
    loadStyles();
    void katex().then(({ render }) => {
      if (latex === this.latex)
        render(latex, this, {
          throwOnError: false,
          trust: false,
          strict: "ignore",
          displayMode: true,
          fleqn: true,
        });
    });
  }
}

customElements.define("gl-formula", Formula);
