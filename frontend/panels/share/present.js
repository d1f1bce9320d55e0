// The page shown to a class: the graph as large as the screen, the step as a caption, and a light that follows the hand.

import { html, nothing } from "lit";

import { state, t, update } from "../../store.js";
import { Panel } from "../panel.js";
import { styleSheet } from "../parts/style_sheet.js";
import { icons } from "../parts/icons.js";

const root = document.documentElement;

class Present extends Panel {
  #isLit = false;
  /** Whether the light stands where the hand is; without one it is on the step. */
  #follows = false;
  #leaving = new AbortController();
  /** @type {Element | null} what had the focus as the page became the class's */
  #opener = null;

  connectedCallback() {
    super.connectedCallback();
    this.#leaving = new AbortController();
    addEventListener("pointermove", (event) => this.moved(event), { signal: this.#leaving.signal, passive: true });
    addEventListener("keydown", (event) => this.pressed(event), this.#leaving);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#leaving.abort();
  }

  render() {
    if (!state.value.present) return nothing;
    return html`<div class="present-bar" role="group" aria-label=${t("present.name")}>
        <button class="spot" aria-pressed=${this.#isLit} title="L" @click=${this.light}>${t("present.spotlight")}</button>
        <button class="leave" title="Esc" @click=${leave}>${icons.close} ${t("present.leave")}</button>
      </div>
      ${this.#isLit ? html`<div class="spotlight" aria-hidden="true"></div>` : nothing}`;
  }

  updated() {
    const { present } = state.value;
    if (present && !root.hasAttribute("data-present")) this.#opener = document.activeElement;
    root.toggleAttribute("data-present", present);
    if (!present) this.giveBackFocus();
    if (!this.#follows) requestAnimationFrame(() => this.toStep());
  }

  /** The focus returns to where it was, unless it has gone elsewhere since. */
  giveBackFocus() {
    if (document.activeElement === document.body && this.#opener instanceof HTMLElement) this.#opener.focus();
    this.#opener = null;
  }

  light() {
    this.#isLit = !this.#isLit;
    this.requestUpdate();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const isWritten =
      event.target instanceof Element && event.target.closest("input:not([type=range]), textarea, [contenteditable]");
    if (event.key.toLowerCase() !== "l" || event.ctrlKey || event.metaKey || event.altKey || isWritten || !state.value.present)
      return;
    event.preventDefault();
    this.light();
  }

  /** @param {PointerEvent} event */
  moved({ clientX, clientY }) {
    if (!this.#isLit) return;
    this.#follows = true;
    this.put(clientX, clientY);
  }

  /** Where the lesson stands, for who moves by keys. */
  toStep() {
    const box = document.querySelector('.graph-view [aria-current="step"]')?.getBoundingClientRect();
    if (box) this.put(box.left + box.width / 2, box.top + box.height / 2);
  }

  /** @param {number} x @param {number} y on screen */
  put(x, y) {
    const light = /** @type {HTMLElement | null} */ (this.querySelector(".spotlight"));
    light?.style.setProperty("--x", `${x}px`);
    light?.style.setProperty("--y", `${y}px`);
  }
}

/** Show everything again, to whoever pressed the button or a key. */
function leave() {
  update({ present: false });
}

await styleSheet("styles/present.css");
customElements.define("gl-present", Present);
