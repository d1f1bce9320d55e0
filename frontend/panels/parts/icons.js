// The few pictures on buttons; decoration only, so hidden from screen readers.

import { html } from "lit";

/** @param {string} path */
const icon = (path) =>
  html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d=${path}></path></svg>`;

export const icons = {
  first: icon("M3 3h2v10H3z M13 3v10L6 8z"),
  back: icon("M12 3v10L4 8z"),
  next: icon("M4 3v10l8-5z"),
  last: icon("M11 3h2v10h-2z M3 3v10l7-5z"),
  beside: icon("M1.5 2.5h13v11h-13z M3 4v8h4.2V4z M8.8 4v8H13V4z"),
  down: icon("M3.2 5.2 8 10l4.8-4.8 1.2 1.2-6 6-6-6z"),
  up: icon("M3.2 10.8 8 6l4.8 4.8 1.2-1.2-6-6-6 6z"),
  save: icon("M7.2 2h1.6v5.6l2.3-2.3 1.1 1.1L8 10.6 3.8 6.4l1.1-1.1 2.3 2.3z M3 12.4h10V14H3z"),
  undo: icon("M6.2 2.2 2 6.2l4.2 4V7.3h3.3a2.6 2.6 0 0 1 0 5.2H5.2V14h4.3a4.1 4.1 0 0 0 0-8.2H6.2z"),
  close: icon("M4 2.8 8 6.8l4-4L13.2 4l-4 4 4 4-1.2 1.2-4-4-4 4L2.8 12l4-4-4-4z"),
  people: icon(
    "M5.5 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6z M10.8 7.8a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8z M1 13.2c0-2.6 2-4.2 4.5-4.2s4.5 1.6 4.5 4.2z M11 13.2c0-1.7-.5-3-1.5-4a4 4 0 0 1 1.3-.2c2.3 0 4.2 1.4 4.2 4.2z",
  ),
  lock: icon("M3 7h10v7H3z M4.5 7V5a3.5 3.5 0 0 1 7 0v2H10V5a2 2 0 0 0-4 0v2z"),
  unlocked: icon("M3 7h10v7H3z M4.5 7V4a3.5 3.5 0 0 1 6.9-.8l-1.5.5A2 2 0 0 0 6 4v3z"),
  folder: icon("M1.5 3h5l1.5 2h6.5v8.5h-13z M3 6.5V12h10V6.5z"),
  share: icon("M8 1 12 5H9v6H7V5H4z M2 9h2v4h8V9h2v6H2z"),
  theme: icon("M8 1.5a6.5 6.5 0 1 0 0 13zM8 1.5a6.5 6.5 0 0 1 0 13v-1.4A5.1 5.1 0 0 0 8 2.9z"),
};
