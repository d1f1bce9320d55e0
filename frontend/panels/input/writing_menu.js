// What "Write as" opens: each language with what can be done with the text in it. It is fetched when it is first wanted.

import { html, nothing } from "lit";

import { ApiError } from "../../api.js";
import { copyText } from "../../browser/copying.js";
import { saveText } from "../../browser/saving.js";
import { inLanguage } from "../../i18n/i18n.js";
import { writtenAs } from "../../requests/code.js";
import { replaceText } from "../../requests/session.js";
import { state, t } from "../../store.js";
import { Panel } from "../panel.js";
import { withCode } from "../parts/code.js";

/** The languages, whether the page reads them itself, and what a file of theirs is called. */
export const LANGUAGES = /** @type {const} */ ([
  ["math", true, "formula.txt"],
  ["latex", true, "formula.tex"],
  ["tf1", true, "program_tf1.py"],
  ["tf2", true, "program_tf2.py"],
  ["numpy", false, "program_numpy.py"],
  ["torch", false, "program_torch.py"],
  ["jax", false, "program_jax.py"],
  ["generated", false, "how_it_runs.py"],
]);

/** @typedef {typeof LANGUAGES[number][0]} Language */
/** @typedef {Pick<import("../../store.js").State, "source" | "dialect" | "at" | "wrt">} Text */
/** @typedef {{text: string, hint?: string, trouble?: boolean, undo?: () => void, source?: string}} Notice  source: to be read here */

export class WritingMenu extends Panel {
  /** @type {Notice | null} */
  #notice = null;
  /** The press before. @type {Promise<void>} */
  #before = Promise.resolve();

  render() {
    return html`
      <ul>${LANGUAGES.map(([name, isRead, file]) => this.language(name, isRead, file))}</ul>
      <div role="status">${this.#notice ? this.noticeText(this.#notice) : nothing}</div>
      ${this.#notice?.source ? html`<pre tabindex="0" aria-label=${this.#notice.text}>${this.#notice.source}</pre>` : nothing}`;
  }

  /** @param {Language} name @param {boolean} isRead @param {string} file */
  language(name, isRead, file) {
    const title = t(`dialect.${name}`);
    const label = (/** @type {string} */ key) => `${t(key)}: ${title}`;
    return html`<li class="row">
      ${
        isRead
          ? html`<button class="choice" title=${t("writing.replace")} @click=${() => this.replace(name)}>${title}</button>`
          : html`<button class="choice" title=${t("writing.show")} @click=${() => this.read(name)}>${title}</button>`
      }
      <button aria-label=${label("writing.copy")} @click=${() => this.copy(name)}>${t("writing.copy")}</button>
      <button aria-label=${label("writing.save")} @click=${() => this.save(name, file)}>${t("writing.save")}</button>
    </li>`;
  }

  /** @param {Notice} notice */
  noticeText({ text, hint, trouble, undo }) {
    return html`<p class="note ${trouble ? "trouble" : ""}">${withCode(text)}
      ${hint ? html`<br>${withCode(hint)}` : nothing}
      ${undo ? html` <button class="link" @click=${undo}>${t("writing.undo")}</button>` : nothing}</p>`;
  }

  /** @param {Notice | null} notice */
  show(notice) {
    this.#notice = notice;
    this.requestUpdate();
  }

  /**
   * Do what was pressed once all that was pressed before is done: of two copies the second stays.
   * @param {Language} name @param {(source: string, before: Text) => unknown} use
   */
  with(name, use) {
    this.show({ text: t("input.working") });
    const next = () => this.now(name, use);
    return (this.#before = this.#before.then(next, next));
  }

  /**
   * Fetch the text in a language and use it; what stands in the way is shown in the menu.
   * @param {Language} name @param {(source: string, before: Text) => unknown} use
   */
  async now(name, use) {
    const { source, dialect, at, wrt } = state.value;
    try {
      await use(await writtenAs(name), { source, dialect, at, wrt });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { problem } = error;
      const { language } = state.value;
      const text = problem ? inLanguage(language, problem.detail ?? "", problem.message_zh) : t("input.offline");
      this.show({ text, hint: inLanguage(language, problem?.hint ?? "", problem?.hint_zh), trouble: true });
    }
  }

  /** @param {Language} name */
  replace(name) {
    return this.with(name, (source, before) => {
      if (state.value.source !== before.source) return this.show(null); // what was typed meanwhile stays
      replaceText({ ...state.value, source: source.trimEnd(), dialect: "auto" });
      const undo = () => {
        replaceText(before);
        this.show({ text: t("writing.undone") });
      };
      return this.show({ text: t("writing.replaced", { language: t(`dialect.${name}`) }), undo });
    });
  }

  /** Show what the page does not read itself. @param {Language} name */
  read(name) {
    return this.with(name, (source) => this.show({ text: t("writing.shown", { language: t(`dialect.${name}`) }), source }));
  }

  /** @param {Language} name */
  copy(name) {
    /** @type {(text: string | null) => void} */
    let come = () => {};
    const copying = copyText(new Promise((done) => (come = done)));
    const copied = this.with(name, async (source) => {
      come(source);
      const done = await copying;
      this.show({ text: t(done ? "writing.copied" : "writing.not_copied"), trouble: !done });
    });
    return copied.finally(() => come(null));
  }

  /** @param {Language} name @param {string} file */
  save(name, file) {
    return this.with(name, (source) => {
      saveText(source, file, "text/plain");
      this.show({ text: t("writing.saved", { file }) });
    });
  }
}

customElements.define("gl-writing-menu", WritingMenu);
