// The input: the text, what it is read as, the variables' values, and the messages about it.

import { computed, effect } from "@preact/signals-core";
import { html, nothing } from "lit";

import { eventFileAddress, getGraphFile } from "../../api.js";
import { writeSetting } from "../../browser/local_storage.js";
import { inLanguage } from "../../i18n/i18n.js";
import { failed, fetched } from "../../requests/request.js";
import { edit, readAs, replaceText } from "../../requests/session.js";
import { nextTurn } from "../../scheduling/scheduler.js";
import { placeOf } from "../../state/lesson.js";
import { currentStep } from "../../state/selectors.js";
import { partOfState, state, t } from "../../store.js";
import { rangeOf } from "../../values/positions.js";
import { Panel } from "../panel.js";
import { withCode } from "../parts/code.js";
import { saveBlob } from "../../browser/saving.js";
import { troubleMessage } from "../parts/trouble.js";
import { questions } from "./questions.js";
import { sliders } from "./sliders.js";
import "./writing.js";

/** @import { Diagnostic } from "../../types.js" */

const DIALECTS = /** @type {const} */ (["auto", "math", "tf1", "tf2", "torch", "jax"]);

const MISTAKE = ".message.error, .editor:focus-within ~ [role=status] .message.warning";

const VALUE_CHANGED = ":is(.variables, gl-fields):focus-within";

class Input extends Panel {
  /** @type {import("./editor.js").Editor | null} */
  #editor = null;
  #shown = ""; // the first message that was brought into sight
  #isWrong = false; // whether the text that is shown has a mistake

  render() {
    const working = html`<span class="working" role="status">${t("input.working")}</span>`;
    return html`
      <div class="row"><h2>${t("input.title")}</h2>${state.value.busy ? working : nothing}
        <span class="language">${this.wrap()}${this.dialect()}<gl-writing></gl-writing></span></div>
      <div class="editor"><textarea class="plain" rows="2" spellcheck="false" aria-label=${t("input.editor")}
        .value=${state.value.source} @input=${this.typed}></textarea></div>
      ${sliders()}${this.fields()}${questions()}
      ${this.messages()}${this.course()}`;
  }

  /** What a program is given, fetched with the first. */
  fields() {
    const dialect = (state.value.answer ?? state.value.program)?.dialect ?? "math";
    if (dialect === "graph") return this.file();
    if (dialect === "math") return nothing;
    if (!customElements.get("gl-fields")) void fetched(() => import("./fields.js")).then(() => this.makeRoom());
    return html`<gl-fields></gl-fields>`;
  }

  /** What a graph from a file consists of, fetched with the first. */
  file() {
    if (!state.value.program?.file) return nothing;
    if (!customElements.get("gl-file")) void fetched(() => import("./file.js")).then(() => this.makeRoom());
    return html`<gl-file></gl-file>`;
  }

  /** The card of the example that is worked on, fetched with the first. */
  course() {
    if (!state.value.item) return nothing;
    void fetched(() => import("../course/card.js"));
    return html`<gl-course></gl-course>`;
  }

  /** @param {Event} event in the plain text area that stands in until the editor is there */
  typed(event) {
    edit(/** @type {HTMLTextAreaElement} */ (event.target).value);
  }

  /** Whether long lines of a program are broken; those of a formula are. */
  wrap() {
    if (state.value.answer?.dialect === "math" || !state.value.answer) return nothing;
    const root = document.documentElement;
    const turn = () => {
      writeSetting("gradlens.wrap", String(root.toggleAttribute("data-wrap")));
      this.requestUpdate();
    };
    return html`<button class="quiet square" title=${t("input.wrap")} aria-label=${t("input.wrap")}
      aria-pressed=${root.hasAttribute("data-wrap")} @click=${turn}>↩</button>`;
  }

  dialect() {
    const { dialect, answer } = state.value;
    const found = answer ? t("input.auto", { dialect: t(`dialect.${answer.dialect}`) }) : t("dialect.auto");
    return html`<select aria-label=${t("input.dialect")} @change=${this.chosen}>${DIALECTS.map(
      (name) => html`
        <option value=${name} .selected=${name === dialect}>${name === "auto" ? found : t(`dialect.${name}`)}</option>`,
    )}
      </select>`;
  }

  /** @param {Event} event */
  chosen(event) {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    readAs(/** @type {typeof DIALECTS[number]} */ (value));
  }

  /** What was said of the last text that was read; it fades while a new one is being read. */
  messages() {
    const { answer, busy, goal } = state.value;
    const messages = (answer?.diagnostics ?? []).filter(({ code }) => code !== "input_needed"); // its field says so
    const past = busy && !goal;
    const list = html`<div role="status"><ul class="messages ${past ? "past" : ""}" aria-label=${t("input.diagnostics")}>
      ${messages.map((one) => this.message(one))}</ul></div>`;
    return html`${troubleMessage()}${messages.length === 0 ? nothing : list}`;
  }

