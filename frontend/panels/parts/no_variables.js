// What tools say that move variables, where a program has none.

import { html } from "lit";

import { t } from "../../store.js";

/** That there are none, and how to get some. */
export const noVariables = () => html`<p class="note">${t("dock.no_variables")}</p>`;
