// The target over one or two variables: a curve, or a surface seen from above.

import { html } from "lit";
import { t } from "../../store.js";
import { Panel } from "../panel.js";

class Landscape extends Panel {
  render() {
    return html`<p class="note">${t("landscape.empty")}</p>`;
  }
}

customElements.define("gl-landscape", Landscape);
