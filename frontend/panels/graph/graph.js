// The graph's place on the page: hands models and marks to the view, and shows when it is stale.

import { computed, effect, untracked } from "@preact/signals-core";
import { html, nothing } from "lit";
import { inLanguage } from "../../i18n/i18n.js";
import { fetched } from "../../requests/request.js";
import { loadEssentials, loadOp } from "../../requests/session.js";
import { placeOf } from "../../state/lesson.js";
import { moved, toggled } from "../../state/look.js";
import {
  currentStep,
  findingTools,
  graphMarks,
  graphModel,
  level,
  pointedHere,
  selectedNode,
  shownProgram,
  wantsFindingTools,
} from "../../state/selectors.js";
import { state, t, update, wordsForNothing } from "../../store.js";
import { formatNumber } from "../../values/format.js";
import { createGraphView } from "../../view/graph_view.js";
import { READABLE_PX } from "../../view/navigation/sight.js";
import { sentenceOf, updateSentences } from "../lesson/sentence.js";
import { Panel } from "../panel.js";
import { withCode } from "../parts/code.js";

const PRESENTED_PX = 0.0125; // of the window's width: 24 px at 1920

/** How high the smallest text of the graph is at least: larger where it is shown to a class, px. */
const leastText = () => (state.value.present ? Math.max(16, PRESENTED_PX * innerWidth) : READABLE_PX);

export class Graph extends Panel {
  /** @type {import("../../view/types.js").GraphView | null} */
  #view = null;

  render() {
    const { program, source } = state.value;
    const caption = this.caption();
    return html`
      <h2 class="visually-hidden">${t("graph.title")}</h2>
      ${source ? this.summary() : program ? nothing : html`<div class="summary"></div>`}
      <gl-graph-bar></gl-graph-bar>
      ${program?.graph.nodes.length ? nothing : this.nothingDrawn()}
      <div class="pictures"><div class="graph-host"></div>${this.beside()}</div>
      ${program && !caption ? nothing : html`<p class="caption" aria-hidden="true">${caption}</p>`}`;
  }

  /** Why there is no picture; on a small screen, where the text is out of sight, with its first mistake. */
  nothingDrawn() {
    const { language, answer } = state.value;
    const mistake = answer?.diagnostics.find(({ severity }) => severity === "error");
    return html`<p class="empty">${t(wordsForNothing(state.value))}
      ${mistake ? html`<br><span class="mistake">${withCode(inLanguage(language, mistake.message, mistake.message_zh))}</span>` : nothing}</p>`;
  }

  /** What the card says of this moment, in short: beneath the graph on a small screen. */
  caption() {
    const { optimising, row } = state.value;
    if (optimising) return [t("step.update", { count: row }), ...updateSentences().slice(0, 1)].join(" · ");
    return currentStep.value && sentenceOf(currentStep.value);
  }

  /** The line of the text that the step is about, and the variables' values: above the graph on a small screen. */
  summary() {
    const { source, program, stale, at } = state.value;
    const place = stale ? null : placeOf(program?.graph.nodes ?? [], currentStep.value);
    const lines = source.trimEnd().split("\n");
    const line = lines[(place?.line ?? 1) - 1] ?? "";
    return html`<button class="summary ${lines.length > 1 ? "of-several" : ""}" @click=${() => update({ tab: "input" })}>
      <code>${line.trim()}</code>${Object.entries(at).map(([name, value]) => html`<code>${name} = ${formatNumber(value)}</code>`)}</button>`;
  }

  /** The second picture, fetched when it is first wanted; none once an optimizer has grown the graph. */
  beside() {
    const { beside, program, run, steps } = state.value;
    if (beside === null || !program || run || steps.length === 0 || program.dialect === "graph") return nothing;
    void fetched(() => import("../side_by_side/side_by_side.js"));
    return html`<gl-side-by-side></gl-side-by-side>`;
  }

  /** What is drawn as a picture: all of it, or what is in sight. @param {"svg" | "png"} form @param {boolean} isSeen */
  async picture(form, isSeen) {
    return (await this.#view?.picture(form, isSeen)) ?? null;
  }

  /** What is in sight as marks, of which the server makes a file. */
  async marksInSight() {
    return (await this.#view?.marksInSight()) ?? null;
  }

  /** All of the drawing with other marks on it, to be shown elsewhere. @param {import("../../view/types.js").GraphMarks} marks */
  copy(marks) {
    return this.#view?.copy(marks) ?? null;
  }

  firstUpdated() {
    const host = /** @type {HTMLElement} */ (this.querySelector(".graph-host"));
    const view = (this.#view = createGraphView(host, {
      onToggle: (scope) => update(toggled(state.value, scope)),
      onSelect: (name) => update({ selected: name }),
      onMove: (id, dx, dy) => update(moved(state.value, id, dx, dy)),
      onDrawn,
      onPoint: (name) => (pointedHere.value = name),
      leastText,
      t,
    }));
    const wanted = computed(() => state.value.wanted);
    /** @type {typeof graphModel.value} */
    let shown = null;
    /** @type {typeof wanted.value} */
    let sought = null;
    /** @type {typeof state.value.program} */
    let of = null;
    effect(() => {
      const [model, node] = [graphModel.value, wanted.value];
      const { program } = state.peek();
      if (model && model !== shown) view.show(model, program === of); // first: what is wanted may only come with it
      if (node && node !== sought) view.reveal(node.name);
      [shown, sought, of] = [model, node, program];
    });
    effect(() => view.mark(graphMarks.value)); // its words are translated while it marks
    const present = computed(() => state.value.present);
    effect(() => {
      void present.value;
      requestAnimationFrame(view.refit); // once the style sheet of the other look holds
    });
    const asked = computed(() => [state.value.detail, level.value, shownProgram.value]);
    effect(() => {
      void asked.value;
      void untracked(loadEssentials);
    });
    effect(() => {
      if (wantsFindingTools.value) void untracked(fetchFindingTools);
    });
    effect(() => {
      if (selectedNode.value?.op) void loadOp(selectedNode.value.op);
    });
  }
}

async function fetchFindingTools() {
  findingTools.value = await fetched(() => import("../../finding/tools.js"));
}

/** When the first graph is on screen. */
export const firstFrame = new Promise((done) => addEventListener("graph-drawn", done, { once: true }));

/** Announce that the picture stands, and, if it is the present text's, of how many parts. @param {number} count ops and scopes drawn */
function onDrawn(count) {
  const { source, answered } = state.value;
  if (source === answered) document.documentElement.dataset.graphDrawn = String(count);
  if (performance.getEntriesByName("graph-drawn").length === 0) performance.mark("graph-drawn");
  dispatchEvent(new Event("graph-drawn"));
}

customElements.define("gl-graph", Graph);
