// The bar at the top: the name, the examples, the language, the theme.

import { html } from "lit";

import { inLanguage, LANGUAGES } from "../i18n/i18n.js";
import { loadExamples, openExample, speak } from "../requests/session.js";
import { state, t, update } from "../store.js";
import { Panel } from "./panel.js";
import { icons } from "./parts/icons.js";

const SIGN = new URL("../favicon.svg", import.meta.url).href;
const LANGUAGE_NAMES = { en: "EN", "zh-CN": "中文" };

class Header extends Panel {
  render() {
    return html`
      <header class="bar">
        <h1 class="brand"><img src=${SIGN} alt="" width="24" height="24">Gradlens</h1>
        <span class="tagline">${t("header.tagline")}</span>
        <button class="quiet" popovertarget="examples" @click=${loadExamples}>
          ${t("header.examples")} ${icons.down}</button>
        <div id="examples" class="menu" popover aria-label=${t("header.examples")}
          @beforetoggle=${this.place}>${this.examples()}</div>
        <span class="space"></span>
        <div class="segments" role="group" aria-label=${t("header.language")}>
          ${LANGUAGES.map((language) => this.language(language))}</div>
        ${this.theme()}
      </header>`;
  }

  examples() {
    const { examples, language, trouble } = state.value;
    if (!examples) return html`<p class="note">${trouble ? t("header.examples_none") : t("input.working")}</p>`;
    return examples.map(
      (example) => html`
      <button @click=${() => this.open(example.id)}>
        <span>${inLanguage(language, example.title.en, example.title.zh)}</span>
        <small>${inLanguage(language, example.teaches.en, example.teaches.zh)}</small>
      </button>`,
    );
  }

  /** Put the menu under its button: a popover stands in the top layer, outside the bar's flow. */
  place() {
    const button = this.querySelector("[popovertarget]");
    const menu = /** @type {HTMLElement | null} */ (this.querySelector("#examples"));
    if (button && menu) menu.style.setProperty("--menu-start", `${button.getBoundingClientRect().left}px`);
  }

  /** @param {string} id */
  open(id) {
    /** @type {HTMLElement | null} */ (this.querySelector("#examples"))?.hidePopover();
    void openExample(id);
  }

  /** @param {import("../i18n/i18n.js").Language} language */
  language(language) {
    const chosen = language === state.value.language;
    return html`<button lang=${language} aria-pressed=${chosen} @click=${() => speak(language)}>
      ${LANGUAGE_NAMES[language]}</button>`;
  }

  theme() {
    const dark = (state.value.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    const label = t(dark ? "header.theme_light" : "header.theme_dark");
    return html`<button class="quiet square" title=${label} aria-label=${label}
      @click=${() => update({ theme: dark ? "light" : "dark" })}>${icons.theme}</button>`;
  }
}

customElements.define("gl-header", Header);
