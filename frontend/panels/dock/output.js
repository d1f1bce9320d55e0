// What the program printed, the figures that it drew where it showed them, and what its last line shows.

import { html, nothing } from "lit";
import { fetched } from "../../requests/request.js";
import { hasResult, state, t } from "../../store.js";
import { formatValue } from "../../values/format.js";
import { stretchesOf } from "../../values/printed.js";
import { Panel } from "../panel.js";

/** @import { Binding, Program } from "../../types.js" */

/** A value as a notebook shows it. @param {Binding} item @returns {string} */
function shown({ kind, value, items, tensor }) {
  if (items) {
    const inner = items.map(shown).join(", ");
    return kind === "tuple" ? `(${inner})` : `[${inner}]`;
  }
  return value === undefined || value === null ? (tensor ?? kind) : formatValue(value);
}

/** @param {import("../../values/printed.js").Stretch} stretch */
const stretch = ({ aligned, text }) => html`<span class=${aligned ? "aligned" : ""}>${text}</span>`;

/** Printed lines and figures in their order. @param {Program} program */
function parts({ printed, figures = [] }) {
  if (figures.length > 0) void fetched(() => import("./figure.js"));
  const ends = [...figures.map(({ after }) => after), printed.length];
  return ends.map((end, place) => {
    const lines = printed.slice(place > 0 ? ends[place - 1] : 0, end);
    const text = html`<pre class="printed" tabindex="0" aria-label=${t("output.title")}>${stretchesOf(lines).map(stretch)}</pre>`;
    const figure = figures[place];
    return html`${lines.length > 0 ? text : nothing}${figure ? html`<gl-figure .figure=${figure}></gl-figure>` : nothing}`;
  });
}

class Output extends Panel {
  render() {
    const { program } = state.value;
    if (!program) return nothing;
    const { result } = program;
    return html`
      ${parts(program)}
      ${result && hasResult(program) ? html`<p>${t("output.result")} <code>${shown(result)}</code></p>` : nothing}`;
  }
}

customElements.define("gl-output", Output);
