// The dialog behind "Class": join one by its code, or open one on what is on the page.

import { html, nothing } from "lit";

import { joinClass } from "../../requests/classroom/attending.js";
import { startClass } from "../../requests/classroom/teaching.js";
import { tidyCode } from "../../state/classroom.js";
import { state, t, update } from "../../store.js";
import { Panel } from "../panel.js";
import { styleSheet } from "../parts/style_sheet.js";
import "./bar.js";

/** Once it looks as it should: before that it would move under the hand. */
export const styled = styleSheet("styles/classroom.css");

class JoinClass extends Panel {
  static properties = { refused: { state: true } };

  constructor() {
    super();
    this.refused = "";
  }

  render() {
    const { trouble } = state.value;
    return html`<form class="class-join" @submit=${this.join}>
        <label for="class-code">${t("class.code")}</label>
        <div class="row"><input id="class-code" autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="K7F3-QX4M" @input=${tidy}>
        <button class="primary">${t("class.join")}</button></div>
        ${this.refused ? html`<p class="mistake" role="alert">${trouble && !trouble.offline ? this.words(trouble.problem) : t("class.unknown")}</p>` : nothing}
      </form>
      <p class="note">${t("class.start_about")}</p>
      <button @click=${this.start}>${t("class.start")}</button>
      <p class="note">${t("class.privacy")}</p>`;
  }

  /** @param {import("../../types.js").Problem} problem */
  words(problem) {
    return state.value.language === "zh-CN" ? problem.message_zh : problem.detail;
  }

  /** @param {Event} event */
  async join(event) {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (this.querySelector("#class-code"));
    const isIn = await joinClass(field.value);
    this.refused = isIn ? "" : field.value;
    if (isIn) this.leave();
  }

  async start() {
    await startClass();
    if (state.value.classroom) this.leave();
  }

  leave() {
    update({ trouble: null });
    /** @type {HTMLElement | null} */ (this.closest("[popover]"))?.hidePopover();
  }
}

/** Two groups of four, as it is typed. @param {Event} event */
function tidy({ target }) {
  const field = /** @type {HTMLInputElement} */ (target);
  const [tidied, at] = [tidyCode(field.value), field.selectionStart ?? 0];
  if (tidied === field.value) return;
  const isAtEnd = at === field.value.length || at === 0; // 0: pasted or filled in
  field.value = tidied;
  if (!isAtEnd) field.setSelectionRange(at, at);
}

customElements.define("gl-join", JoinClass);
