// A link as a QR code, drawn here: nobody else is asked for it. Dark on white in either theme, as cameras expect it.

import { html } from "lit";

/** @param {{path: string, size: number}} code @param {string} label what it leads to, for those who do not see it */
export const qrCode = ({ path, size }, label) => html`<svg class="qr-code" role="img" aria-label=${label}
    viewBox=${`0 0 ${size} ${size}`} shape-rendering="crispEdges">
    <rect width=${size} height=${size} fill="#fff"></rect><path d=${path} fill="#000"></path></svg>`;
