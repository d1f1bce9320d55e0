// The bar at the top: the name, the examples, the language, ways to hand on what is on the page, the theme.

import { html, nothing } from "lit";

import { LANGUAGES } from "../i18n/i18n.js";
import { fetched } from "../requests/request.js";
import { speak } from "../requests/session.js";
import { state, t, update } from "../store.js";
import { beside } from "../values/beside.js";
import { Panel } from "./panel.js";
import { icons } from "./parts/icons.js";
import { chooseFile } from "./parts/open_button.js";

const SIGN = beside("favicon.svg");
const LANGUAGE_NAMES = { en: "EN", "zh-CN": "中文" };

const present = () => update({ present: true });

async function showKeys() {
  (await fetched(() => import("./key_list.js")))?.keyList(state.value.language);
}

async function print() {
  await (await fetched(() => import("./print/print.js")))?.printSheets();
}

class Header extends Panel {
  /** Whether what makes links, and what makes files, has been fetched. */
  #canShare = false;
  #canDownload = false;
  /** Whether what opens classes has been fetched. */
  #canJoin = false;

  render() {
    return html`
      <header class="bar">
        <h1 class="brand"><img src=${SIGN} alt="" width="24" height="24">Gradlens</h1>
        <span class="tagline">${t("header.tagline")}</span>
        ${this.opener("examples")}${this.opener("lessons")}${this.openFile()}
        <span class="space"></span>
        <div class="segments" role="group" aria-label=${t("header.language")}>
          ${LANGUAGES.map((language) => this.language(language))}</div>
        ${this.share()}${this.download()}${this.handingOn("print", print)}${this.handingOn("present", present)}${this.classroom()}${this.theme()}
        <button class="quiet square help" title=${t("header.keys")} aria-label=${t("header.keys")} @click=${showKeys}>?</button>
      </header>
      ${state.value.gallery ? html`<gl-gallery></gl-gallery>` : nothing}`;
  }

  /** A button that opens the gallery, which is fetched when it is first asked for. @param {"examples" | "lessons"} view */
  opener(view) {
    const open = () => {
      update({ gallery: { view, query: "" } });
      void fetched(() => import("./course/gallery.js"));
    };
    return html`<button class="quiet opener ${view}" aria-haspopup="dialog" @click=${open}>${t(`header.${view}`)}</button>`;
  }

  /** A button that asks for a file to open. */
  openFile() {
    return html`<button class="quiet open-file" aria-label=${t("header.open_file")} title=${t("header.open_file.kinds")} @click=${chooseFile}>
      ${icons.folder}<span>${t("header.open_file")}</span></button>`;
  }

  /** @param {import("../i18n/i18n.js").Language} language */
  language(language) {
    const chosen = language === state.value.language;
    return html`<button lang=${language} aria-pressed=${chosen} @click=${() => speak(language)}>
      ${LANGUAGE_NAMES[language]}</button>`;
  }

  /** A button that opens the link to what is on the page. */
  share() {
    return html`<button class="quiet share" popovertarget="share-menu" aria-label=${t("header.share")}>
        ${icons.share}<span>${t("header.share")}</span></button>
      <div id="share-menu" class="menu" role="group" popover aria-label=${t("header.share")} @toggle=${this.renew}>${this.#canShare ? html`<gl-share></gl-share>` : nothing}</div>`;
  }

  /** A button with a menu of the files that there are of what is on the page. */
  download() {
    return html`<button class="quiet download" popovertarget="download-menu" @pointerenter=${this.fetchFiles} @focus=${this.fetchFiles}>
        ${t("header.download")} ${icons.down}</button>
      <div id="download-menu" class="menu" role="group" popover aria-label=${t("header.download")} @beforetoggle=${this.fetchFiles}>
        ${this.#canDownload ? html`<gl-download></gl-download>` : nothing}</div>`;
  }

  async fetchFiles() {
    this.#canDownload ||= (await fetched(() => import("./share/download.js"))) !== null;
    this.requestUpdate();
  }

  /** @param {"print" | "present"} name @param {() => unknown} act */
  handingOn(name, act) {
    return html`<button class="quiet ${name}" @click=${act}>${t(`header.${name}`)}</button>`;
  }

  /** @param {ToggleEvent} event */
  async renew({ newState }) {
    if (newState !== "open" || !(await fetched(() => import("./share/share.js")))) return;
    this.#canShare = true;
    this.requestUpdate();
    await this.updateComplete;
    await /** @type {import("./share/share.js").Share} */ (this.querySelector("gl-share")).renew();
  }

  /** A button to join a class, or to open one. */
  classroom() {
    if (state.value.classroom) return nothing;
    return html`<button class="quiet class" popovertarget="class-menu" aria-label=${t("header.class")}>
        ${icons.people}<span>${t("header.class")}</span></button>
      <div id="class-menu" class="menu" role="group" popover aria-label=${t("header.class")} @toggle=${this.openClass}>${this.#canJoin ? html`<gl-join></gl-join>` : nothing}</div>`;
  }

  /** @param {ToggleEvent} event */
  async openClass({ newState }) {
    const join = newState === "open" && (await fetched(() => import("./classroom/join.js")));
    if (!join) return;
    await join.styled;
    this.#canJoin = true;
    this.requestUpdate();
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector("#class-code"))?.focus();
  }

  theme() {
    const dark = (state.value.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    const label = t(dark ? "header.theme_light" : "header.theme_dark");
    return html`<button class="quiet square" title=${label} aria-label=${label}
      @click=${() => update({ theme: dark ? "light" : "dark" })}>${icons.theme}</button>`;
  }
}

customElements.define("gl-header", Header);
