// What the program printed, and what its last line shows.

import { html, nothing } from "lit";
import { hasResult, state, t } from "../../store.js";
import { formatValue } from "../../values/format.js";
import { Panel } from "../panel.js";

/** @import { Binding } from "../../types.js" */

/** A value as a notebook shows it. @param {Binding} item @returns {string} */
function shown({ kind, value, items, tensor }) {
  if (items) {
    const inner = items.map(shown).join(", ");
    return kind === "tuple" ? `(${inner})` : `[${inner}]`;
  }
  return value === undefined || value === null ? (tensor ?? kind) : formatValue(value);
}

class Output extends Panel {
  render() {
    const { program } = state.value;
    if (!program) return nothing;
    const { printed, result } = program;
    const lines = html`<pre class="printed" tabindex="0" aria-label=${t("output.title")}>${printed.join("\n")}</pre>`;
    return html`
      ${printed.length > 0 ? lines : nothing}
      ${result && hasResult(program) ? html`<p>${t("output.result")} <code>${shown(result)}</code></p>` : nothing}`;
  }
}

customElements.define("gl-output", Output);
