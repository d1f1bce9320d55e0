// A button that opens what is known of an op, from wherever one is named.

import { html } from "lit";
import { docked, state, t, update } from "../../store.js";

/** Open an op among the tools; on a small screen they come into sight. @param {string} name */
export const openOp = (name) => update({ ...docked(state.value, "ops"), op: { name, query: state.value.op.query }, tab: "dock" });

/** @param {string} name */
export const opButton = (name) =>
  html`<button class="link" title=${t("ops.what_is", { name })} aria-label=${t("ops.what_is", { name })} @click=${() => openOp(name)}><code>${name}</code></button>`;
