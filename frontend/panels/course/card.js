// The card of the example that is worked on: its goal, what to do, buttons, a prediction, the closing question, and what is next.

import { html, nothing } from "lit";

import { keepNotes, leaveItem, openItem, openStop, press } from "../../requests/course.js";
import { formIn, formsOf, withTick } from "../../state/course.js";
import { state, t } from "../../store.js";
import { Panel } from "../panel.js";
import { withCode } from "../parts/code.js";
import { icons } from "../parts/icons.js";
import { styleSheet } from "../parts/style_sheet.js";
import { of, say } from "./words.js";

/** @import { Example } from "../../types.js" */

class CourseCard extends Panel {
  firstUpdated() {
    void styleSheet("styles/course.css");
  }

  /** Another example begins at its top, with its answers hidden. @param {import("lit").PropertyValues} changed */
  updated(changed) {
    super.updated(changed);
    const id = state.value.item?.id ?? "";
    if (this.dataset.item === id) return;
    this.dataset.item = id;
    this.scrollTop = 0;
    for (const answer of this.querySelectorAll("details")) answer.open = false;
  }

  render() {
    const { item, notes } = state.value;
    if (!item) return nothing;
    const label = say(notes.folded ? "unfold" : "fold");
    const fold = () => keepNotes({ ...notes, folded: !notes.folded });
    return html`<section class="course-card" aria-label=${say("card")}>
      <div class="row">
        <h2><span class="count">${item.id.toUpperCase()}</span> ${of(item.title)}</h2>
        <span class="card-buttons">
          <button class="quiet square" aria-expanded=${!notes.folded} aria-controls="course-body" title=${label} aria-label=${label}
            @click=${fold}>${notes.folded ? icons.down : icons.up}</button>
          <button class="quiet square" title=${say("leave")} aria-label=${say("leave")} @click=${leaveItem}>${icons.close}</button>
        </span>
      </div>
      ${this.place(item)}
      <div id="course-body" ?hidden=${notes.folded}>${this.body(item)}</div>
    </section>`;
  }

  /** @param {Example} item */
  body(item) {
    return html`<p class="goal">${withCode(of(item.goal))}</p>
      ${this.forms(item)}${this.prompts(item)}${this.actions(item)}
      ${this.question(say("ask"), item.ask, item.ask.trap)}
      ${this.question(say("closing"), item.closing)}
      ${this.next(item)}`;
  }

  /** The lesson that it is part of, and the way on. @param {Example} item */
  place(item) {
    const { readyLesson, course } = state.value;
    const lesson = readyLesson && course?.lessons.find(({ id }) => id === readyLesson.id);
    const stop = lesson?.stops[readyLesson?.stop ?? -1];
    if (!readyLesson || !lesson || stop?.item !== item.id) return nothing;
    const [place, count] = [readyLesson.stop + 1, lesson.stops.length];
    return html`<div class="lesson-place">
      <div class="row"><span><strong>${of(lesson.title)}</strong> <span class="count">${say("place", { place, count })}</span></span>
        <span class="card-buttons">${this.way("previous_stop", lesson.id, place - 2, count)}${this.way("next_stop", lesson.id, place, count)}</span></div>
      <p>${withCode(of(stop.do))}${place === count ? html` <span class="count">${say("over")}</span>` : nothing}</p></div>`;
  }

  /** @param {"previous_stop" | "next_stop"} key @param {string} lesson @param {number} stop @param {number} count */
  way(key, lesson, stop, count) {
    const isOff = stop < 0 || stop >= count;
    return html`<button class="square" aria-disabled=${isOff} title=${say(key)} aria-label=${say(key)}
      @click=${() => !isOff && openStop(lesson, stop)}>${key === "next_stop" ? icons.next : icons.back}</button>`;
  }

  /** @param {Example} item */
  prompts({ id, prompts }) {
    const { notes } = state.value;
    const ticked = notes.ticked[id] ?? [];
    const tick = (/** @type {number} */ i) => keepNotes(withTick(notes, id, i));
    return html`<ol class="prompts" aria-label=${say("prompts")}>${prompts.map(
      (prompt, i) => html`<li><label><input type="checkbox" .checked=${ticked.includes(i)} @change=${() => tick(i)}>
        <span>${withCode(of(prompt))}</span></label></li>`,
    )}</ol>`;
  }

  /** The languages in which the example is there. @param {Example} item */
  forms(item) {
    const shown = formIn(item, state.value.source);
    const open = (/** @type {string} */ dialect) => press([{ text: dialect === item.dialect ? "main" : dialect }]);
    if (item.forms.length === 0) return nothing;
    return html`<div class="segments forms" role="group" aria-label=${say("forms")}>${formsOf(item).map(
      (dialect) =>
        html`<button aria-pressed=${dialect === shown} @click=${() => dialect !== shown && open(dialect)}>${t(`dialect.${dialect}`)}</button>`,
    )}</div>`;
  }

  /** @param {Example} item */
  actions({ actions }) {
    if (actions.length === 0) return nothing;
    return html`<div class="actions" role="group" aria-label=${say("actions")}>${actions.map(
      ({ label, do: commands }) => html`<button @click=${() => press(commands)}>${of(label)}</button>`,
    )}</div>`;
  }

  /**
   * A question whose answer is opened when it has been thought about.
   * @param {string} name @param {Example["closing"]} asked @param {import("../../types.js").Bilingual} [trap]
   */
  question(name, { question, answer }, trap) {
    return html`<details><summary><strong>${name}</strong> ${withCode(of(question))} <span class="show">${say("show")}</span></summary>
      <p>${withCode(of(answer))}</p>
      ${trap ? html`<p class="trap"><strong>${say("trap")}</strong> ${withCode(of(trap))}</p>` : nothing}</details>`;
  }

  /** @param {Example} item */
  next({ next }) {
    return html`<p class="next">${say("next")} ${next.map(
      ({ id, title }) => html`<button class="link" @click=${() => openItem(id)}>${of(title)}</button> `,
    )}</p>`;
  }
}

customElements.define("gl-course", CourseCard);
