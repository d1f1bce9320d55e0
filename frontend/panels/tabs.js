// On a small screen one part of the page shows at a time; these tabs choose it.

import { html } from "lit";

import { state, t, update } from "../store.js";
import { Panel } from "./panel.js";

const TABS = /** @type {const} */ (["input", "graph", "step", "dock"]);

class Tabs extends Panel {
  render() {
    return html`<nav class="tabs" aria-label=${t("tabs.name")}>${TABS.map(
      (tab) => html`
      <button aria-pressed=${tab === state.value.tab} @click=${() => update({ tab })}>${t(`tabs.${tab}`)}</button>`,
    )}
    </nav>`;
  }
}

customElements.define("gl-tabs", Tabs);
