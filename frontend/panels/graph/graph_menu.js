// What the menu of the view holds: how the graph is drawn. Fetched when it is first wanted.

import { html, nothing } from "lit";
import { allClosed, allOpened, looked, putBack } from "../../state/look.js";
import { level, shownNodes } from "../../state/selectors.js";
import { state, t, update } from "../../store.js";
import { Panel } from "../panel.js";

const DETAILS = /** @type {const} */ ([
  ["tensorflow", "graph.detail.tensorflow"],
  ["essentials", "graph.detail.essentials"],
]);
const LAYOUTS = /** @type {const} */ ([
  [false, "graph.layout.pair"],
  [true, "graph.layout.merged"],
]);
const COLOURS = /** @type {const} */ ([
  ["phase", "graph.colour.phase"],
  ["structure", "graph.colour.structure"],
  ["device", "graph.colour.device"],
]);

const DIRECTIONS = /** @type {const} */ ([
  ["right", "graph.direction.right"],
  ["down", "graph.direction.down"],
  ["up", "graph.direction.up"],
]);

class GraphMenu extends Panel {
  render() {
    return html`
      ${level.value === "mathematics" ? this.choices("direction", "graph.direction", DIRECTIONS) : this.choicesOfNodes()}
      ${state.value.moved.size === 0 ? nothing : html`<button @click=${() => update(putBack(state.value))}>${t("graph.put_back")}</button>`}`;
  }

  /** What there is to choose of TensorFlow's nodes: at level Mathematics there are no scopes, no plumbing and no devices. */
  choicesOfNodes() {
    return html`
      ${this.choices("detail", "graph.detail", DETAILS)}
      ${this.choices("merged", "graph.layout", LAYOUTS)}
      ${this.choices("direction", "graph.direction", DIRECTIONS)}
      ${this.choices("colour", "graph.colour", COLOURS)}
      <hr>
      <button @click=${() => update(allOpened(state.value, shownNodes.value))}>${t("graph.open_all")}</button>
      <button @click=${() => update(allClosed(state.value))}>${t("graph.close_all")}</button>`;
  }

  /**
   * A group of the menu, of which one choice holds.
   * @template {"detail" | "merged" | "direction" | "colour"} K
   * @param {K} field @param {string} title @param {readonly (readonly [import("../../store.js").State[K], string])[]} values
   */
  choices(field, title, values) {
    const now = state.value[field];
    return html`<div role="group" aria-label=${t(title)}><p class="note">${t(title)}</p>${values.map(
      ([value, name]) => html`<button aria-pressed=${value === now}
        @click=${() => update(looked(state.value, { [field]: value }))}>${t(name)}</button>`,
    )}</div>`;
  }
}

customElements.define("gl-graph-menu", GraphMenu);
