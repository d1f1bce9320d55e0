// Optimizers, rates and starts side by side: how their losses fall, and how each of them ends.

import { html } from "lit";
import { t } from "../../store.js";
import { Panel } from "../panel.js";

class Race extends Panel {
  render() {
    return html`<p class="note">${t("race.empty")}</p>`;
  }
}

customElements.define("gl-race", Race);
