// "Write as": the same computation as mathematics or for another framework, in place of the text, copied or saved.

import { html, nothing } from "lit";

import { fetched } from "../../requests/request.js";
import { t } from "../../store.js";
import { Panel } from "../panel.js";
import { icons } from "../parts/icons.js";

class Writing extends Panel {
  /** Whether what the menu holds is there. */
  #come = false;

  render() {
    return html`
      <button class="quiet" popovertarget="writing" @pointerenter=${this.fetch} @focus=${this.fetch}>
        ${t("writing.title")} ${icons.down}</button>
      <div id="writing" class="menu" role="group" popover aria-label=${t("writing.title")} @beforetoggle=${this.opened}>
        ${this.#come ? html`<gl-writing-menu></gl-writing-menu>` : nothing}
      </div>`;
  }

  async fetch() {
    this.#come ||= (await fetched(() => import("./writing_menu.js"))) !== null;
    this.requestUpdate();
  }

  /** Put the menu under its button: a popover stands in the top layer, outside the row's flow. */
  opened() {
    void this.fetch();
    const inside = /** @type {import("./writing_menu.js").WritingMenu | null} */ (this.querySelector("gl-writing-menu"));
    inside?.show(null);
    const button = this.querySelector("[popovertarget]")?.getBoundingClientRect();
    const around = /** @type {HTMLElement | null} */ (this.querySelector("#writing"));
    if (!button || !around) return;
    around.style.setProperty("--menu-top", `${button.bottom + 4}px`);
    around.style.setProperty("--menu-start", `${Math.max(12, Math.min(button.left, innerWidth - 372))}px`);
  }
}

customElements.define("gl-writing", Writing);
