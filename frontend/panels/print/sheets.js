// Two sheets to be printed: the question sheet, and its key.

import { html, nothing, render } from "lit";

import { rowsOf } from "../../geometry/paper.js";
import { formatNumber } from "../../values/format.js";
import { state, t } from "../../store.js";
import { drawingRoom, fitSheets } from "./fitting.js";
import { sheetMarks } from "./marks.js";
import { askedAt, stepsAsked } from "./questions.js";

/** @import { Asked } from "./questions.js" */
/** @typedef {{plane: SVGGElement, page: import("../../geometry/viewport.js").Box}} Copy */

const SVG = "http://www.w3.org/2000/svg";
const LONG = 12; // lines of a program that stand in one column
const MOST_LINES = 60;
const MOST_ASKED = 48; // questions; no sheet has room for more

/**
 * The words of both sheets; the drawing and what has room follows once their fonts are there.
 * @param {HTMLElement} place @param {(latex: string, into: HTMLElement) => void} typeset
 */
export function writeSheets(place, typeset) {
  const asked = stepsAsked().slice(0, MOST_ASKED).map(askedAt);
  render(html`${sheetOf(false, asked)}${sheetOf(true, asked)}`, place);
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-latex]")))
    typeset(element.dataset.latex ?? "", element);
}

/** Draw the graph on both sheets, and leave out what has no room. @param {HTMLElement} place @param {import("../graph/graph.js").Graph | null} graph */
export function fillSheets(place, graph) {
  const [question, key] = /** @type {HTMLElement[]} */ ([...place.querySelectorAll(".sheet")]);
  const marks = sheetMarks();
  draw(question, (marks && graph?.copy(marks.question)) ?? null);
  draw(key, (marks && graph?.copy(marks.key)) ?? null);
  const all = stepsAsked().length;
  fitSheets(question, key, Math.min(all, MOST_ASKED), (shown) => showQuestions(place, shown, all));
}

/** @param {boolean} isKey @param {Asked[]} asked */
function sheetOf(isKey, asked) {
  return html`<section class="sheet ${isKey ? "key-sheet" : "question-sheet"}" style="--room: 16mm; --size: 10pt">
    <header><h1>${title()}</h1>${isKey ? html`<p><strong>${t("sheet.key")}</strong></p>` : html`<p>${t("sheet.name")} <i></i> ${t("sheet.date")} <i></i></p>`}</header>
    ${text()}
    <figure class="graph-view"></figure>
    ${asked.length > 0 ? html`<h2>${t(isKey ? "sheet.answers" : "sheet.questions")}</h2>` : nothing}
    <ol>${asked.map((each) => html`<li>${isKey ? answer(each) : question(each)}</li>`)}</ol>
    <p class="more"></p>
  </section>`;
}

function title() {
  const { item, language } = state.value;
  if (!item) return "Gradlens";
  return language === "en" ? item.title.en : item.title.zh;
}

/** The formula or program, and the values of its variables. */
function text() {
  const { source, at } = state.value;
  const lines = source.trimEnd().split("\n");
  const shown = lines.slice(0, MOST_LINES).join("\n");
  const cut =
    lines.length > MOST_LINES ? html`<p class="note">${t("sheet.cut", { count: lines.length - MOST_LINES })}</p>` : nothing;
  const values = Object.entries(at).map(([name, value]) => `${name} = ${formatNumber(value)}`);
  return html`<pre class=${lines.length > LONG ? "long" : lines.length > 1 ? "program" : "formula"}>${shown}</pre>${cut}
    ${values.length > 0 ? html`<p class="values">${values.join(", ")}</p>` : nothing}`;
}

/** @param {Asked} asked */
const question = ({ question: words, left }) => html`<p>${words}</p>
  <p class="blank">${left ? html`<span data-latex=${`${left} =`}></span>` : nothing}<i></i></p><div class="room"></div>`;

/** @param {Asked} asked */
const answer = ({ says, result, value }) => html`<p>${says}</p>
  <p>${result ? html`<span data-latex=${result}></span>` : html`<strong>${value}</strong>`}</p>`;

/** @param {HTMLElement} sheet @param {Copy | null} copy */
function draw(sheet, copy) {
  const figure = /** @type {HTMLElement} */ (sheet.querySelector("figure"));
  if (!copy) return figure.remove();
  const { plane, page } = copy;
  const width = figure.clientWidth;
  const pxPerMm = sheet.clientWidth / 186;
  const height = drawingRoom((most) => rowsOf(page, { width, height: most }), pxPerMm);
  const { pieces, scale } = rowsOf(page, { width, height });
  figure.classList.toggle("beside", pieces.length > 1 && pieces[0].x === pieces[1].x);
  figure.replaceChildren(
    ...pieces.map((piece) => {
      const picture = document.createElementNS(SVG, "svg");
      picture.setAttribute("viewBox", [piece.x, piece.y, piece.width, piece.height].join(" "));
      picture.setAttribute("width", String(piece.width * scale));
      picture.setAttribute("height", String(piece.height * scale));
      picture.append(plane.cloneNode(true));
      return picture;
    }),
  );
  return undefined;
}

/** @param {HTMLElement} place @param {number} shown questions @param {number} all steps of the way back */
function showQuestions(place, shown, all) {
  for (const sheet of place.querySelectorAll(".sheet")) {
    const items = [...sheet.querySelectorAll("li")];
    items.forEach((item, i) => (item.hidden = i >= shown));
    const more = /** @type {HTMLElement} */ (sheet.querySelector(".more"));
    more.textContent = shown < all ? t("sheet.more", { count: all - shown }) : "";
  }
}
