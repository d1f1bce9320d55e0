// The key of a service that asks for one: typed once, when the first question needs it. Fetched then.

import { html, nothing } from "lit";

import { giveKey, needsKey } from "../../api.js";
import { t } from "../../store.js";
import { Panel } from "../panel.js";

class AccessKey extends Panel {
  static properties = { tried: { state: true } };

  constructor() {
    super();
    this.tried = false;
    addEventListener("key-needed", () => this.open());
  }

  firstUpdated() {
    if (needsKey()) this.open();
  }

  open() {
    this.dialog?.showModal();
  }

  get dialog() {
    return /** @type {HTMLDialogElement | null} */ (this.querySelector("dialog"));
  }

  render() {
    return html`<dialog class="access-key" aria-label=${t("key.title")} @cancel=${(/** @type {Event} */ event) => event.preventDefault()}>
      <form method="dialog" @submit=${this.give}>
        <label for="access-key">${t("key.ask")}</label>
        <input id="access-key" type="password" autocomplete="current-password" required>
        ${this.tried ? html`<p class="mistake" role="alert">${t("key.wrong")}</p>` : nothing}
        <button class="primary">${t("key.give")}</button></form></dialog>`;
  }

  give() {
    this.tried = true; // seen only where the dialog comes again
    giveKey(/** @type {HTMLInputElement} */ (this.querySelector("#access-key")).value);
  }
}

customElements.define("gl-access-key", AccessKey);
