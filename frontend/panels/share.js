// The link to what is on the page, to be copied and handed on. Fetched when it is first wanted.

import { html } from "lit";

import { linkToNow } from "../browser/sharing.js";
import { failed } from "../requests/request.js";
import { t } from "../store.js";
import { Panel } from "./panel.js";

export class Share extends Panel {
  #link = "";
  #copied = false;

  render() {
    return html`<label class="note" for="share-link">${t("share.about")}</label>
      <div class="row">
        <input id="share-link" readonly .value=${this.#link} @focus=${(/** @type {Event} */ { target }) => /** @type {HTMLInputElement} */ (target).select()}>
        <button class="primary" @click=${this.copy}>${t("share.copy")}</button>
      </div>
      <p class="note" role="status">${this.#copied ? t("share.copied") : ""}</p>`;
  }

  /** Make the link to what is on the page now. */
  async renew() {
    this.#copied = false;
    this.#link = (await linkToNow().catch(failed)) ?? "";
    this.requestUpdate();
  }

  async copy() {
    const field = /** @type {HTMLInputElement} */ (this.querySelector("input"));
    field.select();
    await navigator.clipboard.writeText(this.#link).catch(() => document.execCommand("copy")); // no clipboard without https
    this.#copied = true;
    this.requestUpdate();
  }
}

customElements.define("gl-share", Share);
