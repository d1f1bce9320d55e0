// Text in which `backquotes` set off code, as the server's messages have it.

import { html } from "lit";

/** @param {string} text */
export const withCode = (text) => text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
