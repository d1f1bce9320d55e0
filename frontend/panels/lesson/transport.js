// The transport: back, next, the scrubber and the phases. Hidden where there is no lesson.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { isLastUpdate, showStep } from "../../requests/run.js";
import { isInRun, lastStop, passesOf, phasesOf } from "../../state/lesson.js";
import { state, t } from "../../store.js";
import { Panel } from "../panel.js";
import { icons } from "../parts/icons.js";
import { narration } from "./sentence.js";

class Transport extends Panel {
  /** @type {Element | null} the phase of the step that is shown */
  #phase = null;
  /** @type {typeof state.value.steps | null} the lesson that it belongs to */
  #steps = null;

  render() {
    const { steps, cursor, row, program, answer } = state.value;
    const last = lastStop(state.value);
    if (!program && !answer) return html`<section class="transport"></section>`; // its room, until an answer comes
    if (steps.length === 0) return nothing;
    const inRun = isInRun(state.value);
    const atEnd = cursor === last && (!inRun || isLastUpdate(state.value));
    return html`<section class="transport" aria-label=${t("transport.name")}>
      <div class="controls">
        ${this.button("first", 0, cursor === 0)}
        <button class="back" aria-disabled=${cursor === 0 && !inRun} @click=${() => showStep(cursor - 1)}>
          ${icons.back}${t("transport.back")}</button>
        <button class="primary next" aria-disabled=${atEnd} @click=${() => showStep(cursor + 1)}>
          ${t("transport.next")}${icons.next}</button>
        ${this.button("last", last, cursor === last)}
      </div>
      <div class="track">
        <div class="ribbon" role="group" aria-label=${t("ribbon.name")}>
          ${inRun ? html`<span class="of-update">${t("transport.update", { row })}</span>` : nothing}${this.phases()}</div>
        <input class="scrub" type="range" min="0" max=${last} step="1" .value=${live(String(cursor))}
          aria-label=${t("transport.scrub")} aria-valuetext=${narration()} @input=${this.scrubbed}>
        <output class="count">${t("step.of", { index: cursor + 1, count: last + 1 })}</output>
      </div>
    </section>`;
  }

  /** Bring the phase of the step into sight: on a small screen the ribbon is wider than its place. */
  updated() {
    const { steps } = state.value;
    const phase = this.querySelector(".ribbon [aria-current=step]");
    if (phase?.parentElement && (phase !== this.#phase || steps !== this.#steps)) {
      const [own, place] = [phase, phase.parentElement].map((each) => each.getBoundingClientRect());
      phase.parentElement.scrollLeft += Math.max(0, own.right - place.right) || Math.min(0, own.left - place.left);
    }
    [this.#phase, this.#steps] = [phase, steps];
  }

  /** The phases of the pass that is walked through; in a run the update is the last. */
  phases() {
    const { steps, cursor } = state.value;
    const update = { phase: "update", first: steps.length, count: 1 };
    const passes = passesOf([...phasesOf(steps), ...(isInRun(state.value) ? [update] : [])]);
    const at = Math.max(
      0,
      passes.findLastIndex(([{ first }]) => first <= cursor),
    );
    return html`${passes.length > 1 ? this.pass(passes, at) : nothing}${passes[at].map((phase) => this.phase(phase))}`;
  }

  /** Which pass it is, and the ways to those before and after it. @param {import("../../state/lesson.js").Phases[]} passes @param {number} at */
  pass(passes, at) {
    const to = (/** @type {"before" | "after"} */ way, /** @type {number} */ place, /** @type {unknown} */ icon) =>
      html`<button class="quiet square" aria-label=${t(`ribbon.pass_${way}`)} title=${t(`ribbon.pass_${way}`)}
        aria-disabled=${!passes[place]} @click=${() => passes[place] && showStep(passes[place][0].first)}>${icon}</button>`;
    return html`<span class="pass" role="group" aria-label=${t("ribbon.pass", { index: at + 1, count: passes.length })}>
      ${to("before", at - 1, icons.back)}<span>${t("ribbon.pass", { index: at + 1, count: passes.length })}</span>${to("after", at + 1, icons.next)}</span>`;
  }

  /** @param {"first" | "last"} name @param {number} step @param {boolean} disabled */
  button(name, step, disabled) {
    const label = t(`transport.${name}`);
    return html`<button class="square ${name}" title=${label} aria-label=${label} aria-disabled=${disabled}
      @click=${() => showStep(step)}>${icons[name]}</button>`;
  }

  /** @param {Event} event */
  scrubbed(event) {
    showStep(Number(/** @type {HTMLInputElement} */ (event.target).value));
  }

  /** @param {{phase: string, first: number, count: number}} phase */
  phase({ phase, first, count }) {
    const { cursor, stepLevel } = state.value;
    const inside = cursor >= first && cursor < first + count;
    const passed = Math.min(count, Math.max(0, cursor - first + 1));
    return html`<button class="phase ${phase}" aria-current=${inside ? "step" : "false"} @click=${() => showStep(first)}>
      ${t(`${stepLevel === "tensorflow" ? "ribbon" : "phase"}.${phase}`)} <small>${passed}/${count}</small></button>`;
  }
}

customElements.define("gl-transport", Transport);
