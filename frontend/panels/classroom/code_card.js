// The code of a class, large enough for the back row: its letters, the address to type, and a QR code drawn here.

import { html, nothing } from "lit";

import { t } from "../../store.js";
import { qrPath } from "../../values/qr.js";
import { qrCode } from "../share/qr_code.js";

const ONLY_HERE = /^(localhost|127\.|\[::1\])/;

/** @param {import("../../state/classroom.js").Classroom} classroom */
export function codeCard({ code }) {
  const address = new URL(`j/${code}`, new URL("./", location.href)).href;
  const picture = qrPath(address);
  return html`<dialog class="class-card" aria-label=${t("class.code")} @click=${close}>
    <p class="class-address">${address.replace(/^https?:\/\//, "")}</p>
    ${ONLY_HERE.test(location.hostname) ? html`<p class="note">${t("class.only_here")}</p>` : nothing}
    <p class="class-large">${code}</p>
    ${picture ? qrCode(picture, t("class.qr")) : nothing}
    <button @click=${close}>${t("class.hide_code")}</button></dialog>`;
}

export function showCode() {
  /** @type {HTMLDialogElement | null} */ (document.querySelector(".class-card"))?.showModal();
}

/** @param {Event} event */
function close({ target, currentTarget }) {
  if (target === currentTarget) /** @type {HTMLElement} */ (target).closest("dialog")?.close();
}
