// The menu of files: pictures, the graph for other tools, tables, and the program in other languages.

import { html, nothing } from "lit";

import { ApiError, getDerivation, getGraphFile, getNotebook, postPicture, postProgram } from "../../api.js";
import { writtenAs } from "../../requests/code.js";
import { programRequest, troubleOf } from "../../requests/request.js";
import { level } from "../../state/selectors.js";
import { state, t } from "../../store.js";
import { csvOf } from "../../values/csv.js";
import { LANGUAGES } from "../input/writing_menu.js";
import { saveBlob } from "../../browser/saving.js";
import { Panel } from "../panel.js";
import { styleSheet } from "../parts/style_sheet.js";
import { troubleWords } from "../parts/trouble.js";
import { runRows, valueRows } from "./tables.js";

/** @import { MarkedPicture } from "../../view/export/marks.js" */
/** @typedef {{name: string, file: string, make: () => Promise<Blob | null>}} Choice */

const GRAPH_FORMS = /** @type {const} */ ([
  ["pbtxt", "graph.pbtxt"],
  ["pb", "graph.pb"],
  ["events", "events.out.tfevents.0.gradlens"],
  ["dot", "graph.dot"],
  ["graphml", "graph.graphml"],
]);

/** Made by the server, of all of the graph with every value. @type {ReadonlyArray<readonly [string, string, "light" | "print", string]>} */
const PICTURES = [
  ["pdf", "pdf", "light", "graph.pdf"],
  ["pdf.print", "pdf", "print", "graph_bw.pdf"],
  ["tikz", "tikz", "light", "graph.tex"],
];

/** @typedef {HTMLElement & {picture: (form: "svg" | "png", isSeen: boolean) => Promise<Blob | null>, marksInSight: () => Promise<MarkedPicture | null>}} Drawing */

/** @param {string} text @param {string} [type] */
const blobOf = (text, type = "text/plain") => new Blob([text], { type: `${type};charset=utf-8` });

/** What is drawn as a picture. @param {"svg" | "png"} form @param {boolean} isSeen what is in sight alone @returns {Choice} */
const picture = (form, isSeen) => ({
  name: t(`download.${form}.${isSeen ? "seen" : "whole"}`),
  file: `graph${isSeen ? "_part" : ""}.${form}`,
  make: async () => /** @type {Drawing | null} */ (document.querySelector("gl-graph"))?.picture(form, isSeen) ?? null,
});

/** What is in sight as a file that the server writes, with its texts as text. @returns {Choice} */
const seenAsPdf = () => ({
  name: t("download.pdf.seen"),
  file: "graph_part.pdf",
  make: async () => {
    const marked = await /** @type {Drawing | null} */ (document.querySelector("gl-graph"))?.marksInSight();
    return marked ? postPicture(marked) : null;
  },
});

/** The graph that is drawn: that of a run's optimizer, where there is a run. @param {typeof GRAPH_FORMS[number]} form @returns {Choice} */
const graphFile = ([form, file]) => ({
  name: t(`download.${form}`),
  file,
  make: async () => getGraphFile(...(await drawnGraph()), { format: form }),
});

/** The same as a picture in the detail that is drawn. @param {typeof PICTURES[number]} picture @returns {Choice} */
const madePicture = ([name, format, theme, file]) => ({
  name: t(`download.${name}`),
  file,
  make: async () => {
    const { program, direction, open, detail: nodes } = state.value;
    const detail = level.value === "tensorflow" || program?.imported ? nodes : level.value;
    return getGraphFile(...(await drawnGraph()), { format, theme, detail, direction, open: [...open] });
  },
});

/** What the server has the drawn graph by. @returns {Promise<["runs" | "imports" | "programs", string]>} */
async function drawnGraph() {
  const { run, program } = state.value;
  if (run) return ["runs", run.parts[run.parts.length - 1].id];
  return program?.imported ? ["imports", program.imported] : ["programs", await programId()];
}

/** The id of the program that is drawn, which the first one of the page is asked for. */
async function programId() {
  const { program } = state.value;
  const { id } = program?.id ? program : await postProgram(programRequest(), AbortSignal.timeout(20_000));
  return id ?? "";
}

/** @returns {Choice} */
const notebook = () => ({ name: t("download.ipynb"), file: "program.ipynb", make: async () => getNotebook(await programId()) });

/** @returns {Choice} */
const derivation = () => ({
  name: t("download.derivation"),
  file: "derivation.tex",
  make: async () => getDerivation(await programId(), level.value, state.value.language),
});

/** @returns {Choice[]} */
function tables() {
  const { run, furthest } = state.value;
  const values = { name: t("download.table"), file: "table.csv", make: async () => blobOf(csvOf(valueRows()), "text/csv") };
  if (!run) return [values];
  return [
    values,
    { name: t("download.loss"), file: "loss.csv", make: async () => blobOf(csvOf(runRows(run, furthest)), "text/csv") },
  ];
}

/** @param {typeof LANGUAGES[number]} language @returns {Choice} */
const code = ([name, , file]) => ({ name: t(`dialect.${name}`), file, make: async () => blobOf(await writtenAs(name)) });

class Download extends Panel {
  #said = "";
  #isTrouble = false;

  firstUpdated() {
    void styleSheet("styles/share.css");
  }

  render() {
    const { program, source } = state.value;
    const isDrawn = Boolean(program?.graph.nodes.length);
    if (!isDrawn) return html`<p class="note">${t("download.nothing")}</p>`;
    const drawn = level.value; // another level, another table
    const isKnownToServer = Boolean(source.trim() || program?.imported);
    const made = isKnownToServer ? PICTURES.map(madePicture) : [];
    return html`
      ${this.group("picture", [picture("svg", false), picture("png", false), ...made, picture("svg", true), picture("png", true), seenAsPdf()])}
      ${isKnownToServer ? this.group("graph", GRAPH_FORMS.map(graphFile)) : nothing}
      ${this.group(drawn === "mathematics" ? "quantities" : "nodes", tables())}
      ${source.trim() ? this.group("code", [...LANGUAGES.map(code), derivation(), notebook()]) : nothing}
      <p class="note ${this.#isTrouble ? "trouble" : ""}" role="status">${this.#said}</p>`;
  }

  /** @param {string} name @param {Choice[]} choices */
  group(name, choices) {
    const title = t(`download.of.${name}`);
    return html`<div role="group" aria-label=${title}><p class="note">${title}</p>${choices.map(
      (choice) => html`<button @click=${() => this.save(choice)}>${choice.name} <small>${choice.file}</small></button>`,
    )}</div>`;
  }

  /** @param {Choice} choice */
  async save({ file, make }) {
    this.say(t("input.working"));
    try {
      const blob = await make();
      if (blob) saveBlob(blob, file);
      this.say(blob ? t("writing.saved", { file }) : t("download.nothing"), !blob);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.say(troubleWords(troubleOf(error)), true);
    }
  }

  /** @param {string} text @param {boolean} [isTrouble] */
  say(text, isTrouble = false) {
    [this.#said, this.#isTrouble] = [text, isTrouble];
    this.requestUpdate();
  }
}

customElements.define("gl-download", Download);
