// A program that takes a while: how far it is, what it printed so far, and how to stop it.

import { html, nothing } from "lit";

import { askAgain, stopProgram } from "../requests/session.js";
import { state, t, update } from "../store.js";
import { formatNumber } from "../values/format.js";
import { Panel } from "./panel.js";
import { styleSheet } from "./parts/style_sheet.js";

const MOST_LINES = 200; // of what was printed; the last ones

void styleSheet("styles/progress.css");

class Progress extends Panel {
  render() {
    const { progress } = state.value;
    if (!progress) return nothing;
    const { stopped, printed } = progress;
    return html`<section class="progress" aria-label=${t("progress.title")}>
      <div class="row"><h2 role="status">${t(stopped ? "progress.stopped" : "progress.running")}</h2>
        ${stopped ? this.afterwards() : html`<button class="stop" @click=${stopProgram}>${t("progress.stop")}</button>`}</div>
      ${stopped ? nothing : html`<progress aria-label=${t("progress.running")}></progress>`}
      <p class="note">${this.words(progress)}</p>
      ${printed.length === 0 ? nothing : this.output(printed)}
    </section>`;
  }

  afterwards() {
    return html`<span><button @click=${askAgain}>${t("progress.again")}</button>
      <button @click=${() => update({ progress: null })}>${t("progress.close")}</button></span>`;
  }

  /** @param {import("../store.js").Progress} progress */
  words({ line, steps, runs, elapsed_ms: elapsed }) {
    return [
      line === null ? "" : t("progress.line", { line }),
      t("progress.steps", { count: steps }),
      runs > 0 && t("progress.runs", { count: runs }),
      t("progress.seconds", { seconds: formatNumber(Math.round(elapsed / 100) / 10) }),
    ]
      .filter(Boolean)
      .join(" · ");
  }

  /** @param {readonly string[]} printed */
  output(printed) {
    return html`<pre class="printed" tabindex="0" aria-label=${t("output.title")}>${printed.slice(-MOST_LINES).join("\n")}</pre>`;
  }

  /** The last line stays in sight. */
  updated() {
    const lines = this.querySelector("pre");
    lines?.scrollTo(0, lines.scrollHeight);
  }
}

customElements.define("gl-progress", Progress);
