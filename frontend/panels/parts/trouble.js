// A request that failed, shown where it was made.

import { html, nothing } from "lit";

import { inLanguage } from "../../i18n/i18n.js";
import { state, t } from "../../store.js";

/** The words for a failed request. @param {import("../../store.js").Trouble} trouble */
export function troubleWords(trouble) {
  if (trouble.offline) return t("input.offline");
  const { detail, status, message_zh: chinese } = trouble.problem;
  return t("input.trouble", { detail: inLanguage(state.value.language, detail ?? String(status), chinese) });
}

/** Why it failed, and what to try. @param {import("../../store.js").Trouble} trouble */
export function troubleReason(trouble) {
  if (trouble.offline) return t("input.offline");
  const { detail, status, message_zh: chinese, hint, hint_zh: chineseHint } = trouble.problem;
  const { language } = state.value;
  const found = [inLanguage(language, detail ?? String(status), chinese), inLanguage(language, hint ?? "", chineseHint)];
  return found.filter(Boolean).join(language === "zh-CN" ? "" : " ");
}

/** The trouble's message; nothing without one. */
export function troubleMessage() {
  const { trouble } = state.value;
  return trouble ? html`<p class="message error" role="alert">${troubleWords(trouble)}</p>` : nothing;
}
