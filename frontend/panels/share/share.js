// Handing on what is on the page: its link, to be copied or scanned, and the text that embeds it in another page.
// Fetched when it is first wanted.

import { html, nothing } from "lit";

import { copyText } from "../../browser/copying.js";
import { embedText, linksToNow } from "../../browser/sharing.js";
import { failed, fetched } from "../../requests/request.js";
import { state, t, update } from "../../store.js";
import { Panel } from "../panel.js";
import { styleSheet } from "../parts/style_sheet.js";
import { qrPath } from "../../values/qr.js";
import { qrCode } from "./qr_code.js";

/** @typedef {"link" | "embed"} Kind  of text to copy */

const HERE_ALONE = /^(localhost|127\.|\[::1\])/; // names of a host that no other device reaches it by

export class Share extends Panel {
  #links = { link: "", short: "", embed: "" };
  /** @type {ReturnType<typeof qrPath>} */
  #code = null;
  #said = "";

  render() {
    return html`${this.text("link")}
      ${this.#code ? this.code(this.#code) : nothing}
      ${HERE_ALONE.test(location.hostname) ? html`<p class="note">${t("share.here_alone")}</p>` : nothing}
      ${this.text("embed")}
      ${this.ways()}
      <p class="note" role="status">${this.#said}</p>
      ${this.large()}`;
  }

  /** The other ways to hand on what is on the page, where the bar at the top has no room for them. */
  ways() {
    const download = () => /** @type {HTMLElement | null} */ (document.querySelector("#download-menu"))?.showPopover();
    const print = async () => (await fetched(() => import("../print/print.js")))?.printSheets();
    const acts = { download, print, present: () => update({ present: true }) };
    const closing = (/** @type {() => unknown} */ act) => () => {
      /** @type {HTMLElement | null} */ (this.closest("[popover]"))?.hidePopover();
      act();
    };
    return html`<div class="ways">${Object.entries(acts).map(
      ([name, act]) => html`<button @click=${closing(act)}>${t(`header.${name}`)}</button>`,
    )}</div>`;
  }

  /** A text and the button that copies it. @param {Kind} kind */
  text(kind) {
    const select = (/** @type {Event} */ { target }) => /** @type {HTMLInputElement} */ (target).select();
    const value = kind === "link" ? this.#links.link : this.#links.embed && embedText(this.#links.embed, this.frameTitle());
    return html`<label class="note" for="share-${kind}">${t(`share.about.${kind}`)}</label>
      <div class="row">
        <input id="share-${kind}" readonly .value=${value} @focus=${select}>
        <button class="${kind === "link" ? "primary" : ""} copy" aria-label=${`${t("share.copy")}: ${t(`share.name.${kind}`)}`}
          @click=${() => this.copy(kind)}>${t("share.copy")}</button>
      </div>`;
  }

  /** What the frame is called, for those who do not see it. */
  frameTitle() {
    const { item, language, source } = state.value;
    if (item) return language === "en" ? item.title.en : item.title.zh;
    return source.trim().split("\n")[0];
  }

  /** @param {NonNullable<ReturnType<typeof qrPath>>} code */
  code(code) {
    return html`<div class="qr">${qrCode(code, t("share.qr"))}
      <p class="note">${t("share.scan")} <button class="large" @click=${this.enlarge}>${t("share.enlarge")}</button></p></div>`;
  }

  /** The code as large as the screen, for a projector. */
  large() {
    return html`<dialog class="qr-large" aria-label=${t("share.qr")}>
      ${this.#code ? qrCode(this.#code, t("share.qr")) : nothing}
      <p class="address">${this.#links.short}</p>
      <form method="dialog"><button autofocus>${t("share.close")}</button></form></dialog>`;
  }

  /** Make the links to what is on the page now. */
  async renew() {
    this.#said = "";
    void styleSheet("styles/share.css");
    this.#links = (await linksToNow().catch(failed)) ?? { link: "", short: "", embed: "" };
    this.#code = this.#links.short ? qrPath(this.#links.short) : null;
    this.requestUpdate();
  }

  enlarge() {
    this.querySelector("dialog")?.showModal();
  }

  /** @param {Kind} kind */
  async copy(kind) {
    const field = /** @type {HTMLInputElement} */ (this.querySelector(`#share-${kind}`));
    field.select();
    const isCopied = await copyText(field.value);
    field.select(); // to be copied by hand where the page may not
    this.#said = t(isCopied ? `share.copied.${kind}` : "share.not_copied");
    this.requestUpdate();
  }
}

customElements.define("gl-share", Share);
