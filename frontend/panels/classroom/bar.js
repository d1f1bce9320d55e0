// The bar of a class, below the header: the teacher's, or a student's. Fetched when a class is opened or joined.

import { html, nothing } from "lit";

import { state, t } from "../../store.js";
import { Panel } from "../panel.js";
import { styleSheet } from "../parts/style_sheet.js";
import { codeCard, showCode } from "./code_card.js";
import { studentBar, studentQuestion } from "./student.js";
import { teacherBar, teacherQuestion } from "./teacher.js";

class ClassBar extends Panel {
  constructor() {
    super();
    void styleSheet("styles/classroom.css");
  }

  render() {
    const { classroom } = state.value;
    if (!classroom) return nothing;
    const [bar, question] = classroom.role === "teacher" ? [teacherBar, teacherQuestion] : [studentBar, studentQuestion];
    return html`<section class="class-bar" aria-label=${t("class.title")}>${bar(classroom, showCode)}</section>
      ${classroom.ended ? nothing : question(classroom)}
      ${classroom.role === "teacher" ? codeCard(classroom) : nothing}
      <p class="class-news" role="status">${classroom.connection === "away" && !classroom.ended ? t("class.away") : ""}</p>`;
  }
}

customElements.define("gl-class", ClassBar);
