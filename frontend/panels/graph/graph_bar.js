// The row above the graph: finding a node, and how the graph is looked at.

import { html, nothing } from "lit";
import { allClosed, allOpened, broughtBack, looked, putBack, shownAgain, undone } from "../../state/look.js";
import { asideNodes, colours, shownNodes, shownProgram } from "../../state/selectors.js";
import { state, t, update } from "../../store.js";
import "./graph_search.js";
import { Panel } from "../panel.js";
import { icons } from "../parts/icons.js";

const LANES = /** @type {const} */ (["both", "forward", "backward"]);
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

const FORMS = /** @type {const} */ (["svg", "png"]);

class GraphBar extends Panel {
  render() {
    const nodes = shownProgram.value?.graph.nodes ?? [];
    if (nodes.length === 0) return nothing;
    const undo = t("graph.undo");
    return html`<div class="graph-bar" role="group" aria-label=${t("graph.bar")}>
      <gl-graph-search></gl-graph-search>
      <span class="space"></span>
      ${this.lanes()}
      <button class="quiet square" title=${undo} aria-label=${undo} aria-disabled=${state.value.past.length === 0}
        @click=${() => update(undone(state.value))}>${icons.undo}</button>
      <button class="quiet" popovertarget="graph-menu">${t("graph.view")} ${icons.down}</button>
      <div id="graph-menu" class="menu" popover aria-label=${t("graph.view")} @beforetoggle=${this.place}
        @click=${this.chosen}>
        ${this.choices("detail", "graph.detail", DETAILS)}
        ${this.choices("merged", "graph.layout", LAYOUTS)}
        ${this.choices("direction", "graph.direction", DIRECTIONS)}
        ${this.choices("colour", "graph.colour", COLOURS)}
        <hr>
        <button @click=${() => update(allOpened(state.value, shownNodes.value))}>${t("graph.open_all")}</button>
        <button @click=${() => update(allClosed(state.value))}>${t("graph.close_all")}</button>
        ${state.value.moved.size === 0 ? nothing : html`<button @click=${() => update(putBack(state.value))}>${t("graph.put_back")}</button>`}
        <hr>
        ${FORMS.map((form) => html`<button @click=${() => this.save(form)}>${t(`graph.save_${form}`)}</button>`)}
      </div>
    </div>
    ${this.kinds()}${this.aside()}${this.legend()}`;
  }

  /** The nodes that a large picture leaves out, and why; each is brought back with a click. */
  aside() {
    if (asideNodes.value.length === 0) return nothing;
    return html`<div class="hidden-kinds" role="group" aria-label=${t("graph.aside")}>
      <span class="muted">${t("graph.aside")}</span>${asideNodes.value.map(
        ({ name, control_inputs: { length: count } }) => html`<code>${name}</code>
          <span class="muted">${t("graph.aside_why", { count })}</span>
          <button @click=${() => update(broughtBack(state.value, name))}>${t("graph.aside_back", { name })}</button>`,
      )}</div>`;
  }

  /** What the hues mean; nothing while the fill tells the phase. */
  legend() {
    const { colour } = state.value;
    if (colour === "phase") return nothing;
    const { legend } = colours.value;
    return html`<div class="legend" role="note" aria-label=${t(`graph.colour.${colour}`)}>
      <span class="muted">${t(legend.length > 0 ? `graph.colour.${colour}` : `graph.colour.no_${colour}`)}</span>
      ${legend.map(({ hue, label }) => html`<span><i class="swatch" .style=${`--hue: ${hue}`}></i> <code>${label}</code></span>`)}</div>`;
  }

  /** The kinds of op that are not drawn, each to be shown again. */
  kinds() {
    const { hidden } = state.value;
    if (hidden.size === 0) return nothing;
    return html`<div class="hidden-kinds" role="group" aria-label=${t("graph.hidden")}>
      <span class="muted">${t("graph.hidden")}</span>${[...hidden].map(
        (op) => html`<button aria-label=${t("graph.show_kind", { op })} title=${t("graph.show_kind", { op })}
          @click=${() => update(shownAgain(state.value, op))}><code>${op}</code> ${icons.close}</button>`,
      )}</div>`;
  }

  /** Which part is drawn; nothing where there is only one. */
  lanes() {
    const { lanes } = state.value;
    if (!shownProgram.value?.graph.nodes.some(({ phase }) => phase === "gradient")) return nothing;
    return html`<div class="segments" role="group" aria-label=${t("graph.lanes")}>${LANES.map(
      (name) => html`<button aria-pressed=${name === lanes}
        @click=${() => update(looked(state.value, { lanes: name }))}>${t(`graph.lanes.${name}`)}</button>`,
    )}</div>`;
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

  /** The view lies beside this row; whoever holds it hears. @param {typeof FORMS[number]} form */
  save(form) {
    this.dispatchEvent(new CustomEvent("savepicture", { bubbles: true, detail: form }));
  }

  /** Put the menu under its button: a popover stands in the top layer, outside the row's flow. */
  place() {
    const button = this.querySelector("[popovertarget]")?.getBoundingClientRect();
    const menu = /** @type {HTMLElement | null} */ (this.querySelector("#graph-menu"));
    if (!button || !menu) return;
    menu.style.setProperty("--menu-top", `${button.bottom + 4}px`);
    menu.style.setProperty("--menu-end", `${Math.max(8, innerWidth - button.right)}px`);
  }

  /** A choice closes the menu. @param {Event} event */
  chosen(event) {
    const menu = /** @type {HTMLElement} */ (event.currentTarget);
    if (event.target instanceof Element && event.target.closest("button")) menu.hidePopover();
  }
}

customElements.define("gl-graph-bar", GraphBar);
