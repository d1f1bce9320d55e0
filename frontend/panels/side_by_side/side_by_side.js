// The second picture beside the first, what it says of the quantity that is lit in both, and what differs. Fetched when
// it is first wanted.

import { effect } from "@preact/signals-core";
import { html, nothing } from "lit";

import { inLanguage } from "../../i18n/i18n.js";
import { followSideBySide } from "../../requests/side_by_side.js";
import { levelsOf } from "../../state/levels.js";
import { looked, toggled } from "../../state/look.js";
import { level, litBeside } from "../../state/selectors.js";
import {
  chosenThere,
  levelThere,
  lit,
  litHere,
  marksThere,
  modelThere,
  pairs,
  pointedThere,
  refusal,
  written,
} from "../../comparing/side_by_side.js";
import { state, t, update } from "../../store.js";
import { createGraphView } from "../../view/graph_view.js";
import { Panel } from "../panel.js";
import { withCode } from "../parts/code.js";
import { icons } from "../parts/icons.js";
import { styleSheet } from "../parts/style_sheet.js";
import { troubleWords } from "../parts/trouble.js";

/** @import { Corner, Difference, Level, PairedQuantity } from "../../types.js" */

const MOST_LIT = 3; // quantities that are spelt out; a value may be the gradient by several

/** Whether the list stands open at first. */
const hasRoom = matchMedia("(min-width: 1200px)").matches;

class SideBySide extends Panel {
  /** @type {(() => void)[]} */
  #ends = [];
  /** @type {import("../../view/types.js").GraphView | null} */
  #view = null;

  connectedCallback() {
    super.connectedCallback();
    if (this.hasUpdated) this.#begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    for (const end of this.#ends.splice(0)) end();
    this.#view?.destroy();
    this.#view = null;
    [litBeside.value, pointedThere.value, chosenThere.value] = [null, null, null];
  }

  render() {
    const { trouble } = refusal.value ?? {};
    const isMissing = levelThere.value === "mathematics" && !modelThere.value && state.value.lessons.mathematics;
    return html`
      <div class="beside-bar" role="group" aria-label=${t("beside.level")}>
        <div class="segments">${levelsOf(state.value.program?.dialect).map((name) => this.level(name))}</div>
        <button class="quiet square" title=${t("beside.close")} aria-label=${t("beside.close")}
          @click=${() => update(looked(state.value, { beside: null }))}>${icons.close}</button>
      </div>
      ${trouble ? html`<p class="message error" role="alert">${troubleWords(trouble)}</p>` : nothing}
      ${isMissing ? html`<p class="empty">${t("graph.level.missing")}</p>` : nothing}
      <div class="graph-host" aria-busy=${!pairs.value && !trouble}></div>
      <div class="beside-words">
        <div class="beside-lit" role="status">${lit.value.slice(0, MOST_LIT).map((each) => this.quantity(each))}</div>
        ${pairs.value ? this.differences(pairs.value.differences, pairs.value.corners) : nothing}
      </div>`;
  }

  /** @param {Level} name */
  level(name) {
    if (name === level.value) return nothing;
    return html`<button aria-pressed=${name === levelThere.value}
      @click=${() => update(looked(state.value, { beside: name }))}>${t(`graph.level.${name}`)}</button>`;
  }

  /** What a quantity is called and is on both sides. @param {PairedQuantity} quantity */
  quantity(quantity) {
    const { left, right } = written(quantity);
    const one = (/** @type {Level | null} */ of, /** @type {{name: string, value: string}} */ { name, value }) =>
      html`<span class="muted">${t(`graph.level.${of}`)}</span> <code>${name}</code>${value ? html` = <b>${value}</b>` : nothing}`;
    return html`<p><b>${withCode(quantity.text)}</b> <small class="muted">${t(`beside.${quantity.kind}`)}</small>
      · ${one(level.value, left)} · ${one(levelThere.value, right)}</p>`;
  }

  /** @param {readonly Difference[]} differences @param {readonly Corner[]} corners */
  differences(differences, corners) {
    const { language } = state.value;
    const words = (/** @type {{en: string, zh: string}} */ { en, zh }) => inLanguage(language, en, zh);
    return html`<details ?open=${hasRoom}>
      <summary>${t("beside.differences", { count: differences.length + corners.length })}</summary>
      <ul>
        ${differences.map((one) => html`<li>${this.pointing(withCode(words(one.sentence)), one)}</li>`)}
        ${corners.map(
          ({ title, left, right, here }) => html`<li class=${here ? "here" : ""}>${withCode(words(title))}:
            ${t(`graph.level.${level.value}`)} <b>${left}</b>, ${t(`graph.level.${levelThere.value}`)} <b>${right}</b>${
              here ? html` <small>${t("beside.here")}</small>` : nothing
            }</li>`,
        )}
      </ul>
    </details>`;
  }

  /** A sentence that lights its nodes in both pictures. @param {unknown} text @param {Difference} about */
  pointing(text, { left, right }) {
    if (left.length + right.length === 0) return html`<p>${text}</p>`;
    const come = () => (pointedThere.value = { left, right });
    const go = () => (pointedThere.value = null);
    return html`<button class="plain" @pointerenter=${come} @pointerleave=${go} @focus=${come} @blur=${go}>${text}</button>`;
  }

  firstUpdated() {
    this.#begin();
  }

  /** Draw, and follow what is asked for. */
  #begin() {
    const host = /** @type {HTMLElement} */ (this.querySelector(".graph-host"));
    const view = (this.#view = createGraphView(host, {
      onToggle: (scope) => update(toggled(state.value, scope)),
      onSelect: (name) => void (chosenThere.value = name),
      onMove: () => {},
      onDrawn: (count) => (host.dataset.drawn = String(count)),
      onPoint: (name) => (pointedThere.value = name === null ? null : { side: "right", name }),
      t,
    }));
    /** @type {typeof modelThere.value} */
    let shown = null;
    this.#ends = [
      followSideBySide(),
      effect(() => {
        const model = modelThere.value;
        if (model && model !== shown) view.show(model);
        shown = model;
      }),
      effect(() => view.mark(marksThere.value)),
      effect(() => void (litBeside.value = litHere.value)),
      effect(() => {
        void [lit.value, pairs.value, refusal.value, modelThere.value, marksThere.value];
        this.requestUpdate();
      }),
    ];
  }
}

await styleSheet("styles/side_by_side.css"); // before it there is no room for two pictures
customElements.define("gl-side-by-side", SideBySide);
