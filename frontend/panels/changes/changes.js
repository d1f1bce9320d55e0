// What changed: the program that is drawn beside an earlier text, another program or a file.

import { html, nothing } from "lit";

import { loadCourse } from "../../requests/course.js";
import { chooseChanges, choiceOf, isKnown, isThere, loadChanges } from "../../requests/docks/changes.js";
import { isInGradientsOnly } from "../../state/changes/differing.js";
import { state, update } from "../../store.js";
import { Panel } from "../panel.js";
import { styleSheet } from "../parts/style_sheet.js";
import { troubleWords } from "../parts/trouble.js";
import { badgePicture } from "./badges.js";
import { choiceFields } from "./choice.js";
import { results } from "./gradients.js";
import { list } from "./list.js";
import "./picture.js";
import { of, say } from "./words.js";

/** @import { Differences } from "../../types.js" */

void styleSheet("styles/changes.css");

const KINDS = /** @type {const} */ (["added", "removed", "changed"]);

class Changes extends Panel {
  firstUpdated() {
    void loadCourse();
  }

  updated() {
    loadChanges();
  }

  render() {
    const { changesFound } = state.value;
    const answer = isThere(state.value) ? changesFound?.answer : null;
    return html`<div class="changes-side">${choiceFields()}${this.says()}</div>
      ${answer ? html`<div class="changes-list">${list(answer, (name) => this.show(name))}</div>` : nothing}
      ${answer ? this.found(answer) : nothing}`;
  }

  /** What it comes to, or why there is nothing. */
  says() {
    const { changesFound: found, program } = state.value;
    if (!program || !choiceOf(state.value)) return html`<p class="note" role="status">${say("nothing")}</p>`;
    if (!isKnown(state.value)) return html`<p class="note" role="status">${say("unknown")}</p>`;
    if (!isThere(state.value)) return html`<p class="note" role="status">${say("waits")}</p>`;
    if (found?.trouble) return html`<p class="message warning" role="alert">${troubleWords(found.trouble)}</p>`;
    return html`<p class="says" role="status">${found?.answer ? of(found.answer.says) : say("waits")}</p>`;
  }

  /** @param {Differences} answer */
  found(answer) {
    const hasGradients = state.value.changes.hasGradients || isInGradientsOnly(answer);
    return html`<div class="changes-graph">
        <div class="row"><span class="changes-legend">${KINDS.map((kind) => html`<span class=${kind}>${badgePicture(kind)} ${say(kind)}</span>`)}</span>
          <label class="check"><input type="checkbox" .checked=${hasGradients} @change=${turn}>${say("has_gradients")}</label></div>
        <gl-changes-picture role="group" aria-label=${say("drawing")} .answer=${answer} .hasGradients=${hasGradients} .language=${state.value.language}></gl-changes-picture>
      </div><div class="changes-numbers" tabindex="0" role="region" aria-label=${say("gradients")}>${results(answer)}</div>`;
  }

  /** Show a node in the picture; the page's own graph selects it, where it has it. @param {string} name */
  show(name) {
    const node = state.value.changesFound?.answer?.graph.nodes.find((each) => each.name === name);
    if (node && node.phase !== "forward" && !state.value.changes.hasGradients) chooseChanges({ hasGradients: true });
    if (node && node.difference !== "removed") update({ selected: name });
    void this.updateComplete.then(() => {
      const picture = /** @type {import("./picture.js").ChangesPicture | null} */ (this.querySelector("gl-changes-picture"));
      picture?.scrollIntoView({ block: "nearest" });
      picture?.reveal(name);
    });
  }
}

/** @param {Event} event */
const turn = (event) => chooseChanges({ hasGradients: /** @type {HTMLInputElement} */ (event.target).checked });

customElements.define("gl-changes", Changes);