  /** @param {Diagnostic} diagnostic */
  message(diagnostic) {
    const { severity, line, column, hint } = diagnostic;
    const { language } = state.value;
    return html`<li class="message ${severity}">
      <p><strong>${t(`input.${severity}`)}</strong>${
        line && column
          ? html` <button class="link" title=${t("input.go_to", { line, column })}
        @click=${() => this.#editor?.goTo(diagnostic)}>${t("input.place", { line, column })}</button>`
          : nothing
      }</p>
      <p>${withCode(inLanguage(language, diagnostic.message, diagnostic.message_zh))}</p>
      ${hint ? html`<p class="hint">${withCode(inLanguage(language, hint, diagnostic.hint_zh))}</p>` : nothing}
      ${diagnostic.code === "summary_not_written" ? eventFileLink() : nothing}${this.mending(diagnostic)}${otherReading(diagnostic)}</li>`;
  }

  /** Buttons that mend a mistake, and all of its kind; while the text is not what was read, there are none. @param {Diagnostic} diagnostic */
  mending({ fix, code }) {
    const { source, answered, answer } = state.value;
    if (!fix || source !== answered || !this.#editor) return nothing;
    const alike = (answer?.diagnostics ?? []).flatMap((one) => (one.code === code && one.fix ? [one.fix] : []));
    const all = html` <button @click=${() => this.#editor?.mend(alike)}>${t("input.mend_all", { count: alike.length })}</button>`;
    return html`<p><button class="mend" @click=${() => this.#editor?.mend([fix])}>${t("input.mend", { text: fix.text })}</button>${alike.length > 1 && alike[0] === fix ? all : nothing}</p>`;
  }

  updated() {
    this.placeMistake();
    requestAnimationFrame(() => this.bringIntoSight());
  }

  /** In a low panel a new mistake stands right below the text, unless it comes from a value that is being changed; there it stays. */
  placeMistake() {
    const isWrong = Boolean(this.querySelector(".message.error"));
    if (isWrong !== this.#isWrong) this.toggleAttribute("data-mistake-first", isWrong && !this.querySelector(VALUE_CHANGED));
    this.#isWrong = isWrong;
  }

  /** Fields that arrive push the messages down. */
  makeRoom() {
    this.#shown = "";
    this.requestUpdate();
  }

  /** A new mistake is read without scrolling, unless a value is being changed: then its field stays where it is. */
  bringIntoSight() {
    const first = this.querySelector(MISTAKE);
    const shown = first?.textContent ?? "";
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (this.querySelector(VALUE_CHANGED)) return;
    first?.parentElement?.scrollIntoView({ block: "nearest" }); // all of them, where there is room
    first?.scrollIntoView({ block: "nearest" });
  }

  firstUpdated() {
    requestAnimationFrame(() => void this.openEditor());
  }

  /** The plain text area works at once; the editor takes its place when it has arrived. */
  async openEditor() {
    const { createEditor } = await import("./editor.js");
    await nextTurn();
    const host = /** @type {HTMLElement} */ (this.querySelector(".editor"));
    const editor = createEditor(host, { text: state.value.source, label: t("input.editor"), onChange: edit });
    this.#editor = editor;
    const plain = host.querySelector("textarea");
    if (plain && plain === document.activeElement) editor.goOn(plain);
    host.classList.add("ready");
    const text = partOfState("source");
    const marked = partOfState("answer", "program", "stale", "optimising", "language");
    effect(() => editor.setText(text.value.source));
    effect(() => editor.setMarks(marks({ ...marked.value, source: state.peek().source })));
    let dialect = "";
    const answered = partOfState("answer");
    effect(() => {
      const wanted = answered.value.answer?.dialect ?? "math";
      if (wanted !== dialect) void editor.setDialect((dialect = wanted));
    });
    effect(() => editor.setLabel(t("input.editor")));
    const place = computed(() => state.value.place);
    effect(() => {
      if (place.value) editor.goTo(place.value);
    });
  }
}

/**
 * What is marked in the text: the messages' places, and the place that made the current step's node.
 * @param {Pick<import("../../store.js").State, "answer" | "source" | "program" | "stale" | "optimising" | "language">} state
 * @returns {import("./editor.js").Mark[]}
 */
function marks({ answer, source, program, stale, optimising, language }) {
  const place = stale || optimising ? null : placeOf(program?.graph.nodes ?? [], currentStep.value);
  const current = place ? rangeOf(source, place) : null;
  const messages = (answer?.diagnostics ?? []).map((one) => ({ one, range: rangeOf(source, one) }));
  return [
    ...(current ? [{ from: current[0], to: current[1], kind: /** @type {const} */ ("step"), title: "" }] : []),
    ...messages.flatMap(({ one, range }) =>
      range
        ? [
            {
              from: range[0],
              to: range[1],
              kind: one.severity,
              title: inLanguage(language, one.message, one.message_zh),
            },
          ]
        : [],
    ),
  ];
}

/** A button that writes the text as it is read otherwise; while the text is not what was read, there is none. @param {Diagnostic} diagnostic */
function otherReading({ replacement }) {
  const { source, answered, dialect, at, wrt } = state.value;
  if (!replacement || source !== answered) return nothing;
  return html`<p><button @click=${() => replaceText({ source: replacement, dialect, at, wrt })}>${t("input.other_reading")}</button></p>`;
}

/** Save it as the page asks for everything, with the service's key where there is one. @param {Event} event @param {string} id */
async function saveEventFile(event, id) {
  event.preventDefault();
  const file = await getGraphFile("programs", id, { format: "events" }).catch(failed);
  if (file) saveBlob(file, "events.out.tfevents.0.gradlens");
}

/** The file that a program's own FileWriter would have written. */
function eventFileLink() {
  const { program } = state.value;
  if (!program?.id) return nothing;
  const { id } = program;
  return html`<p><a href=${eventFileAddress(id)} download @click=${(/** @type {Event} */ event) => saveEventFile(event, id)}>${t("input.event_file")}</a></p>`;
}

customElements.define("gl-input", Input);
