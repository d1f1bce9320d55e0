// The gallery: every example in groups, found by what it is about, and the ready lessons.

import { html, nothing } from "lit";

import { foundIn } from "../../finding/course_search.js";
import { loadCourse, openItem, openLesson } from "../../requests/course.js";
import { state, update } from "../../store.js";
import { Panel } from "../panel.js";
import { withCode } from "../parts/code.js";
import { icons } from "../parts/icons.js";
import { styleSheet } from "../parts/style_sheet.js";
import { thumbnail } from "./thumbnail.js";
import { of, say } from "./words.js";

/** @import { Course, Example, ReadyLesson } from "../../types.js" */

const VIEWS = /** @type {const} */ (["examples", "lessons"]);

class Gallery extends Panel {
  async firstUpdated() {
    void loadCourse();
    await styleSheet("styles/course.css");
    const dialog = this.querySelector("dialog");
    dialog?.showModal();
    /** @type {HTMLElement | null} */ (
      this.querySelector("input[type=search]") ?? dialog?.querySelector("button") ?? null
    )?.focus();
  }

  render() {
    const { gallery } = state.value;
    if (!gallery) return nothing;
    return html`<dialog class="gallery" aria-label=${say("title")} @close=${this.closed} @click=${this.clicked}>
      <div class="gallery-box">
        <div class="row">
          <div class="segments" role="group" aria-label=${say("title")}>${VIEWS.map((view) => this.view(view))}</div>
          ${gallery.view === "examples" ? this.search(gallery.query) : html`<span class="space"></span>`}
          <button class="quiet square" title=${say("close")} aria-label=${say("close")}
            @click=${() => this.querySelector("dialog")?.close()}>${icons.close}</button>
        </div>
        ${this.body()}
      </div></dialog>`;
  }

  /** @param {typeof VIEWS[number]} view */
  view(view) {
    const chosen = state.value.gallery?.view === view;
    return html`<button aria-pressed=${chosen} @click=${() => update({ gallery: { view, query: state.value.gallery?.query ?? "" } })}>
      ${say(view)}</button>`;
  }

  /** @param {string} query */
  search(query) {
    const typed = (/** @type {Event} */ event) => {
      const { value } = /** @type {HTMLInputElement} */ (event.target);
      update({ gallery: { view: "examples", query: value } });
    };
    return html`<input type="search" aria-label=${say("search")} placeholder=${say("search_hint")} .value=${query} @input=${typed}>`;
  }

  body() {
    const { course, trouble, gallery } = state.value;
    if (!course) return html`<p class="note" role="status">${say(trouble ? "failed" : "loading")}</p>`;
    return gallery?.view === "lessons"
      ? html`<ul class="lesson-list">${course.lessons.map((lesson) => this.lesson(lesson))}</ul>`
      : this.groups(course, gallery?.query ?? "");
  }

  /** @param {Course} course @param {string} query */
  groups(course, query) {
    const found = foundIn(course, query);
    const count = found.reduce((sum, { examples }) => sum + examples.length, 0);
    return html`<p class="count" role="status">${count > 0 ? say("found", { count }) : say("nothing")}</p>
      ${found.map(
        ({ group, examples }) => html`<section>
        <h2>${of(group.title)}</h2>
        <ul class="items">${examples.map((example) => this.example(example))}</ul></section>`,
      )}`;
  }

  /** @param {Example} example */
  example(example) {
    const { id, title, teaches, core, prompts } = example;
    const { thumbnails, notes, item } = state.value;
    const isDone = (notes.ticked[id] ?? []).length >= prompts.length;
    return html`<li><button aria-current=${item?.id === id ? "true" : nothing} @click=${() => openItem(id)}>
      ${thumbnail(thumbnails[id])}
      <span class="about"><span class="title">${of(title)}</span>
        <small>${withCode(of(teaches))}</small>
        <small class="marks"><span>${id.toUpperCase()}</span>${core ? html` <span class="core" title=${say("core_title")}>★ ${say("core")}</span>` : nothing}${
          isDone ? html` <span class="done">✓ ${say("done")}</span>` : nothing
        }</small></span></button></li>`;
  }

  /** @param {ReadyLesson} lesson */
  lesson({ id, title, minutes, stops }) {
    const place = state.value.notes.places[id] ?? 0;
    const titles = new Map(state.value.course?.examples.map((example) => [example.id, example.title]));
    return html`<li><h2>${of(title)}</h2>
      <p class="count">${say("stops", { count: stops.length })} · ${say("minutes", { count: minutes })}</p>
      <ol>${stops.map(
        (stop, i) => html`<li aria-current=${place > 0 && i === place ? "step" : nothing}>
        <strong>${of(titles.get(stop.item) ?? title)}</strong><br>${withCode(of(stop.do))}</li>`,
      )}</ol>
      <p><button class="primary" @click=${() => openLesson(id)}>${place > 0 ? say("go_on", { place: place + 1 }) : say("begin")}</button></p></li>`;
  }

  /** However it was closed: by its button, by Escape, or since an example was opened. */
  closed() {
    update({ gallery: null });
  }

  /** A press beside the box closes it. @param {Event} event */
  clicked(event) {
    if (event.target === event.currentTarget) this.querySelector("dialog")?.close();
  }
}

customElements.define("gl-gallery", Gallery);
